/** Structure is never content: a wiki that answers otherwise is told of, in the same version as in another. */
import { describe, expect, it } from 'vitest'
import { isList, isRecord, type Json, lists, type Mutation, members, rows, toldOf } from './mutating-wiki.ts'

const asText = (value: Json): Json => (typeof value === 'number' ? String(value) : value)
const time = (change: (iso: string) => string): Mutation =>
  members(/^timestamp$/, (value) => (typeof value === 'string' ? change(value) : value))
const onQuery =
  (change: (query: Readonly<Record<string, Json>>) => Json): Mutation =>
  (answer) =>
    isRecord(answer) && isRecord(answer['query']) ? { ...answer, query: change(answer['query']) } : answer

/** The newest of the recent changes, in front of the first batch. */
function onFirst(answer: Json, row: Readonly<Record<string, Json>>, request: string): Json {
  if (!isRecord(answer) || !isRecord(answer['query']) || /rccontinue/.test(request)) return answer
  const changes = answer['query']['recentchanges']
  if (!isList(changes)) return answer
  const newest = { ...row, user: 'Bob', timestamp: '2026-11-20T12:00:00Z' }
  return { ...answer, query: { ...answer['query'], recentchanges: [newest, ...changes.slice(0, -1)] } }
}

/** What is done, one of the findings, and the mutation. */
const mutations: readonly (readonly [string, RegExp, Mutation])[] = [
  ['revid a string', /^breaking type.changed .*revid$/, members(/^revid$/, asText)],
  ['lastrevid a string', /^breaking type.changed .*lastrevid$/, members(/^lastrevid$/, asText)],
  ['all numbers strings', /^breaking type.changed .*pageid$/, members(/id$|^ns$|^size$|^length$/, asText)],
  ['size a string', /^breaking type.changed .*size$/, members(/^size$/, asText)],
  ['sha1 gone', /^breaking field.removed .*sha1$/, members(/^sha1$/, () => undefined)],
  ['user gone', /^breaking field.removed .*user$/, members(/^user$/, () => undefined)],
  ['comment gone', /^breaking field.removed .*comment$/, members(/^comment$/, () => undefined)],
  ['comment null', /^breaking field.nullable .*comment$/, members(/^comment$/, () => null)],
  ['user null', /^breaking field.nullable .*user$/, members(/^user$/, () => null)],
  ['timestamp null', /^breaking field.nullable .*timestamp$/, members(/^timestamp$/, () => null)],
  ['lastrevid null', /^breaking field.nullable .*lastrevid$/, members(/^lastrevid$/, () => null)],
  [
    'timestamp a number',
    /^breaking type.changed .*timestamp$/,
    members(/^timestamp$/, (value) => (typeof value === 'string' ? Date.parse(value) / 1000 : value)),
  ],
  ['timestamps of MediaWiki', /^breaking value.format .*timestamp$/, time((iso) => iso.replace(/\D/g, ''))],
  [
    'timestamps with fractions',
    /^breaking value.format .*timestamp$/,
    time((iso) => iso.replace('Z', '.000Z')),
  ],
  [
    'titles with _',
    /^breaking value.format .*title$/,
    members(/^title$/, (value) => (typeof value === 'string' ? value.replaceAll(' ', '_') : value)),
  ],
  ['lists reversed', /^risky order.changed query\.allpages$/, lists((all) => [...all].reverse())],
  ['logs reversed', /^risky order.changed query\.recentchanges$/, lists((all) => [...all].reverse())],
  [
    'redirects ignored',
    /query\.redirects$/,
    onQuery(({ redirects, ...rest }) =>
      redirects === undefined ? rest : { ...rest, pages: [{ pageid: 148, ns: 0, title: 'Узелок 01' }] },
    ),
  ],
  [
    'continue values with spaces',
    /^risky continuation\./,
    members(/^apcontinue$/, (value) => (typeof value === 'string' ? value.replaceAll('_', ' ') : value)),
  ],
  [
    'continue values of another form',
    /^risky continuation\.value-shape/,
    members(/^(?:ap|rc|le|uc)continue$/, (value) => `v2|${String(value)}`),
  ],
  ['a row lost in each batch', /^risky continuation\.batch/, lists((all) => all.slice(0, -1))],
  ['the first row lost in each batch', /^risky continuation\.batch/, lists((all) => all.slice(1))],
  [
    'rows twice',
    /^risky (?:continuation\.batch|items\.more)/,
    lists((all) => all.flatMap((row) => [row, row])),
  ],
  [
    'size off by one',
    /^risky value.changed .*size$/,
    members(/^size$/, (value) => (typeof value === 'number' ? value + 1 : value)),
  ],
  [
    'length off by one',
    /^risky value.changed .*length$/,
    members(/^length$/, (value) => (typeof value === 'number' ? value + 1 : value)),
  ],
  [
    'user names changed',
    /^risky value.changed .*user$/,
    members(/^user$/, (value) => (typeof value === 'string' ? `User:${value}` : value)),
  ],
  ['a field new', /^additive field.added .*slotsize$/, rows('revid', (row) => ({ ...row, slotsize: 5 }))],
  [
    'batchcomplete gone',
    /^breaking field.removed batchcomplete$/,
    members(/^batchcomplete$/, () => undefined),
  ],
]

describe.each(['same', 'other'] as const)('in the %s version', (versions) => {
  it.each(mutations)('%s', (_, expected, mutation) => {
    expect(toldOf(mutation, versions).filter((one) => expected.test(one))).not.toEqual([])
  })

  it.each(mutations)('%s, after an edit of one page', (_, expected, mutation) => {
    const edited: Mutation = rows('lastrevid', (row) =>
      row['pageid'] === 2 ? { ...row, lastrevid: 9000, touched: '2026-11-20T12:00:00Z', length: 4321 } : row,
    )
    const newChange = {
      type: 'edit',
      ns: 0,
      title: 'Волга',
      pageid: 2,
      revid: 9000,
      old_revid: 13,
      rcid: 9000,
    }
    const after: Mutation = (answer, request) =>
      mutation(onFirst(edited(answer, request), newChange, request), request)
    expect(toldOf(after, versions).filter((one) => expected.test(one))).not.toEqual([])
  })

  it('nothing is told of the same answers', () => {
    expect(toldOf((answer) => answer, versions)).toEqual([])
  })
})
