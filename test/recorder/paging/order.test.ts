/** In which order rows stand, and what an answer is cut into: each rule by itself. */
import { describe, expect, it } from 'vitest'
import {
  type JsonTree,
  memberOf,
  numberOf,
  textOf
} from '../../../src/recorder/json/json-tree.ts'
import { readJson } from '../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import { readListings } from '../../../src/recorder/paging/joining/listings.ts'
import type { Batch } from '../../../src/recorder/paging/reading/batch.ts'
import type { Driver } from '../../../src/recorder/paging/reading/driver.ts'
import type { ListingRow } from '../../../src/recorder/paging/reading/row.ts'
import { splitAnswer } from '../../../src/recorder/paging/reading/split-answer.ts'
import { parseRule } from '../../../src/recorder/paging/rules/continue-rule.ts'
import {
  compareUtf8,
  compareValues,
  inResponseOrder,
  isGrouped,
  isOrdered,
  pagesInResponse,
  rowOrders,
  rowsInOrder
} from '../../../src/recorder/paging/rules/row-order.ts'
import { facts, lettersWiki } from './fake-wiki.ts'

function tree(text: string): JsonTree {
  const read = readJson(text)
  if (!read.ok) throw new Error(text)
  return read.tree
}

const letters = lettersWiki()
const [listing] = readListings(
  [letters.record(letters.partAt(0, 4, 'continue'))],
  facts
).all()
const batchOf = (kind: Driver['kind'], rows: readonly ListingRow[]): Batch => {
  const batch = listing?.batches[0]
  if (batch === undefined) throw new Error('expected a batch')
  const driver = { ...batch.request.driver, kind }
  return {
    ...batch,
    request: { ...batch.request, driver },
    answer: { ...batch.answer, rows }
  }
}
const row = (item: string, slot = '', page?: string): ListingRow => ({
  item: tree(item),
  slot,
  ...(page === undefined ? {} : { page: tree(page) })
})
const titlesOf = (rows: readonly ListingRow[] | undefined): unknown =>
  rows?.map(({ item }) => textOf(memberOf(item, 'title')))
const idsOf = (rows: readonly ListingRow[] | undefined): unknown =>
  rows?.map(({ item }) => numberOf(memberOf(item, 'revid')))

describe('texts', () => {
  it('stand in the order of code points', () => {
    const sorted = [
      '',
      'A',
      'AB',
      'a',
      'é',
      'я',
      '\ud7ff',
      '\ue000',
      '\uffff',
      '\u{10000}',
      '\u{103fe}',
      '\u{103ff}',
      '\u{10ffff}'
    ]
    expect(sorted.toReversed().sort(compareUtf8)).toEqual(sorted)
    expect(compareUtf8('AB', 'AB')).toBe(0)
  })
})

describe('continue values', () => {
  it('are compared as numbers where they are numbers, and as text where they are titles', () => {
    expect(compareValues('9', '10', parseRule(['pageid']))).toBeLessThan(0)
    expect(compareValues('9', '10', parseRule(['title:db-key']))).toBeGreaterThan(0)
    expect(compareValues('9', '1a', parseRule(['pageid']))).toBeGreaterThan(0)
    expect(compareValues('9a', '10', parseRule(['pageid']))).toBeGreaterThan(0)
    expect(compareValues('9', '80', parseRule(['pageid']))).toBeLessThan(0)
    expect(compareValues('0', '1', parseRule(['pageid']))).toBeLessThan(0)
    expect(compareValues('10', '10', parseRule(['pageid']))).toBe(0)
    expect(compareValues(':', '10', parseRule(['pageid']))).toBeGreaterThan(0)
  })

  it('are compared part by part, the first that differs telling', () => {
    const rule = parseRule(['ns', 'title:db-key', 'pageid'])
    expect(compareValues('2|B|5', '10|A|5', rule)).toBeLessThan(0)
    expect(compareValues('2|9|5', '2|10|5', rule)).toBeGreaterThan(0)
    expect(compareValues('2|B|9', '2|B|10', rule)).toBeLessThan(0)
    expect(compareValues('2|B|9', '2|B|9', rule)).toBe(0)
  })

  it('have kinds of members in the order of the database', () => {
    const rule = parseRule(['ns:category-type', 'pageid'])
    const sorted = ['page|9', 'page|10', 'subcat|1', 'file|1']
    expect(sorted.toReversed().sort((a, b) => compareValues(a, b, rule))).toEqual(sorted)
    expect(compareValues('file|1', 'page|1', rule)).toBeGreaterThan(0)
    // One that is not a kind is compared as text.
    expect(compareValues('page|1', 'other|1', rule)).toBeGreaterThan(0)
    expect(compareValues('other|1', 'page|1', rule)).toBeLessThan(0)
  })
})

describe('the rows of a batch', () => {
  const grouped = row('{"revid":1}', '', '{"pageid":1}')
  const elsewhere = row('{"revid":2}', '', '{"pageid":2}')
  const samePage = { ...row('{"revid":2}'), ...(grouped.page && { page: grouped.page }) }

  it('may stand in orders by the kind of what lists them', () => {
    const bare = row('{"title":"A"}')
    expect(rowOrders([batchOf('generator', [bare])])).toEqual([
      'index',
      'wire',
      'title',
      'id'
    ])
    expect(rowOrders([batchOf('prop', [bare])])).toEqual(['wire', 'id'])
    expect(rowOrders([batchOf('list', [bare])])).toEqual(['wire'])
    expect(rowOrders([batchOf('list', [bare]), batchOf('list', [grouped])])).toEqual([
      'wire',
      'newest',
      'oldest'
    ])
    expect(isGrouped(batchOf('prop', [grouped]))).toBe(false)
  })

  it('cannot be mistaken where there is one, in a plain list, or on one page', () => {
    const two = [row('{"title":"A"}'), row('{"title":"B"}')]
    expect(isOrdered(batchOf('generator', two.slice(1)))).toBe(true)
    expect(isOrdered(batchOf('generator', two))).toBe(false)
    expect(isOrdered(batchOf('list', two))).toBe(true)
    expect(isOrdered(batchOf('list', [grouped, elsewhere]))).toBe(false)
    expect(isOrdered(batchOf('list', [grouped, samePage]))).toBe(true)
    expect(isOrdered(batchOf('prop', [grouped, elsewhere]))).toBe(false)
    expect(isOrdered(batchOf('prop', [grouped, samePage]))).toBe(true)
    expect(isOrdered(batchOf('generator', [grouped, samePage]))).toBe(false)
  })

  it('are sorted by what they show, in either direction', () => {
    const at = (time: string, revid: number): ListingRow =>
      row(
        `{"revid":${revid},"timestamp":"2020-01-0${time}T00:00:00Z"}`,
        '',
        '{"pageid":7}'
      )
    const batch = batchOf('list', [at('2', 9), at('1', 3), at('2', 10)])
    expect(idsOf(rowsInOrder(batch, 'wire'))).toEqual([9, 3, 10])
    expect(idsOf(rowsInOrder(batch, 'oldest'))).toEqual([3, 9, 10])
    expect(idsOf(rowsInOrder(batch, 'newest'))).toEqual([10, 9, 3])
    expect(rowsInOrder(batch, 'title')).toBeUndefined()
    const pages = batchOf('generator', [
      row('{"ns":0,"title":"B","pageid":1}'),
      row('{"ns":0,"title":"A","pageid":2}')
    ])
    expect(titlesOf(rowsInOrder(pages, 'title'))).toEqual(['A', 'B'])
    expect(titlesOf(rowsInOrder(pages, 'title-down'))).toEqual(['B', 'A'])
    expect(titlesOf(rowsInOrder(pages, 'id'))).toEqual(['B', 'A'])
    expect(titlesOf(rowsInOrder(pages, 'id-down'))).toEqual(['A', 'B'])
    expect(rowsInOrder(pages, 'index')).toBeUndefined()
    // Rows of one page stand on it as they are.
    const on = (id: number, revid: number): ListingRow =>
      row(`{"revid":${revid}}`, '', `{"pageid":${id}}`)
    const batches = batchOf('prop', [on(5, 2), on(5, 9), on(5, 1), on(4, 7)])
    expect(idsOf(rowsInOrder(batches, 'id'))).toEqual([7, 2, 9, 1])
    expect(idsOf(rowsInOrder(batches, 'id-down'))).toEqual([2, 9, 1, 7])
  })
})

describe('the pages of a generator as written', () => {
  const b = row('{"pageid":1,"ns":0,"title":"B"}', '1')
  const a = row('{"pageid":2,"ns":0,"title":"A"}', '2')
  const gone = (ns: number, title: string, slot: string): ListingRow =>
    row(`{"ns":${ns},"title":"${title}","missing":""}`, slot)

  it('are there once, missing ones first, by namespace, numbered from -1 on', () => {
    const rows = [
      b,
      gone(0, 'X', '-1'),
      a,
      b,
      gone(4, 'P:Y', '-1'),
      gone(0, 'Z', '-2'),
      gone(0, 'X', '-9')
    ]
    const written = inResponseOrder(rows, 'rows')
    expect(titlesOf(written)).toEqual(['X', 'Z', 'P:Y', 'B', 'A'])
    expect(written?.map(({ slot }) => slot)).toEqual(['-1', '-2', '-3', '1', '2'])
    expect(titlesOf(inResponseOrder([a, b], 'id'))).toEqual(['B', 'A'])
    expect(titlesOf(inResponseOrder([b, a], 'title'))).toEqual(['A', 'B'])
    expect(
      titlesOf(inResponseOrder([gone(0, 'X', ''), gone(0, 'Y', '')], 'rows'))
    ).toEqual(['Y', 'X'])
  })

  it('are certain where all orders that hold agree', () => {
    expect(titlesOf(pagesInResponse(['rows', 'title'], [a, b]))).toEqual(['A', 'B'])
    expect(pagesInResponse(['rows', 'id'], [a, b])).toBeUndefined()
    expect(titlesOf(pagesInResponse(['id'], [a, b]))).toEqual(['B', 'A'])
    expect(pagesInResponse([], [a])?.map(({ slot }) => slot)).toEqual(['2'])
    expect(
      pagesInResponse(['id'], [gone(0, 'X', '-5')])?.map(({ slot }) => slot)
    ).toEqual(['-1'])
  })
})

const driver = (kind: Driver['kind'], module = 'allpages', prefix = 'ap'): Driver => {
  const description = facts.lookup(`query+${module}`)
  if (description === undefined) throw new Error(module)
  return { kind, module, prefix, description }
}

const cut = (text: string, of = driver('list')): ReturnType<typeof splitAnswer> =>
  splitAnswer(tree(text), of)

const rowsOf = (text: string, of = driver('list')): number | string => {
  const said = cut(text, of)
  return typeof said === 'string' ? said : said.rows.length
}

const none = 'no rows of allpages were found in the answer'

describe('an answer taken apart', () => {
  it('is none where it is no object, or an error', () => {
    expect(cut('[]')).toBe('the answer is not an object')
    expect(cut('{"error":{},"query":{"allpages":[]}}')).toBe('the answer is an error')
    expect(cut('{"errors":[],"query":{"allpages":[]}}')).toBe('the answer is an error')
  })

  it('has its own continue values and those of others, in either dialect', () => {
    const values = (said: ReturnType<typeof splitAnswer>): unknown =>
      typeof said === 'string'
        ? said
        : [said.next, said.inner].map(
            (one) => one && [[...one.values.keys()], one.plainContinue]
          )
    const query = '"query":{"allpages":[{}]}'
    expect(
      values(
        cut(
          `{"continue":{"apcontinue":"B","clcontinue":"1|X","continue":"-||"},${query}}`
        )
      )
    ).toEqual([
      [['apcontinue'], '-||'],
      [['clcontinue'], '-||']
    ])
    expect(
      values(cut(`{"query-continue":{"allpages":{"apcontinue":"B"}},${query}}`))
    ).toEqual([[['apcontinue'], undefined], undefined])
    expect(values(cut(`{"continue":{"apother":"B","continue":""},${query}}`))).toEqual([
      undefined,
      [['apother'], '']
    ])
    expect(values(cut(`{${query}}`))).toEqual([undefined, undefined])
  })

  it('is none where its continue block has an unknown shape', () => {
    const own = 'its continue block has an unknown shape'
    const query = '"query":{"allpages":[]}'
    expect(cut(`{"continue":{"apcontinue":"B"},"query-continue":{},${query}}`)).toBe(own)
    expect(cut(`{"continue":{"apcontinue":["B"]},${query}}`)).toBe(own)
    expect(cut(`{"continue":{"apcontinue":{"a":"B"}},${query}}`)).toBe(own)
  })
})

describe('an answer taken apart into rows', () => {
  it('of a list has one array of rows, at most one level deeper', () => {
    expect(rowsOf('{"query":{"allpages":[{},{}]}}')).toBe(2)
    expect(rowsOf('{"query":{"allpages":{"name":"x","results":[{}]}}}')).toBe(1)
    expect(rowsOf('{"query":{"allpages":{"a":[{}],"b":[{}]}}}')).toBe(none)
    expect(rowsOf('{"query":{"allpages":{"a":1}}}')).toBe(none)
    expect(rowsOf('{"query":{}}')).toBe(none)
  })

  it('of a list grouped by pages has rows on each of them', () => {
    expect(
      rowsOf(
        '{"query":{"allpages":[{"title":"A","revisions":[{},{}]},{"revisions":[{}]}]}}'
      )
    ).toBe(3)
    expect(rowsOf('{"query":{"allpages":[{"revisions":[{}]},{"title":"A"}]}}')).toBe(none)
    expect(rowsOf('{"query":{"allpages":[{"revisions":[{}]},{"revisions":[]}]}}')).toBe(
      none
    )
  })

  it('of a generator has pages, and nothing that became another page', () => {
    const of = driver('generator', 'allpages', 'gap')
    expect(rowsOf('{"batchcomplete":""}', of)).toBe(0)
    expect(rowsOf('{"query":{"pages":{"1":{},"2":{}}}}', of)).toBe(2)
    expect(rowsOf('{"query":{"pages":[{}]}}', of)).toBe(1)
    for (const other of ['badrevids', 'interwiki', 'redirects', 'converted'])
      expect(rowsOf(`{"query":{"${other}":[],"pages":[{}]}}`, of)).toBe(none)
  })

  it('tells the keys of its pages once more as they are, or has no rows', () => {
    const of = driver('generator', 'allpages', 'gap')
    expect(rowsOf('{"query":{"pageids":["1","2"],"pages":{"1":{},"2":{}}}}', of)).toBe(2)
    expect(rowsOf('{"query":{"pageids":["2","1"],"pages":{"1":{},"2":{}}}}', of)).toBe(
      none
    )
    expect(
      rowsOf('{"query":{"pageids":["1","2","3"],"pages":{"1":{},"2":{}}}}', of)
    ).toBe(none)
    expect(rowsOf('{"query":{"pageids":["1"],"pages":{"1":{},"2":{}}}}', of)).toBe(none)
  })

  it('of a prop has rows on its pages, which lose them', () => {
    const of = driver('prop', 'categories', 'cl')
    const said = cut(
      '{"query":{"pages":[{"title":"A","categories":[{},{}],"x":1},{"title":"B"}]}}',
      of
    )
    if (typeof said === 'string') throw new Error(said)
    expect(said.rows.map(({ slot }) => slot)).toEqual(['0', '0'])
    expect([...said.membersBehind]).toEqual(['x'])
    expect(writeCompact(said.frame, 'utf8')).toBe(
      '{"query":{"pages":[{"title":"A","x":1},{"title":"B"}]}}'
    )
    expect(rowsOf('{}', of)).toBe(0)
    expect(rowsOf('{"query":{}}', of)).toBe(
      'no rows of categories were found in the answer'
    )
    expect(rowsOf('{"query":{"pages":[{"categories":{}}]}}', of)).toBe(
      'no rows of categories were found in the answer'
    )
  })
})
