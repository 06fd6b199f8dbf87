/** What a request says of its listing, and whether a rule's values sort rows: case by case. */
import { describe, expect, it, vi } from 'vitest'
import { jsonLiteral, jsonObject } from '../../src/json/tree.ts'
import { writeCompact } from '../../src/json/write.ts'
import { readListings } from '../../src/paging/joining/listings.ts'
import { isInjective, risesOrFalls } from '../../src/paging/joining/predicted.ts'
import type { Run } from '../../src/paging/joining/run.ts'
import { windowFor } from '../../src/paging/placing/part-of-whole.ts'
import {
  isOfOnePage,
  type ListingRequest,
  readListingRequest,
} from '../../src/paging/reading/listing-request.ts'
import { ruleOf } from '../../src/paging/rules/rule.ts'
import { synthesise } from '../../src/paging/synthesise.ts'
import { deriveQuery, FakeWiki, facts, lettersWiki } from './fake-wiki.ts'

function read(query: string): ListingRequest {
  const { canonical, asked } = deriveQuery(`action=query&format=json&${query}`)
  const said = readListingRequest(canonical, asked, facts.lookup, new Set())
  if (typeof said === 'string') throw new Error(said)
  return said
}

describe('a request', () => {
  const whole = read('list=allpages')

  it('is a part of the listing without its narrowing, and of none where it narrows nothing', () => {
    expect(whole.broader).toBeUndefined()
    for (const more of ['apto=B', 'apprefix=B', 'apdir=descending'])
      expect([more, read(`list=allpages&${more}`).broader]).toEqual([more, whole.identity])
    const prop = read('prop=categories&titles=A')
    expect(prop.broader).toBeUndefined()
    expect(read('list=recentchanges&rcstart=2020-01-01T00:00:00Z').broader).toBe(
      read('list=recentchanges').identity,
    )
  })

  it('is for the same listing whatever its limit, its start, its place and its dialect', () => {
    for (const more of ['aplimit=7', 'apfrom=B', 'apcontinue=B', 'continue=', 'rawcontinue='])
      expect([more, read(`list=allpages&${more}`).identity]).toEqual([more, whole.identity])
    expect(read('list=allpages&formatversion=2').identity).not.toBe(whole.identity)
    const placed = read('list=allpages&apfrom=B&apcontinue=C&continue=-||')
    expect([placed.from, [...placed.cursor], placed.companion, placed.dialect]).toEqual([
      'B',
      [['apcontinue', 'C']],
      '-||',
      'continue',
    ])
    expect([read('list=allpages').dialect, read('list=allpages&rawcontinue=').dialect]).toEqual([
      'none',
      'raw',
    ])
  })

  it('has what adds beside its rows: pages of a list, props of a generator, and not its own prop', () => {
    const beside = (query: string): unknown => [read(query).beside, read(query).alone]
    expect(beside('list=allpages')).toEqual([[], true])
    expect(beside('list=allpages&titles=A')).toEqual([['titles'], false])
    expect(beside('list=allpages&meta=siteinfo')).toEqual([['meta'], false])
    expect(beside('list=allpages&prop=info')).toEqual([['prop'], false])
    expect(beside('generator=allpages')).toEqual([[], true])
    expect(beside('generator=allpages&prop=info')).toEqual([['prop'], false])
    expect(beside('prop=categories&titles=A')).toEqual([[], true])
    expect(beside('prop=categories|info&titles=A')).toEqual([['prop'], false])
  })

  it('keeps continuation of the props of a generator apart from its own', () => {
    const { cursor, inner } = read(
      'generator=allpages&prop=categories&gapcontinue=B&clcontinue=1|X&continue=||',
    )
    expect([[...cursor], [...inner]]).toEqual([[['gapcontinue', 'B']], [['clcontinue', '1|X']]])
  })

  it('generates from one page where it names one alone', () => {
    expect(isOfOnePage(read('generator=categories&titles=A'))).toBe(true)
    expect(isOfOnePage(read('generator=categories&titles=A|B'))).toBe(false)
    expect(isOfOnePage(read('generator=allpages'))).toBe(false)
    expect(isOfOnePage(read('prop=categories&titles=A'))).toBe(false)
  })
})

describe('the values of rows', () => {
  const run = (ids: readonly (number | undefined)[]): Run => ({
    rows: ids.map((id) => {
      const [key] = letters.map((one) => one.key)
      if (key === undefined) throw new Error('expected a key')
      const item = jsonObject(id === undefined ? [] : [['pageid', jsonLiteral(id)]])
      return { row: { item, slot: '' }, key }
    }),
    emitted: new Map(),
    start: false,
    end: false,
  })
  const wiki = lettersWiki()
  const letters = [wiki.record(wiki.partAt(0, 4, 'continue'))]
  const rule = ruleOf(['pageid'])
  const sorts = (strict: boolean, ...runs: readonly (readonly (number | undefined)[])[]): boolean =>
    risesOrFalls(rule, runs.map(run), strict)

  it('rise or fall without exception, in all runs the same way', () => {
    expect(sorts(true, [1, 2, 10])).toBe(true)
    expect(sorts(true, [10, 2, 1])).toBe(true)
    expect(sorts(true, [1, 1])).toBe(false)
    expect(sorts(true, [1, 3, 2])).toBe(false)
    expect(sorts(true, [3, 1, 2])).toBe(false)
    expect(sorts(true, [1, 2], [4, 3])).toBe(false)
    expect(sorts(true, [4, 3], [1, 2])).toBe(false)
    expect(sorts(true, [2, 1], [4, 3])).toBe(true)
    expect(sorts(true, [])).toBe(true)
  })

  it('are there for each row where that is asked for', () => {
    expect(sorts(true, [1, undefined, 2])).toBe(false)
    expect(sorts(false, [1, undefined, 2])).toBe(true)
    expect(sorts(false, [2, undefined, 2])).toBe(false)
  })

  it('tell rows of one run apart', () => {
    expect(isInjective(rule, [run([1, 2, undefined, undefined])])).toBe(true)
    expect(isInjective(rule, [run([1, 2, 1])])).toBe(false)
    expect(isInjective(rule, [run([1, 2]), run([2, 3])])).toBe(true)
  })
})

describe('an answer', () => {
  it('of a generator that finds nothing any more is complete and has no pages', () => {
    const wiki = new FakeWiki(lettersWiki().rows, 'db-key', 'generator')
    const walk = [0, 20].map((at) => wiki.record(wiki.partAt(at, 20, 'continue')))
    const said = (more: string) => synthesise(deriveQuery(wiki.query(more)), readListings(walk, facts), facts)
    const empty = said('&gaplimit=5&continue=&gapfrom=Z')
    expect(empty.kind === 'synthesized' && writeCompact(empty.body, 'utf8')).toBe('{"batchcomplete":""}')
    // PHP writes nothing as an array, and nobody recorded that.
    expect(said('&gaplimit=5&rawcontinue=&gapfrom=Z').kind).not.toBe('synthesized')
    expect(said('&gaplimit=max&continue=&gapfrom=Z').kind).not.toBe('synthesized')
  })

  it('is not made where the `continue` sent is none that the wiki gives', () => {
    const wiki = lettersWiki()
    const walk = [0, 20].map((at) => wiki.record(wiki.partAt(at, 20, 'continue')))
    const kind = (companion: string): string =>
      synthesise(
        deriveQuery(wiki.query(`&aplimit=3&apcontinue=Page_F&continue=${companion}`)),
        readListings(walk, facts),
        facts,
      ).kind
    expect(['-||', '-||info', '||', 'x'].map(kind).map((one) => one === 'synthesized')).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})

describe('a part of the whole', () => {
  it('is cut out only where the whole is at one with itself and in its order', () => {
    const wiki = lettersWiki()
    const walk = [0, 20].map((at) => wiki.record(wiki.partAt(at, 20, 'continue')))
    const listings = readListings(walk, facts)
    const [listing] = listings.all()
    if (listing === undefined) throw new Error('expected a listing')
    const request = read('list=allpages&apto=Page C&continue=')
    const rowsOf = (changed: typeof listing): number | undefined => {
      vi.spyOn(listings, 'find').mockReturnValue(changed)
      return windowFor(request, listings, facts)?.listing.runs[0]?.rows.length
    }
    const between = [walk[0]?.key, walk[1]?.key].flatMap((key) => key ?? [])
    const [one, other] = between
    if (one === undefined || other === undefined) throw new Error('expected two keys')
    expect(rowsOf(listing)).toBe(3)
    expect(
      rowsOf({ ...listing, conflicts: [{ between: [one, other], what: 'rows differ' }] }),
    ).toBeUndefined()
    expect(rowsOf({ ...listing, disordered: true })).toBeUndefined()
  })
})
