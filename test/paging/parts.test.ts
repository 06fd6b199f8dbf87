/** What listings are read, ordered and placed by, one rule each at its edge. */
import { describe, expect, it } from 'vitest'
import { readJson } from '../../src/json/read.ts'
import type { JsonTree } from '../../src/json/tree.ts'
import { boundsOf, firstNotLess, startKey } from '../../src/paging/placing/by-name.ts'
import { cutAnswer } from '../../src/paging/reading/cut.ts'
import { type Driver, driverOf } from '../../src/paging/reading/driver.ts'
import { readListingRequest } from '../../src/paging/reading/listing-request.ts'
import { compareUtf8, compareValues } from '../../src/paging/rules/row-order.ts'
import { filledRule, keyText, predictText, ruleOf } from '../../src/paging/rules/rule.ts'
import { shippedLookup } from '../../src/wiki/shipped.ts'

const lookup = shippedLookup('MediaWiki 1.43.9')
const tree = (value: unknown): JsonTree => {
  const reading = readJson(typeof value === 'string' ? value : JSON.stringify(value))
  if (!reading.ok) throw new Error(reading.fault.message)
  return reading.tree
}
const paramsOf = (query: string): ReadonlyMap<string, string> =>
  new Map(new URLSearchParams(`action=query&${query}`))

describe('the driver of a request', () => {
  it.each([
    ['list=allpages', 'list allpages'],
    ['list=allpages|allusers', 'several lists in one request'],
    ['list=allpages&titles=A', 'list allpages'],
    ['list=allpages&titles=A&prop=info', 'several lists in one request'],
    ['list=allpages&pageids=1&prop=info', 'several lists in one request'],
    ['generator=allpages&prop=info', 'generator allpages'],
    ['generator=allpages&list=allusers', 'a generator together with a list'],
    ['generator=allpages&titles=A', 'generator allpages'],
    ['titles=A&prop=links', 'prop links'],
    ['titles=A&prop=info|links', 'prop links'],
    ['titles=A&prop=links|categories', 'not one single prop module that pages its rows'],
    ['titles=A&prop=info', 'not one single prop module that pages its rows'],
    ['prop=links', 'no list, no generator, no pages'],
    ['meta=siteinfo', 'no list, no generator, no pages'],
  ])('%s: %s', (query, told) => {
    const driver = driverOf(paramsOf(query), lookup)
    expect(typeof driver === 'string' ? driver : `${driver.kind} ${driver.module}`).toBe(told)
  })

  it('is none of another action', () => {
    expect(driverOf(new Map([['action', 'parse']]), lookup)).toBe('only action=query has listings')
  })
})

const driver = (query: string): Driver => {
  const found = driverOf(paramsOf(query), lookup)
  if (typeof found === 'string') throw new Error(found)
  return found
}

describe('where a listing begins', () => {
  const fromOf = (query: string): unknown => {
    const request = readListingRequest(paramsOf(query), new Map(), lookup, new Set())
    return typeof request === 'string' ? request : [request.from, [...request.cursor]]
  }

  it.each([
    ['list=allpages', [undefined, []]],
    ['list=allpages&apfrom=B', ['B', []]],
    ['list=allpages&apcontinue=B', [undefined, [['apcontinue', 'B']]]],
    ['list=allpages&apfrom=B&apcontinue=C', ['B', [['apcontinue', 'C']]]],
    ['list=logevents&lestart=2020-01-01T00:00:00Z', [undefined, []]],
  ])('%s', (query, place) => {
    expect(fromOf(query)).toEqual(place)
  })
})

describe('an answer', () => {
  const cut = (query: string, body: unknown): unknown => {
    const taken = cutAnswer(tree(body), driver(query))
    return typeof taken === 'string'
      ? taken
      : [taken.rows.length, taken.next?.values.size, taken.inner?.values.size]
  }
  const [pages, search] = ['list=allpages', 'list=querypage&qppage=Uncategorizedpages'] as const
  const rows = { allpages: [{ title: 'A' }, { title: 'B' }] }

  it.each([
    ['of no object', pages, [], 'the answer is no object'],
    ['that is an error', pages, { error: { code: 'x' } }, 'the answer is an error'],
    ['that is an error in the newer form', pages, { errors: [] }, 'the answer is an error'],
    ['at the end', pages, { query: rows }, [2, undefined, undefined]],
    ['with more', pages, { continue: { apcontinue: 'C', continue: '-||' }, query: rows }, [2, 1, undefined]],
    [
      'with more of another',
      pages,
      { continue: { xcontinue: 'C', continue: '' }, query: rows },
      [2, undefined, 1],
    ],
    [
      'with more in the older form',
      pages,
      { 'query-continue': { allpages: { apcontinue: 'C' } }, query: rows },
      [2, 1, undefined],
    ],
    [
      'with more in both forms',
      pages,
      { continue: { apcontinue: 'C' }, 'query-continue': {}, query: rows },
      'its continue block has a shape of its own',
    ],
    [
      'with more in a shape of its own',
      pages,
      { continue: { apcontinue: ['C'] }, query: rows },
      'its continue block has a shape of its own',
    ],
    ['without rows', pages, { query: {} }, 'no rows of allpages could be told in the answer'],
    [
      'with rows one level deeper',
      search,
      { query: { querypage: { name: 'x', results: [{ title: 'A' }] } } },
      [1, undefined, undefined],
    ],
    [
      'with two lists one level deeper',
      search,
      { query: { querypage: { a: [], b: [] } } },
      'no rows of querypage could be told in the answer',
    ],
    [
      'of pages',
      'generator=allpages',
      { query: { pages: { 7: { title: 'A' }, 9: { title: 'B' } } } },
      [2, undefined, undefined],
    ],
    [
      'of pages with their keys',
      'generator=allpages',
      { query: { pageids: ['7'], pages: { 7: { title: 'A' } } } },
      [1, undefined, undefined],
    ],
    [
      'of pages with other keys',
      'generator=allpages',
      { query: { pageids: ['8'], pages: { 7: { title: 'A' } } } },
      'no rows of allpages could be told in the answer',
    ],
    [
      'of pages with one key more',
      'generator=allpages',
      { query: { pageids: ['7', '8'], pages: { 7: { title: 'A' } } } },
      'no rows of allpages could be told in the answer',
    ],
    [
      'of pages that became others',
      'generator=allpages',
      { query: { redirects: [], pages: {} } },
      'no rows of allpages could be told in the answer',
    ],
    ['of no pages', 'generator=allpages', { batchcomplete: '' }, [0, undefined, undefined]],
    [
      'of revisions by page',
      'list=allrevisions',
      { query: { allrevisions: [{ title: 'A', revisions: [{ revid: 1 }, { revid: 2 }] }] } },
      [2, undefined, undefined],
    ],
    [
      'of revisions, none of a page',
      'list=allrevisions',
      {
        query: {
          allrevisions: [
            { title: 'A', revisions: [] },
            { title: 'B', revisions: [{ revid: 1 }] },
          ],
        },
      },
      'no rows of allrevisions could be told in the answer',
    ],
  ])('%s', (_, query, body, told) => {
    expect(cut(query, body)).toEqual(told)
  })
})

describe('a title to begin at', () => {
  const wanted = { space: '_', capital: true } as const

  it.each([
    ['Волга', wanted, 'Волга'],
    ['волга', wanted, 'Волга'],
    ['волга', { ...wanted, capital: false }, undefined],
    ['Красная площадь', wanted, 'Красная_площадь'],
    ['Красная площадь', { space: ' ', capital: true }, 'Красная площадь'],
    ['Красная площадь', { space: undefined, capital: true }, undefined],
    ['Волга', { space: undefined, capital: true }, 'Волга'],
    ['a_b', wanted, 'A_b'],
    ['ßa', wanted, undefined],
    ['ŉa', wanted, undefined],
    ['ǆa', wanted, undefined],
    ['ａb', wanted, undefined],
    [' A', wanted, undefined],
    ['A_', wanted, undefined],
    ['A  b', wanted, undefined],
    ['A#b', wanted, undefined],
    ['A:b', wanted, undefined],
    ['и\u0306', wanted, undefined],
    ['123', wanted, '123'],
    ['ªb', wanted, 'ªb'],
  ] as const)('%j', (name, spelling, key) => {
    expect(startKey(name, spelling)).toBe(key)
  })

  it('lies at the first that is not less', () => {
    const keys = ['A', 'B', 'B', 'D']
    expect(['', 'A', 'B', 'C', 'D', 'E'].map((one) => firstNotLess(keys, one))).toEqual([0, 0, 1, 3, 3, 4])
    expect(firstNotLess([], 'A')).toBe(0)
  })
})

describe('what narrows a listing', () => {
  const boundsIn = (query: string): unknown => {
    const request = readListingRequest(paramsOf(query), new Map(), lookup, new Set())
    if (typeof request === 'string') throw new Error(request)
    return boundsOf(request, { space: '_', capital: true })
  }

  it.each([
    ['list=allpages', [undefined, undefined, undefined, false]],
    ['list=allpages&apfrom=B&apto=D', [undefined, 'B', 'D', false]],
    ['list=allpages&apfrom=D&apto=B&apdir=descending', [undefined, 'B', 'D', true]],
    ['list=allpages&apprefix=b&apdir=ascending', ['B', undefined, undefined, false]],
    ['list=allpages&apdir=newer', undefined],
    ['list=allpages&apto=B%23', undefined],
  ])('%s', (query, told) => {
    const [prefix, low, high, descending] = told ?? []
    expect(boundsIn(query)).toEqual(told && { prefix, low, high, descending })
  })
})

describe('the order of the database', () => {
  it.each([
    ['A', 'A', 0],
    ['A', 'AB', -1],
    ['AB', 'A', 1],
    ['A', 'B', -1],
    ['z', 'я', -1],
    ['\uffee', '\u{10000}', -1],
    ['\ud7ff', '\u{1f600}', -1],
    ['\ue000', '\u{10ffff}', -1],
    ['\u{10000}', '\u{10001}', -1],
  ])('of %j and %j', (a, b, order) => {
    expect([Math.sign(compareUtf8(a, b)), Math.sign(compareUtf8(b, a))]).toEqual([order, -order || 0])
    expect(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)))).toBe(order)
  })

  const [title, id, kind] = [ruleOf(['title:db-key']), ruleOf(['pageid']), ruleOf(["'x'", 'pageid'])]
  it.each([
    ['numbers', id, '9', '10', -1],
    ['the digit nine', id, '9', '80', -1],
    ['the digit nought', id, '0', '1', -1],
    ['digits in titles', title, '9', '10', 1],
    ['a number and a text', id, '9', 'a', -1],
    ['kinds of members', id, 'page', 'subcat', -1],
    ['kinds the other way round', id, 'file', 'subcat', 1],
    ['a kind and what is none', id, 'page', 'other', 1],
    ['the second part', kind, 'x|9', 'x|10', -1],
    ['the first part before the second', kind, 'y|9', 'x|10', 1],
    ['the same', kind, 'x|1', 'x|1', 0],
  ])('in %s', (_, rule, a, b, order) => {
    expect([Math.sign(compareValues(a, b, rule)), Math.sign(compareValues(b, a, rule))]).toEqual([
      order,
      -order || 0,
    ])
  })
})

describe('a rule', () => {
  const item = tree({
    pageid: 7,
    ns: 1,
    title: 'Обсуждение:Красная площадь',
    timestamp: '2020-01-02T03:04:05Z',
  })
  const page = tree({ pageid: 9, ns: 0, title: 'A: b', index: 3 })

  it.each([
    [['pageid'], '7'],
    [['page.pageid', 'pageid'], '9|7'],
    [['title'], 'Обсуждение:Красная площадь'],
    [['title:db-key'], 'Обсуждение:Красная_площадь'],
    [['title:db-key-without-namespace'], 'Красная_площадь'],
    [['page.title:db-key-without-namespace'], 'A:_b'],
    [['timestamp:digits-of-time'], '20200102030405'],
    [['title:digits-of-time'], undefined],
    [['ns:category-type'], 'page'],
    [['pageid:db-key'], undefined],
    [["'x'", 'pageid'], 'x|7'],
    [['#'], undefined],
    [['?'], undefined],
    [['gone'], undefined],
    [['pageid&page.pageid'], undefined],
    [["pageid&'7'"], '7'],
    [["pageid&'8'"], undefined],
  ])('%j of a row predicts %j', (parts, text) => {
    expect(predictText(ruleOf(parts), { item, page })).toBe(text)
  })

  it('that counts needs a count', () => {
    expect([predictText(ruleOf(['#']), { item }), predictText(ruleOf(['#']), { item }, 0)]).toEqual([
      undefined,
      '0',
    ])
  })

  it.each([
    [['title'], ['itself'], 'Обсуждение:Красная площадь'],
    [['title:db-key'], ['itself'], undefined],
    [['title:db-key', 'pageid'], ['db-key'], 'Обсуждение:Красная_площадь'],
    [['pageid'], ['itself'], undefined],
    [["'x'"], ['itself'], undefined],
    [['page.title'], ['itself'], undefined],
  ] as const)('%j begins with a text in %j: %j', (parts, spelled, text) => {
    expect(keyText(ruleOf(parts), { item, page }, spelled)).toBe(text)
  })

  describe('with parts that rows share', () => {
    const boundary = (value: unknown, user: string): Parameters<typeof filledRule>[1][number] => ({
      value: tree(JSON.stringify(value)),
      subject: { item: tree({ user, pageid: 1 }) },
    })
    const told = (rule: ReturnType<typeof ruleOf>, ...all: Parameters<typeof filledRule>[1]): unknown => {
      const filled = filledRule(rule, all)
      return filled && ['А', 'Б'].map((user) => predictText(filled, { item: tree({ user, pageid: 5 }) }))
    }

    it.each([
      ['says what was said of the same', [boundary('7|1', 'А')], ['7|5', undefined]],
      ['of each', [boundary('7|1', 'А'), boundary('8|1', 'Б')], ['7|5', '8|5']],
      ['is contradicted by two of one', [boundary('7|1', 'А'), boundary('8|1', 'А')], undefined],
      ['is contradicted in another part', [boundary('7|2', 'А')], undefined],
      ['is contradicted by a part more', [boundary('7|1|1', 'А')], undefined],
      ['is contradicted by a number', [boundary(7, 'А')], undefined],
    ])('%s', (_, boundaries, texts) => {
      expect(told(ruleOf(['?user', 'pageid']), ...boundaries)).toEqual(texts)
    })
  })
})
