/** Structure is never content: a wiki that answers otherwise is told of, in the same version as in another, as one cause. */
import { describe, expect, it } from 'vitest'
import {
  causesTold,
  isList,
  isRecord,
  type Mutation,
  reportOf,
  rows,
  type Versions,
  type WikiChange,
} from './mutating-wiki.ts'
import { mutationCases } from './mutation-cases.ts'

/** `breaking type.changed revid` of `breaking type.changed query.pages[*].revisions[*].revid`. */
const short = (line: string): string => {
  const [severity, kind, place = ''] = line.split(' ')
  const field = place.replace(/\[\*\]|\.\*$/g, '').replace(/^.*\./, '')
  return `${severity} ${kind} ${field}`
}
const isOf = (told: string, line: string): boolean =>
  short(line) === told || short(line).startsWith(`${told} `)

/** A page edited, and the newest of the recent changes, in front of the first batch. */
const edited: Mutation = (answer, request) => {
  const after = rows('lastrevid', (row) =>
    row['pageid'] === 2 ? { ...row, lastrevid: 9000, touched: '2026-11-20T12:00:00Z', length: 4321 } : row,
  )(answer, request)
  if (!isRecord(after) || !isRecord(after['query']) || /rccontinue/.test(request)) return after
  const changes = after['query']['recentchanges']
  if (!isList(changes)) return after
  const ids = { pageid: 2, revid: 9000, old_revid: 13, rcid: 9000 }
  const newest = {
    type: 'edit',
    ns: 0,
    title: 'Волга',
    ...ids,
    user: 'Bob',
    timestamp: '2026-11-20T12:00:00Z',
  }
  return { ...after, query: { ...after['query'], recentchanges: [newest, ...changes.slice(0, -1)] } }
}

/** The same mutation of answers of a wiki where a page was edited. */
function afterEdit(change: WikiChange): WikiChange {
  const { answer, ...rest } = typeof change === 'function' ? { answer: change } : change
  const after: Mutation = (one, request) => {
    const now = edited(one, request)
    return answer === undefined ? now : answer(now, request)
  }
  return { ...rest, answer: after }
}

const versions = ['same', 'other'] as const

describe.each(mutationCases)('$name', ({ change, isUndoneQuietly, isContentAfterEdits, ...one }) => {
  const toldIn = (version: Versions): string => (version === 'same' ? (one.toldInOne ?? one.told) : one.told)

  it.each(versions)('in the %s version: one cause', (version) => {
    const causes = causesTold(reportOf(change, version))
    expect(causes.map(([first]) => first)).toHaveLength(1)
    expect(causes[0]?.map(short)).toContainEqual(expect.stringMatching(new RegExp(`^${toldIn(version)}`)))
  })

  it.each(versions)('in the %s version, undone: one cause', (version) => {
    const causes = causesTold(reportOf(change, version, {}, true))
    expect(causes.map(([first]) => first)).toHaveLength(isUndoneQuietly === true ? 0 : 1)
  })

  const changeAfterEdit = afterEdit(change)
  // Other markup of one version may come from an edit of what the page includes.
  const beyondEdits = versions.filter(
    (version) => isContentAfterEdits !== true && (version === 'other' || one.toldInOne === undefined),
  )

  it.each(beyondEdits)('in the %s version, after an edit of one page', (version) => {
    const lines = causesTold(reportOf(changeAfterEdit, version)).flat()
    expect(lines.filter((line) => isOf(toldIn(version), line))).not.toEqual([])
  })
})

it.each(versions)('nothing is told of the same answers in the %s version', (version) => {
  expect(causesTold(reportOf((answer) => answer, version))).toEqual([])
})
