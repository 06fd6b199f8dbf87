/**
 * Several modules with rows in one request: each continues by its own parameters, and `continue` names those that have
 * finished. The model is ApiContinuationManager's; every answer is the true one or there is none.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type JsonTree,
  jsonArray,
  jsonLiteral,
  jsonObject,
  jsonString
} from '../../../src/recorder/json/json-tree.ts'
import { readTree } from '../../../src/recorder/json/read-json.ts'
import { readListings } from '../../../src/recorder/paging/joining/listings.ts'
import type { Synthesis } from '../../../src/recorder/paging/synthesis.ts'
import { synthesize } from '../../../src/recorder/paging/synthesize.ts'
import { rounds } from '../../helpers/scale.ts'
import { deriveQuery, facts } from './fake-wiki.ts'
import { type Params, queryOf, record, text, walk } from './recorded-walks.ts'

type Members = (readonly [string, JsonTree])[]

const prefixes: Readonly<Record<string, string>> = {
  categories: 'cl',
  links: 'pl',
  allpages: 'ap',
  tags: 'tg'
}

/** How many rows each module has: of a prop on each page, of a list in all. */
type RowCounts = Readonly<Record<string, readonly number[]>>

interface ModelRow {
  readonly page: number
  readonly item: JsonTree
  readonly value: string
}

function rowsOf(module: string, counts: RowCounts): readonly ModelRow[] {
  return (counts[module] ?? []).flatMap((count, page) =>
    Array.from({ length: count }, (_, nth) => {
      const title = `${module} ${String(nth).padStart(2, '0')}`
      const item = jsonObject([
        ['ns', jsonLiteral(0)],
        ['title', jsonString(title)]
      ])
      const isProp = module === 'categories' || module === 'links'
      const key = title.replace(' ', '_')
      return { page, item, value: isProp ? `${page + 1}|${key}` : key }
    })
  )
}

/** What the wiki answers. @param pages how many there are */
function answer(params: Params, counts: RowCounts, pages: number): JsonTree {
  const named = (name: string) => (params.get(name) ?? '').split('|').filter(Boolean)
  const isList = params.has('list')
  const all = [...named(isList ? 'list' : 'prop'), ...named('meta')]
  const isRaw = params.has('rawcontinue')
  const [, sent = ''] = (params.get('continue') ?? '').split('||')
  const finished = isRaw ? [] : sent.split('|')
  const limits: Members = []
  const query: Members = []
  const added = Array.from({ length: pages }, (): Members => [])
  const continued: (readonly [string, string, JsonTree])[] = []
  const limitOf = (module: string) => {
    const wanted = params.get(`${prefixes[module]}limit`) ?? '10'
    if (wanted === 'max') limits.push([module, jsonLiteral(500)])
    return wanted === 'max' ? 500 : Number(wanted)
  }
  let limitsFirst = false
  for (const module of all.filter((one) => finished.includes(one) && one in prefixes)) {
    limitOf(module)
    limitsFirst ||= limits.length > 0
  }
  for (const module of all.filter((one) => !finished.includes(one))) {
    const prefix = prefixes[module]
    if (module === 'siteinfo')
      query.push(['general', jsonObject([['lang', jsonString('ru')]])])
    if (module === 'info')
      for (const page of added) page.push(['touched', jsonString('now')])
    if (prefix === undefined) continue
    const isFirst = isList && query.length === 0
    const most = limitOf(module)
    limitsFirst ||= isFirst && limits.length > 0
    const rows = rowsOf(module, counts)
    const start = params.get(`${prefix}continue`)
    const from = start === undefined ? 0 : rows.findIndex(({ value }) => value === start)
    const shown = rows.slice(from, from + most)
    const next = rows[from + most]
    if (next) continued.push([module, `${prefix}continue`, jsonString(next.value)])
    if (isList) query.push([module, jsonArray(shown.map(({ item }) => item))])
    added.forEach((page, at) => {
      const own = shown.filter((row) => row.page === at).map(({ item }) => item)
      if (!isList && own.length > 0) page.push([module, jsonArray(own)])
    })
  }
  const shownPages = added.map((members, at): readonly [string, JsonTree] => [
    String(at + 1),
    jsonObject([
      ['pageid', jsonLiteral(at + 1)],
      ['ns', jsonLiteral(0)],
      ['title', jsonString(`Page ${at + 1}`)],
      ...members
    ])
  ])
  const head: Members = []
  if (isRaw) {
    const groups = continued.map(
      ([module, name, value]) => [module, jsonObject([[name, value]])] as const
    )
    if (groups.length > 0) head.push(['query-continue', jsonObject(groups)])
  } else {
    if (isList || continued.length === 0) head.push(['batchcomplete', jsonString('')])
    const done = all.filter((one) => !continued.some(([module]) => module === one))
    const text = jsonString(`${isList ? '-' : ''}||${done.join('|')}`)
    const values = continued.map(([, name, value]) => [name, value] as const)
    if (values.length > 0)
      head.push(['continue', jsonObject([...values, ['continue', text]])])
  }
  const ofPages: Members = isList ? [] : [['pages', jsonObject(shownPages)]]
  const body = jsonObject([...ofPages, ...query])
  const middle: Members = limits.length > 0 ? [['limits', jsonObject(limits)]] : []
  return jsonObject([
    ...head,
    ...(limitsFirst ? middle : []),
    ['query', body],
    ...(limitsFirst ? [] : middle)
  ])
}

const limit = fc.oneof(
  fc.integer({ min: 1, max: 9 }).map(String),
  fc.constantFrom('max', '500')
)
const counts = (pages: number): fc.Arbitrary<readonly number[]> =>
  fc.array(fc.nat(pages === 1 ? 24 : 8), { minLength: pages, maxLength: pages })
const dialect = fc.constantFrom('continue', 'rawcontinue')

interface Shape {
  readonly fixed: readonly (readonly [string, string])[]
  readonly modules: readonly [string, string]
}
const shapes: readonly Shape[] = [
  { fixed: [['prop', 'links|categories']], modules: ['links', 'categories'] },
  { fixed: [['prop', 'categories|info|links']], modules: ['links', 'categories'] },
  {
    fixed: [
      ['prop', 'info|links|categories'],
      ['meta', 'siteinfo']
    ],
    modules: ['links', 'categories']
  },
  { fixed: [['list', 'allpages|tags']], modules: ['allpages', 'tags'] },
  {
    fixed: [
      ['list', 'tags|allpages'],
      ['meta', 'siteinfo']
    ],
    modules: ['allpages', 'tags']
  }
]

describe('several modules with rows in one request', () => {
  test.each(shapes)('answers at other limits: $fixed', ({ fixed, modules }) => {
    const [one, other] = modules
    const isList = fixed.some(([name]) => name === 'list')
    const pages = isList ? 1 : 3
    let exact = 0
    fc.assert(
      fc.property(
        fc.tuple(counts(pages), counts(pages)),
        fc.array(fc.tuple(limit, limit, dialect), { minLength: 1, maxLength: 2 }),
        fc.array(fc.tuple(limit, limit, dialect), { minLength: 1, maxLength: 3 }),
        ([ofOne, ofOther], recorded, asked) => {
          const rows = { [one]: ofOne, [other]: ofOther }
          const first = ([a, b, way]: readonly [string, string, string]): Params => {
            const titles = ['Page 1', 'Page 2', 'Page 3'].join('|')
            return new Map([
              ['action', 'query'],
              ...fixed,
              ...(isList ? [] : [['titles', titles] as const]),
              [`${prefixes[one]}limit`, a],
              [`${prefixes[other]}limit`, b],
              [way, '']
            ])
          }
          const answering = (params: Params) => answer(params, rows, pages)
          const listings = readListings(
            recorded
              .flatMap((limits) => walk(answering, first(limits)))
              .map(([params, body]) => record(queryOf(params), body)),
            facts
          )
          for (const [params, truth] of asked.flatMap((limits) =>
            walk(answering, first(limits))
          )) {
            const said = synthesize(deriveQuery(queryOf(params)), listings, facts)
            expect(said.kind).not.toBe('conflict')
            if (said.kind !== 'synthesized' || said.by === 'own') continue
            expect(text(said.body), queryOf(params)).toBe(text(truth))
            exact += 1
          }
        }
      ),
      { numRuns: rounds(60) }
    )
    expect(exact).toBeGreaterThan(20)
  })
})

const twoProps = 'action=query&prop=links|categories&titles=Page 1|Page 2|Page 3'
const rows: RowCounts = { links: [2, 0, 3], categories: [1, 1, 1] }
const ask = (
  query: string,
  recorded: readonly string[],
  change: (body: JsonTree) => JsonTree = (body) => body
): Synthesis => {
  const all = recorded.map((one) =>
    record(one, change(answer(new Map(new URLSearchParams(one)), rows, 3)))
  )
  return synthesize(deriveQuery(query), readListings(all, facts), facts)
}

const changed = (body: JsonTree, from: string, to: string): JsonTree =>
  readTree(text(body).replace(from, to)) ?? body

test('what modules without rows add is the same at whatever limits it was recorded', () => {
  const query = twoProps.replace('prop=', 'prop=info|')
  const recorded = [`${query}&pllimit=max&cllimit=max`, `${query}&pllimit=30&cllimit=7`]
  expect(ask(`${query}&pllimit=20`, recorded).kind).toBe('synthesized')
})

test('parameters of a request come in another order than those of a recording', () => {
  const inOrder =
    'action=query&meta=siteinfo&prop=links|info|categories&titles=Page 3|Page 1|Page 2'
  const sent = inOrder.split('&').reverse().join('&')
  expect(ask(`${sent}&pllimit=20`, [`${inOrder}&pllimit=30`]).kind).toBe('synthesized')
})

describe('several modules, if they may depend on each other', () => {
  test('an answer with a warning proves nothing of either module', () => {
    const warned = (body: JsonTree) =>
      jsonObject([
        ['warnings', jsonObject([])],
        ...(body.kind === 'object'
          ? body.members.map((m) => [m.key, m.value] as const)
          : [])
      ])
    expect(ask(`${twoProps}&pllimit=20`, [twoProps]).kind).toBe('synthesized')
    expect(ask(`${twoProps}&pllimit=20`, [twoProps], warned).kind).toBe('not-a-listing')
  })

  test('an answer with a member of no module proves nothing of either', () => {
    const beside = (body: JsonTree) => changed(body, '"query":{', '"query":{"extra":1,')
    expect(ask(`${twoProps}&pllimit=20`, [twoProps], beside).kind).toBe('not-a-listing')
    const onPages = (body: JsonTree) =>
      changed(body, '"categories":', '"extra":1,"categories":')
    expect(ask(`${twoProps}&pllimit=20`, [twoProps], onPages).kind).toBe('not-a-listing')
  })

  test('parameters of a finished module are those of a recorded answer', () => {
    const next = `${twoProps}&clcontinue=2|categories_00&cllimit=1&continue=||links`
    const recorded = [`${twoProps}&cllimit=1`, next]
    expect(ask(`${next}&pllimit=7`, recorded).kind).toBe('synthesized')
    expect(ask(`${next}&pllimit=501`, recorded)).toMatchObject({
      kind: 'refused',
      why: 'a module that has finished may warn of its parameters'
    })
  })
})
