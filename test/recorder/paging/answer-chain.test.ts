/** Answers inside of one batch of a generator put together, and how many rows of its props fit into one. */
import { describe, expect, it } from 'vitest'
import { readJson } from '../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import {
  joinChains as joinChainsBy,
  limitedProps,
  propsFit,
  repeatsSurroundings
} from '../../../src/recorder/paging/reading/answer-chain.ts'
import {
  type Batch,
  cursorText,
  positionOf,
  readBatch
} from '../../../src/recorder/paging/reading/batch.ts'
import { driverOf, isCostly } from '../../../src/recorder/paging/reading/driver.ts'
import { extractRows, type ListingRow } from '../../../src/recorder/paging/reading/row.ts'
import { coreOf, isOnlyPages } from '../../../src/recorder/paging/reading/split-answer.ts'
import type { WikiFacts } from '../../../src/recorder/request/derive.ts'
import { derive } from '../../../src/recorder/request/derive.ts'
import { bundledLookup } from '../../../src/recorder/wiki/modules/module-descriptions.ts'
import { apiRequest } from '../../helpers/api-requests.ts'
import { recordedAs } from './fake-wiki.ts'

const facts: WikiFacts = { lookup: bundledLookup('MediaWiki 1.43.9'), site: undefined }
const tree = (value: unknown) => {
  const reading = readJson(typeof value === 'string' ? value : JSON.stringify(value))
  if (!reading.ok) throw new Error(reading.fault.message)
  return reading.tree
}

function batch(query: string, answer: unknown): Batch {
  const derivation = derive(apiRequest(`action=query&format=json&${query}`), facts)
  const names = new Set(['gapcontinue', 'clcontinue'])
  const read = readBatch(recordedAs(derivation, tree(answer)), facts, names)
  if (read === undefined) throw new Error(query)
  return read
}

const joinChains = (batches: readonly Batch[]): readonly Batch[] =>
  joinChainsBy(batches, facts.lookup)

const outer = 'generator=allpages&gaplimit=2&prop=categories|info&cllimit=2'
const page = (id: number, more: object = {}): object => ({
  pageid: id,
  ns: 0,
  title: `P${id}`,
  ...more
})
const cats = (...names: readonly string[]): object => ({
  categories: names.map((title) => ({ title }))
})
const going = (clcontinue: string): object => ({
  continue: { clcontinue, continue: '||info' }
})
const parts = [
  batch(`${outer}&continue=`, {
    ...going('1|C'),
    query: {
      pages: { 1: page(1, { length: 5, ...cats('A', 'B') }), 2: page(2, { length: 6 }) }
    }
  }),
  batch(`${outer}&continue=||info&clcontinue=1|C`, {
    ...going('2|B'),
    query: { pages: { 1: page(1, cats('C')), 2: page(2, cats('A')) } }
  }),
  batch(`${outer}&continue=||info&clcontinue=2|B`, {
    batchcomplete: '',
    continue: { gapcontinue: 'P3', continue: 'gapcontinue||' },
    query: { pages: { 1: page(1), 2: page(2, cats('B')) } }
  })
] as const
const [first, second, last] = parts

describe('answers of one batch', () => {
  it('have once what the old dialect says with each of them', () => {
    const raw = `generator=allpages&gaplimit=1&prop=revisions|categories&cllimit=2&rawcontinue=`
    const members = (...names: readonly string[]) => ({
      revisions: [{ revid: 7 }],
      ...cats(...names)
    })
    const next = { 'query-continue': { categories: { clcontinue: '1|C' } } }
    const [whole] = joinChains([
      batch(raw, { ...next, query: { pages: { 1: page(1, members('A', 'B')) } } }),
      batch(`${raw}&clcontinue=1|C`, { query: { pages: { 1: page(1, members('C')) } } })
    ])
    expect(whole?.answer.rows.map(({ item }) => item)).toEqual([
      tree(page(1, members('A', 'B', 'C')))
    ])
  })

  it('are one, with all that each of them says of its pages, in the order in which it stands', () => {
    const [whole, another] = joinChains([second, last, first])
    expect(another).toBeUndefined()
    expect(whole?.answers).toEqual(parts)
    expect(whole?.answer.inner).toBeUndefined()
    expect(whole?.continuesAt).toBe(
      positionOf({ cursor: new Map([['gapcontinue', 'P3']]), startName: undefined })
    )
    expect(whole?.answer.rows.map(({ item }) => writeCompact(item, 'utf8'))).toEqual(
      [
        page(1, { length: 5, ...cats('A', 'B', 'C') }),
        page(2, { length: 6, ...cats('A', 'B') })
      ].map((one) => JSON.stringify(one))
    )
  })

  it('have a new member where other pages have it', () => {
    const [whole] = joinChains([
      batch(`${outer}&continue=`, {
        ...going('2|A'),
        query: {
          pages: { 1: page(1, { ...cats('A'), length: 5 }), 2: page(2, { length: 6 }) }
        }
      }),
      batch(`${outer}&continue=||info&clcontinue=2|A`, {
        batchcomplete: '',
        query: { pages: { 1: page(1), 2: page(2, cats('A')) } }
      })
    ])
    expect(whole?.answer.rows.map(({ item }) => writeCompact(item, 'utf8'))).toEqual(
      [page(1, { ...cats('A'), length: 5 }), page(2, { ...cats('A'), length: 6 })].map(
        (one) => JSON.stringify(one)
      )
    )
  })

  it('are none where one is missing, leads back, or shows other pages', () => {
    expect(joinChains([first, last])).toEqual([])
    expect(joinChains([second, last])).toEqual([])
    const back = { ...second, answer: { ...second.answer, inner: first.answer.inner } }
    expect(joinChains([first, back, last])).toEqual([])
    const fewer = { ...last, answer: { ...last.answer, rows: last.answer.rows.slice(1) } }
    expect(joinChains([first, second, fewer])).toEqual([])
    const renamed = last.answer.rows.map(
      (row): ListingRow => ({ ...row, item: tree(page(9)) })
    )
    expect(
      joinChains([first, second, { ...last, answer: { ...last.answer, rows: renamed } }])
    ).toEqual([])
    const moved = last.answer.rows.map(
      (row): ListingRow => ({ ...row, slot: `${row.slot}0` })
    )
    expect(
      joinChains([first, second, { ...last, answer: { ...last.answer, rows: moved } }])
    ).toEqual([])
    const sized = {
      ...last,
      request: { ...last.request, limit: { ...last.request.limit, sent: '3' } }
    }
    expect(joinChains([first, second, sized])).toEqual([])
  })
})

describe('what stands around pages', () => {
  const framed = (more: object, beside: object = {}) =>
    tree({ continue: {}, ...beside, query: { pages: {}, ...more } })
  const inFrame = (one: Batch, more: object): Batch => ({
    ...one,
    answer: { ...one.answer, frame: framed({}, more) }
  })

  it('is nothing where there are but pages and their ids', () => {
    expect(isOnlyPages(coreOf(framed({ pageids: [] })))).toBe(true)
    expect(isOnlyPages(coreOf(framed({ normalized: [] })))).toBe(false)
    expect(isOnlyPages(coreOf(framed({}, { limits: {} })))).toBe(false)
    expect(isOnlyPages(coreOf(framed({}, { limits: { pages: 1 } })))).toBe(false)
  })

  it('is repeated where recorded parts show it, or where there is nothing', () => {
    const whole = (...all: readonly Batch[]): Batch => ({
      ...first,
      ...all[0],
      answers: all
    })
    const one = inFrame(first, { limits: { a: 1 } })
    const other = inFrame(second, { limits: { a: 1 } })
    expect(repeatsSurroundings([first, last])).toBe(true)
    expect(repeatsSurroundings([one])).toBe(false)
    expect(repeatsSurroundings([whole(one, other)])).toBe(true)
    expect(repeatsSurroundings([one, whole(one, other)])).toBe(true)
    expect(repeatsSurroundings([whole(one, other), whole(one, second)])).toBe(false)
    expect(repeatsSurroundings([whole(one, second, other)])).toBe(false)
  })
})

const rows = (...counts: readonly number[]): readonly ListingRow[] =>
  counts.map((count, at) => ({
    item: tree(
      page(
        at,
        count < 0 ? {} : cats(...Array.from({ length: count }, (_, nth) => `C${nth}`))
      )
    ),
    slot: String(at)
  }))

describe('rows of props', () => {
  const asked = (query: string): Batch['request'] =>
    batch(query, { query: { pages: {}, allpages: [] } }).request
  const fits = (
    some: readonly ListingRow[],
    recorded: readonly Batch[] = [],
    except?: string
  ): boolean => propsFit(first.request, some, recorded, facts.lookup, except)

  it('have the limit that was sent, the usual one, or the most that there is', () => {
    const limits = (more: string): unknown =>
      limitedProps(
        asked(`generator=allpages&prop=info|categories|links${more}`),
        facts.lookup
      ).map(({ module, rows: limit }) => `${module} ${limit}`)
    expect(limits('&cllimit=7')).toEqual(['categories 7', 'links 10'])
    expect(limits('&cllimit=max&pllimit=9999')).toEqual(['categories 500', 'links 500'])
    expect(limitedProps(asked('generator=allpages'), facts.lookup)).toEqual([])
  })

  it('fit up to their limit, and those of a list always', () => {
    expect([
      fits(rows(2, 0)),
      fits(rows(2, 1)),
      fits(rows(2, 1), [], 'categories')
    ]).toEqual([true, false, true])
    // Pages without any rows may each hold one that is no array.
    expect([fits(rows(-1, -1)), fits(rows(-1, -1, -1))]).toEqual([true, false])
    expect(
      propsFit(asked('list=allpages&prop=categories'), rows(9), [], facts.lookup)
    ).toBe(true)
  })

  it('fit beyond it where one recorded answer has held as many', () => {
    const held = (...counts: readonly number[]): Batch => ({
      ...first,
      answer: { ...first.answer, rows: rows(...counts) }
    })
    expect(fits(rows(2, 2), [held(4)])).toBe(true)
    expect(fits(rows(2, 2), [held(3)])).toBe(false)
    expect(fits(rows(2, 2), [{ ...held(4), answers: [first, second] }])).toBe(false)
    expect(fits(rows(2, 2), [held(-1, -1, -1, -1)])).toBe(false)
    expect(fits(rows(-1, -1, -1), [held(-1, -1, -1)])).toBe(true)
  })
})

describe('rows of props with texts', () => {
  it('cost more where texts are asked for', () => {
    const costs = (query: string): boolean => {
      const params = new Map(new URLSearchParams(`action=query&${query}`))
      const driver = driverOf(params, facts.lookup)
      if (typeof driver === 'string') throw new Error(driver)
      return isCostly(params, driver)
    }
    expect(costs('list=allrevisions')).toBe(false)
    expect(costs('list=allrevisions&arvprop=ids|flags')).toBe(false)
    expect(costs('list=allrevisions&arvprop=ids|content')).toBe(true)
    expect(costs('list=allrevisions&arvprop=content&arvparse=')).toBe(true)
    // Without texts they are no work for the wiki (measured on 1.35, 1.39 and 1.43).
    for (const idle of ['parse', 'expandtemplates', 'generatexml'])
      expect(costs(`list=allrevisions&arv${idle}=`)).toBe(false)
    expect(costs('titles=A&prop=extracts')).toBe(true)
    expect(costs('titles=A&prop=extracts&exintro=')).toBe(false)
  })

  it('are taken out of their page with what stands behind them noted', () => {
    const membersBehind = new Set<string>()
    const taken = extractRows(
      tree({ a: 1, rows: [2], b: 3, c: 4 }),
      'rows',
      membersBehind
    )
    expect([
      writeCompact(taken.page, 'utf8'),
      taken.items.map(cursorText),
      [...membersBehind]
    ]).toEqual(['{"a":1,"b":3,"c":4}', ['2'], ['b', 'c']])
    expect(extractRows(taken.page, 'rows', membersBehind).items).toEqual([])
    expect(extractRows(tree({ rows: [2] }), 'rows', membersBehind).items).toHaveLength(1)
  })
})
