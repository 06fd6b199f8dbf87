/** Changes of the release notes that need more than one answer to be seen: several samples, headers, descriptions. */
import { describe, expect, it } from 'vitest'
import type { Kind, Severity } from '../../../src/drift/changes/kinds.ts'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { side } from '../sides.ts'

type Summary = readonly (readonly [Kind, Severity])[]
type Answers = Readonly<Record<string, unknown>>

const summaries = (
  a: Parameters<typeof side>[1],
  b: Answers,
  modules: readonly [unknown[], unknown[]] = [[], []]
): Summary => {
  const [before, after] = modules.map((list) => described(list))
  return compareCassettes(
    side('a', a, { modules: before ?? new Map() }),
    side('b', b, { modules: after ?? new Map() })
  ).findings.map(({ kind, severity }) => [kind, severity])
}

/** Modules as paraminfo describes them, by path; `query` names its submodules, as requests are read by it. */
const described = (modules: readonly unknown[]): ReadonlyMap<string, unknown> =>
  new Map(modules.map((one) => [String(Object(one).path), one]))

const queryModule = (...lists: readonly string[]): unknown => ({
  path: 'query',
  prefix: '',
  parameters: [
    {
      name: 'list',
      type: lists,
      multi: '',
      submodules: Object.fromEntries(lists.map((name) => [name, `query+${name}`]))
    }
  ]
})

const recentchanges = (standard: string): unknown => ({
  path: 'query+recentchanges',
  prefix: 'rc',
  parameters: [
    {
      name: 'type',
      type: ['edit', 'new', 'log', 'external', 'categorize'],
      multi: '',
      default: standard
    },
    { name: 'limit', type: 'limit', default: 10 }
  ]
})

const allimages = (multi: boolean): unknown => ({
  path: 'query+allimages',
  prefix: 'ai',
  parameters: [{ name: 'mime', type: 'string', ...(multi ? { multi: '' } : {}) }]
})

const edit = (standard: string): unknown => ({
  path: 'edit',
  prefix: '',
  parameters: [
    { name: 'title' },
    { name: 'watchlist', type: ['watch', 'preferences', 'nochange'], default: standard }
  ]
})

describe('changes of MediaWiki, seen over several answers', () => {
  it('1.32: delete may answer "scheduled" without a logid', () => {
    const deleted = (title: string, rest: object): unknown => ({
      delete: { title, reason: 'x', ...rest }
    })
    const request = (title: string): string => `action=delete&title=${title}`
    const a = {
      [request('А')]: deleted('А', { logid: 5 }),
      [request('Б')]: deleted('Б', { logid: 6 })
    }
    const b = {
      [request('А')]: deleted('А', { logid: 5 }),
      [request('Б')]: deleted('Б', { scheduled: true })
    }
    expect(summaries(a, b)).toEqual([
      ['field.became-optional', 'breaking'],
      ['field.added', 'additive']
    ])
  })

  it('1.26: answers have headers that they had not', () => {
    const answer = (headers: Readonly<Record<string, string>>): unknown => ({
      headers,
      body: { query: {} }
    })
    const request = 'action=query&meta=siteinfo'
    const language = { 'content-language': 'ru' }
    expect(summaries({ [request]: answer({}) }, { [request]: answer(language) })).toEqual(
      [['header.added', 'additive']]
    )
    expect(summaries({ [request]: answer(language) }, { [request]: answer({}) })).toEqual(
      [['header.removed', 'risky']]
    )
  })

  it('1.33: deletes of one request more are not held against the others', () => {
    const request = (title: string): string => `action=parse&page=${title}`
    expect(
      summaries(
        { [request('А')]: { parse: {} } },
        { [request('А')]: { parse: {} }, [request('Б')]: { parse: {} } }
      )
    ).toEqual([['interaction.new', 'risky']])
  })
})

describe('changes of MediaWiki, seen in what it says of its modules', () => {
  const listing = { query: { recentchanges: [] } }

  it('1.25: the default type of recentchanges is narrower: risky where it is relied on, a note where it is sent', () => {
    const modules = [
      [queryModule('recentchanges'), recentchanges('edit|new|log|external|categorize')],
      [queryModule('recentchanges'), recentchanges('edit|new|log')]
    ] as [unknown[], unknown[]]
    const reliesOnIt = { 'action=query&list=recentchanges': listing }
    expect(summaries(reliesOnIt, reliesOnIt, modules)).toEqual([
      ['param.default-changed', 'risky']
    ])
    const sendsIt = { 'action=query&list=recentchanges&rctype=edit': listing }
    expect(summaries(sendsIt, sendsIt, modules)).toEqual([
      ['param.default-changed', 'note']
    ])
  })

  it('1.25: aimime takes several values', () => {
    const request = { 'action=query&list=allimages': { query: { allimages: [] } } }
    const modules = [
      [queryModule('allimages'), allimages(false)],
      [queryModule('allimages'), allimages(true)]
    ] as [unknown[], unknown[]]
    expect(summaries(request, request, modules)).toEqual([['param.multi', 'additive']])
  })

  it('1.36: edits by a bot no longer watch the page: a note, since no answer shows it', () => {
    const request = { 'action=parse&page=А': { parse: {} } }
    expect(
      summaries(request, request, [[edit('preferences')], [edit('nochange')]])
    ).toEqual([['param.default-changed', 'note']])
  })

  it.each([
    [
      '1.37: a module ends',
      [queryModule(), { path: 'tokens', prefix: '', parameters: [] }],
      [queryModule()],
      'module.removed',
      'breaking'
    ],
    [
      '1.45: a module is deprecated',
      [{ path: 'tokens', prefix: '', parameters: [] }],
      [{ path: 'tokens', prefix: '', parameters: [], deprecated: true }],
      'module.deprecated',
      'risky'
    ],
    [
      '1.29: a module needs POST',
      [{ path: 'tokens', prefix: '', parameters: [] }],
      [{ path: 'tokens', prefix: '', parameters: [], mustbeposted: true }],
      'module.post-required',
      'breaking'
    ]
  ] as const)('%s', (_, before, after, kind, severity) => {
    const request = { 'action=tokens': { tokens: {} } }
    expect(summaries(request, request, [[...before], [...after]])).toEqual([
      [kind, severity]
    ])
  })
})
