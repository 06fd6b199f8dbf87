import { describe, expect, test } from 'vitest'
import {
  jsonLiteral,
  jsonObject,
  jsonString
} from '../../../src/recorder/json/json-tree.ts'
import { minorOf } from '../../../src/recorder/knowledge/data-file.ts'
import type { ListingFact } from '../../../src/recorder/knowledge/listing-facts.ts'
import {
  predictText,
  refineRule
} from '../../../src/recorder/paging/rules/continue-rule.ts'
import {
  knownListing,
  startsThatContinue
} from '../../../src/recorder/paging/rules/known-rules.ts'
import type { WikiFacts } from '../../../src/recorder/request/derive.ts'
import { bundledLookup } from '../../../src/recorder/wiki/modules/module-descriptions.ts'

const factsOf = (generator: string): WikiFacts => ({
  lookup: () => undefined,
  site: { generator, lang: 'ru', namespaces: [] }
})
const asked = (
  kind: 'list' | 'generator' | 'prop',
  module: string,
  prefix: string,
  params: object = {}
) => ({
  kind,
  module,
  prefix,
  formatVersion: '1',
  pages: [],
  params: new Map<string, string>(Object.entries(params))
})
const page = (title: string, pageid: number) =>
  jsonObject([
    ['pageid', jsonLiteral(pageid)],
    ['ns', jsonLiteral(0)],
    ['title', jsonString(title)]
  ])

describe('what is known of a version', () => {
  test('holds on proven versions, between two that agree, and outside where it held in all', () => {
    for (const version of ['1.25.4', '1.30.0', '1.43.9', '1.45.0', '1.19.1']) {
      const known = knownListing(
        asked('list', 'allpages', 'ap'),
        factsOf(`MediaWiki ${version}`)
      )
      expect(known?.param).toBe('apcontinue')
      expect(known && predictText(known.rule, { item: page('B side', 7) })).toBe('B_side')
    }
  })

  test('is left out with --trust learned', () => {
    const facts = { ...factsOf('MediaWiki 1.43.9'), trust: 'learned' } as const
    expect(knownListing(asked('list', 'allpages', 'ap'), facts)).toBeUndefined()
  })

  test('is not believed for an order that it does not name', () => {
    const known = knownListing(
      asked('list', 'allpages', 'ap', { apsort: 'size' }),
      factsOf('MediaWiki 1.43.9')
    )
    expect(known).toBeUndefined()
  })

  test('says nothing of a value in which versions on either side differ', () => {
    const known = knownListing(
      asked('list', 'alllinks', 'al'),
      factsOf('MediaWiki 1.41.0')
    )
    expect(known && predictText(known.rule, { item: page('B side', 7) })).toBeUndefined()
  })

  test('one boundary tells what rows of the same user hide, and contradicts what is wrong', () => {
    const known = knownListing(
      asked('list', 'usercontribs', 'uc', { ucuser: 'Bob|Eve' }),
      factsOf('MediaWiki 1.43.9')
    )
    const row = (user: string, revid: number) =>
      jsonObject([
        ['user', jsonString(user)],
        ['revid', jsonLiteral(revid)],
        ['timestamp', jsonString('2020-01-01T00:00:00Z')]
      ])
    const told = {
      value: jsonString('actor|3|20200101000000|9'),
      row: { item: row('Bob', 9) }
    }
    const rule = known && refineRule(known.rule, [told])
    expect(rule && predictText(rule, { item: row('Bob', 8) })).toBe(
      'actor|3|20200101000000|8'
    )
    expect(rule && predictText(rule, { item: row('Eve', 8) })).toBeUndefined()
    const other = {
      value: jsonString('actor|3|20200101000000|10'),
      row: { item: row('Bob', 9) }
    }
    expect(known && refineRule(known.rule, [other])).toBeUndefined()
  })

  test('one boundary tells nothing of rows that do not show whose they are', () => {
    const known = knownListing(
      asked('list', 'alllinks', 'al', { alprop: 'ids' }),
      factsOf('MediaWiki 1.43.9')
    )
    const row = (fromid: number) => jsonObject([['fromid', jsonLiteral(fromid)]])
    const told = { value: jsonString('31|9'), row: { item: row(9) } }
    const rule = known && refineRule(known.rule, [told])
    expect(rule).toBeDefined()
    expect(rule && predictText(rule, { item: row(12) })).toBeUndefined()
  })

  test('versions are compared as numbers', () => {
    expect(minorOf('MediaWiki 1.9.3')).toBeLessThan(minorOf('MediaWiki 1.25.4') ?? 0)
    expect(minorOf('a fork')).toBeUndefined()
  })
})

describe('the pages of a generator', () => {
  const orders = (
    module: string,
    prefix: string,
    params: object,
    formatVersion: string
  ) => {
    const known = knownListing(
      { ...asked('generator', module, prefix, params), formatVersion },
      factsOf('MediaWiki 1.43.9')
    )
    return known && [known.orders, known.pages]
  }

  test('are written by number in formatversion 2, whatever they are sorted by', () => {
    expect(orders('allcategories', 'gac', {}, '1')).toEqual([
      ['title'],
      ['rows', 'title']
    ])
    expect(orders('allcategories', 'gac', {}, '2')).toEqual([['title'], ['id']])
    expect(orders('allcategories', 'gac', { gacdir: 'descending' }, '2')).toEqual([
      ['title-down'],
      ['id']
    ])
    expect(orders('allcategories', 'gac', { gacdir: 'ascending' }, '2')).toBeUndefined()
  })
})

const fact = (more: Partial<ListingFact>): ListingFact => ({
  kind: 'list',
  module: 'm',
  on: ['1.43'],
  proven: { '1.43': 5 },
  param: 'continue',

  when: {},
  value: ['title'],
  order: ['wire'],
  ...more
})

const holds = (
  one: Partial<ListingFact>,
  by: Partial<Parameters<typeof knownListing>[0]>
): boolean =>
  knownListing(
    { ...asked(one.kind ?? 'list', 'm', 'x'), ...by },
    { ...factsOf('MediaWiki 1.43.9'), known: [fact(one)] }
  ) !== undefined

const params = (sent: object): { params: Map<string, string> } => ({
  params: new Map(Object.entries(sent))
})

describe('a fact', () => {
  test('holds where its parameters are as they were when it was proven', () => {
    const under = (wanted: string, sent: object): boolean =>
      holds({ when: { dir: wanted } }, params(sent))
    expect([under('', {}), under('', { xdir: 'up' }), under('', { dir: 'up' })]).toEqual([
      true,
      false,
      true
    ])
    expect([
      under('*', {}),
      under('*', { xdir: 'up' }),
      under('*', { xdir: '' })
    ]).toEqual([false, true, true])
    expect([under('|', { xdir: 'a|b' }), under('|', { xdir: 'a' })]).toEqual([
      true,
      false
    ])
    expect([
      under('up', { xdir: 'up' }),
      under('up', { xdir: 'down' }),
      under('up', {})
    ]).toEqual([...[true, false, false]])
    expect(holds({}, params({ xsort: 'size' }))).toBe(false)
    expect(holds({}, params({ xother: 'size' }))).toBe(true)
  })

  test('holds in its format alone, where it has one', () => {
    expect(holds({ formatversion: '2' }, { formatVersion: '1' })).toBe(false)
    expect(holds({ formatversion: '2' }, { formatVersion: '2' })).toBe(true)
    const pages = (formatversion: object) =>
      knownListing(
        { ...asked('generator', 'm', 'x'), formatVersion: '2' },
        {
          ...factsOf('MediaWiki 1.43.9'),
          known: [
            fact({
              kind: 'generator',
              order: ['wire', 'id'],
              pages: ['title'],
              ...formatversion
            })
          ]
        }
      )
    // Proven in that very format, the order is what was seen; elsewhere pages come by number, which shows no other order.
    expect([
      pages({ formatversion: '2' })?.orders,
      pages({ formatversion: '2' })?.pages
    ]).toEqual([['wire', 'id'], ['title']])
    expect([pages({})?.orders, pages({})?.pages]).toEqual([['id'], ['id']])
  })
})

describe('a fact about pages', () => {
  test('of one page holds of one page, however many values lead to it', () => {
    const one = { kind: 'prop', when: { titles: '1' } } as const
    const several = { kind: 'prop', when: { titles: '|' } } as const
    const invalid = jsonObject([
      ['title', jsonString('<bad>')],
      ['invalid', jsonString('')]
    ])
    const unknownId = jsonObject([
      ['pageid', jsonLiteral(99)],
      ['missing', jsonString('')]
    ])
    for (const pages of [
      [page('A', 1)],
      [page('A', 1), invalid, unknownId],
      [page('A', 1), page('A', 1)]
    ]) {
      const by = { ...params({ titles: 'A|<bad>|:A' }), pages }
      expect([holds(one, by), holds(several, by)]).toEqual([true, false])
    }
    const two = { ...params({ pageids: '1|2' }), pages: [page('A', 1), page('B', 2)] }
    expect([holds(one, two), holds(several, two)]).toEqual([false, true])
    const generated = {
      ...params({ generator: 'allpages' }),
      pages: [page('A', 1), page('B', 2)]
    }
    expect(holds(one, generated)).toBe(false)
    expect(holds({ kind: 'prop', when: { titles: '|' } }, generated)).toBe(true)
  })

  test('of pages in one namespace does not hold where two lie in several, or have one name', () => {
    const one = { kind: 'prop', when: { namespaces: 'one' } } as const
    const of = (...titles: readonly string[]): boolean =>
      holds(one, {
        pages: titles.map((title) =>
          jsonObject([
            ['ns', jsonLiteral(title.startsWith('T:') ? 1 : 0)],
            ['title', jsonString(title)]
          ])
        )
      })
    expect([
      of('A', 'B'),
      of('T:A', 'T:B'),
      of('A', 'T:B'),
      of('A', 'T:A'),
      of('T:A', 'T:A')
    ]).toEqual([...[true, true, false, false, true]])
  })
})

test('parameters that go on though they are called a start are those of users and of versions of a file', () => {
  const facts = {
    ...factsOf('MediaWiki 1.43.9'),
    lookup: bundledLookup('MediaWiki 1.43.9')
  }
  expect([...new Set(startsThatContinue(facts))]).toEqual(['aufrom', 'iistart'])
  expect(startsThatContinue(factsOf('MediaWiki 1.43.9'))).toEqual([])
  expect(startsThatContinue({ ...facts, trust: 'learned' })).toEqual([])
})
