import { describe, expect, test } from 'vitest'
import {
  boundaryWalkRequest,
  requestsToComplete
} from '../../../src/cli/capture/capture-run.ts'
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import { coverageLine, coverageText } from '../../../src/recorder/paging/coverage-text.ts'
import type { Listing } from '../../../src/recorder/paging/joining/listing.ts'
import { readListings } from '../../../src/recorder/paging/joining/listings.ts'
import { coverageOf } from '../../../src/recorder/paging/listing-coverage.ts'
import { FakeWiki, facts } from './fake-wiki.ts'

const alphabet = 'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЭЮЯ'
const wiki = new FakeWiki(
  [...alphabet].map((title, at) => ({ title, pageid: at + 100, secret: at * 17 })),
  'db-key'
)

function listingOf(interactions: readonly Interaction[]): Listing {
  const [listing, second] = readListings(interactions, facts).all()
  if (listing === undefined || second !== undefined)
    throw new Error('expected one listing')
  return listing
}
const part = (at: number, limit: number): Interaction =>
  wiki.record(wiki.partAt(at, limit, 'continue'))

describe('coverage', () => {
  test('names what is there, what is missing, and the rule', () => {
    const listing = listingOf([part(0, 4), part(4, 6), part(19, 5), part(24, 5)])
    expect(coverageText(coverageOf(listing), [], [])).toBe(
      `action=query&list=allpages
  incomplete: 20 items in 4 batches
  continue rule: title as DB key without namespace, learned from 2 boundaries
  has the start, А … Й (10)
  has У … Я, the end (10)
  lacks what lies between Й and У
`
    )
  })

  test('of an incomplete listing is a line with a bar, and what is missing', () => {
    const listing = listingOf([part(0, 4), part(4, 6), part(19, 5), part(24, 5)])
    expect(coverageLine(coverageOf(listing), ['capture x'], [])).toBe(
      `█████░██████     20  action=query&list=allpages
  lacks what lies between Й and У
  to record it: capture x
`
    )
  })

  test('of a complete listing is one line', () => {
    const listing = listingOf([part(0, 20), part(20, 20)])
    expect(coverageLine(coverageOf(listing), [], [])).toBe(
      '████████████     29  action=query&list=allpages\n'
    )
  })

  test('is complete with both ends and no gap', () => {
    const coverage = coverageOf(listingOf([part(0, 20), part(20, 20)]))
    expect(coverage).toMatchObject({
      complete: true,
      items: 29,
      intervals: [{ first: 'А', last: 'Я', items: 29, fromStart: true, toEnd: true }],
      gaps: [],
      rule: { boundaries: 1 }
    })
  })

  test('of nothing but a middle part lacks both sides', () => {
    const coverage = coverageOf(listingOf([part(5, 5)]))
    expect(coverage.gaps).toEqual([
      { after: undefined, before: 'Е' },
      { after: 'Й', before: undefined }
    ])
  })
})

describe('coverage of uncertain rows', () => {
  test('breaks off where a row is not known, at either end, too', () => {
    const listing = listingOf([part(0, 4), part(4, 26)])
    const [run] = listing.runs
    const [a, b, c] = run?.rows ?? []
    const of = (
      rows: readonly (typeof a)[],
      ends: { start?: boolean; end?: boolean } = {}
    ) =>
      coverageOf({
        ...listing,
        runs: run === undefined ? [] : [{ ...run, rows, ...ends }]
      }).intervals.map(({ first, last, fromStart, toEnd }) => [
        first,
        last,
        fromStart,
        toEnd
      ])
    expect(of([a, undefined, b, c])).toEqual([
      ['А', 'А', true, false],
      ['Б', 'В', false, true]
    ])
    expect(of([undefined, a])).toEqual([['А', 'А', false, true]])
    expect(of([a, undefined])).toEqual([['А', 'А', true, false]])
    expect(of([a], { start: false })).toEqual([['А', 'А', false, true]])
    expect(of([a, b], { end: false })).toEqual([['А', 'Б', true, false]])
    expect([of([], { end: false }), of([], { start: false }), of([])]).toEqual([
      [],
      [],
      [['', '', true, true]]
    ])
  })

  test('of contradicting batches is not complete', () => {
    const other = new FakeWiki(
      wiki.rows.filter((row) => row.title !== 'Г'),
      'db-key'
    )
    const listing = listingOf([
      part(0, 20),
      part(20, 20),
      other.record(other.partAt(0, 5, 'continue'))
    ])
    const coverage = coverageOf(listing)
    expect(coverage.complete).toBe(false)
    expect(coverageText(coverage, [], ['a contradicts b'])).toContain(
      '\n  conflict: a contradicts b\n'
    )
  })
})

describe('what to ask', () => {
  test('closes all gaps when asked again and again', () => {
    const interactions = [part(4, 3), part(15, 3)]
    for (let round = 0; round < 20; round += 1) {
      const asks = requestsToComplete(listingOf(interactions))
      if (asks.length === 0) break
      interactions.push(
        ...asks.map((ask) =>
          wiki.record([...ask].map((pair) => pair.join('=')).join('&'))
        )
      )
    }
    const listing = listingOf(interactions)
    expect(coverageOf(listing)).toMatchObject({
      complete: true,
      items: 29,
      conflicts: []
    })
  })

  test('boundaries are asked for at limit 1, until all are known', () => {
    const opaque = new FakeWiki(wiki.rows, 'opaque')
    const tens = [0, 10, 20].map((at) => opaque.record(opaque.partAt(at, 10, 'continue')))
    expect(Object.fromEntries(boundaryWalkRequest(listingOf(tens)) ?? [])).toEqual({
      action: 'query',
      list: 'allpages',
      format: 'json',
      aplimit: '1',
      continue: ''
    })
    const ones = wiki.rows.map((_, at) => opaque.record(opaque.partAt(at, 1, 'continue')))
    expect(boundaryWalkRequest(listingOf([...tens, ...ones]))).toBeUndefined()
  })
})
