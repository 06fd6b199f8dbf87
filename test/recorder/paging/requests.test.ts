/** What a request says of its listing, and whether a rule's values sort rows: case by case. */
import { describe, expect, it } from 'vitest'
import {
  type JsonTree,
  jsonLiteral,
  jsonObject,
  memberOf,
  textOf
} from '../../../src/recorder/json/json-tree.ts'
import { readJson } from '../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import type { ListingFact } from '../../../src/recorder/knowledge/listing-facts.ts'
import { readListings } from '../../../src/recorder/paging/joining/listings.ts'
import { PositionGraph } from '../../../src/recorder/paging/joining/position-graph.ts'
import {
  isInjective,
  risesOrFalls,
  sortingRule
} from '../../../src/recorder/paging/joining/rule-check.ts'
import type { RowRun } from '../../../src/recorder/paging/joining/run-layout.ts'
import { positionInPart } from '../../../src/recorder/paging/placing/part-of-whole.ts'
import {
  cursorPosition,
  cursorValue
} from '../../../src/recorder/paging/reading/batch.ts'
import { countDoubt } from '../../../src/recorder/paging/reading/driver.ts'
import {
  isOfOnePage,
  type ListingRequest,
  readListingRequest
} from '../../../src/recorder/paging/reading/listing-request.ts'
import { parseRule } from '../../../src/recorder/paging/rules/continue-rule.ts'
import { synthesize } from '../../../src/recorder/paging/synthesize.ts'
import { deriveQuery, FakeWiki, facts, lettersWiki, recorded } from './fake-wiki.ts'

function read(query: string): ListingRequest {
  const { canonical, sentValues: asked } = deriveQuery(
    `action=query&format=json&${query}`
  )
  const said = readListingRequest(canonical, asked, facts.lookup, new Set())
  if (typeof said === 'string') throw new Error(said)
  return said
}

describe('a request', () => {
  const whole = read('list=allpages')

  it('is a part of the listing without its narrowing, and of none where it narrows nothing', () => {
    expect(whole.broader).toBeUndefined()
    for (const more of ['apto=B', 'apprefix=B', 'apdir=descending'])
      expect([more, read(`list=allpages&${more}`).broader]).toEqual([
        more,
        whole.identity
      ])
    const prop = read('prop=categories&titles=A')
    expect(prop.broader).toBeUndefined()
    expect(read('list=recentchanges&rcstart=2020-01-01T00:00:00Z').broader).toBe(
      read('list=recentchanges').identity
    )
  })

  it('is for the same listing whatever its limit, its start, its place and its dialect', () => {
    for (const more of [
      'aplimit=7',
      'apfrom=B',
      'apcontinue=B',
      'continue=',
      'rawcontinue='
    ])
      expect([more, read(`list=allpages&${more}`).identity]).toEqual([
        more,
        whole.identity
      ])
    expect(read('list=allpages&formatversion=2').identity).not.toBe(whole.identity)
    const placed = read('list=allpages&apfrom=B&apcontinue=C&continue=-||')
    expect([
      placed.startName,
      [...placed.cursor],
      placed.plainContinue,
      placed.dialect
    ]).toEqual(['B', [['apcontinue', 'C']], '-||', 'continue'])
    expect([
      read('list=allpages').dialect,
      read('list=allpages&rawcontinue=').dialect
    ]).toEqual(['none', 'raw'])
  })

  it('has what adds beside its rows: pages of a list, props of a generator, and not its own prop', () => {
    const beside = (query: string): unknown => [read(query).additions, read(query).isBare]
    expect(beside('list=allpages')).toEqual([[], true])
    expect(beside('list=allpages&titles=A')).toEqual([['titles'], false])
    expect(beside('list=allpages&meta=siteinfo')).toEqual([['meta'], false])
    expect(beside('list=allpages&prop=info')).toEqual([['prop'], false])
    expect(beside('generator=allpages')).toEqual([[], true])
    expect(beside('generator=allpages&prop=info')).toEqual([['prop'], false])
    expect(beside('prop=categories&titles=A')).toEqual([[], true])
    expect(beside('prop=categories|info&titles=A')).toEqual([['prop'], false])
  })
})

describe('a request and its place', () => {
  it('keeps continuation of the props of a generator apart from its own', () => {
    const { cursor, inner } = read(
      'generator=allpages&prop=categories&gapcontinue=B&clcontinue=1|X&continue=||'
    )
    expect([[...cursor], [...inner]]).toEqual([
      [['gapcontinue', 'B']],
      [['clcontinue', '1|X']]
    ])
  })

  it('begins at a name only where its module says so', () => {
    const other = read('list=recentchanges&rcfrom=B')
    expect([
      other.startName,
      other.identity === read('list=recentchanges').identity
    ]).toEqual([undefined, false])
  })

  it('for whole extracts of several pages counts these one at a time', () => {
    const doubtOf = (query: string) => {
      const { params, driver } = read(query)
      return countDoubt(params, driver)
    }
    expect(doubtOf('generator=allpages&prop=extracts')).toBe(
      'whole extracts come for one page at a time'
    )
    expect(doubtOf('generator=allpages&prop=extracts&exintro=')).toBeUndefined()
  })

  it('generates from one page where it names one alone', () => {
    expect(isOfOnePage(read('generator=categories&titles=A'))).toBe(true)
    expect(isOfOnePage(read('generator=categories&titles=A|B'))).toBe(false)
    expect(isOfOnePage(read('generator=allpages'))).toBe(false)
    expect(isOfOnePage(read('prop=categories&titles=A'))).toBe(false)
  })
})

describe('the values of rows', () => {
  const run = (ids: readonly (number | undefined)[]): RowRun => ({
    rows: ids.map((id) => {
      const [key] = letters.map((one) => one.key)
      if (key === undefined) throw new Error('expected a key')
      const item = jsonObject(id === undefined ? [] : [['pageid', jsonLiteral(id)]])
      return { row: { item, slot: '' }, key }
    }),
    continues: new Map(),
    start: false,
    end: false
  })
  const wiki = lettersWiki()
  const letters = [wiki.record(wiki.partAt(0, 4, 'continue'))]
  const rule = parseRule(['pageid'])
  const sorts = (
    strict: boolean,
    ...runs: readonly (readonly (number | undefined)[])[]
  ): boolean => risesOrFalls(rule, runs.map(run), strict)

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
    const said = (more: string, version: 25 | 43 = 43): string | undefined => {
      const site = facts.site && { ...facts.site, generator: `MediaWiki 1.${version}.0` }
      const known = { ...facts, site }
      const answer = synthesize(
        deriveQuery(wiki.query(more)),
        readListings(walk, known),
        known
      )
      return answer.kind === 'synthesized' ? writeCompact(answer.body, 'utf8') : undefined
    }
    expect(said('&gaplimit=5&continue=&gapfrom=Z')).toBe('{"batchcomplete":""}')
    expect(said('&gaplimit=max&continue=&gapfrom=Z')).toBe(
      '{"batchcomplete":"","limits":{"allpages":500}}'
    )
    expect(said('&gaplimit=5&rawcontinue=&gapfrom=Z')).toBe('{}')
    // PHP wrote nothing as an array, and nobody recorded that.
    expect(said('&gaplimit=5&rawcontinue=&gapfrom=Z', 25)).toBeUndefined()
  })

  it('is not made where `continue` names modules that have finished, beside `rawcontinue`', () => {
    const wiki = lettersWiki()
    const walk = [0, 20].map((at) => wiki.record(wiki.partAt(at, 20, 'continue')))
    const asked = deriveQuery(
      wiki.query('&aplimit=3&apcontinue=Page_F&rawcontinue=&continue=-||')
    )
    expect(synthesize(asked, readListings(walk, facts), facts).kind).toBe('not-a-listing')
  })

  it('is not made where the `continue` sent is none that the wiki gives', () => {
    const wiki = lettersWiki()
    const walk = [0, 20].map((at) => wiki.record(wiki.partAt(at, 20, 'continue')))
    const kind = (companion: string): string =>
      synthesize(
        deriveQuery(wiki.query(`&aplimit=3&apcontinue=Page_F&continue=${companion}`)),
        readListings(walk, facts),
        facts
      ).kind
    expect(
      ['-||', '-||info', '||', 'x'].map(kind).map((one) => one === 'synthesized')
    ).toEqual([true, false, false, false])
  })
})

describe('positions', () => {
  const keyed = (name: string) =>
    deriveQuery(`action=query&list=allpages&apfrom=${name}`).key
  const one = keyed('A')
  const two = keyed('B')
  const three = keyed('C')

  it('lie as far from each other as those say who join them, the first of whom is remembered', () => {
    const graph = new PositionGraph()
    graph.join('a', 'b', 2, one)
    graph.join('b', 'c', 3, two)
    graph.join('a', 'c', 5, three)
    const [a, b, c] = ['a', 'b', 'c'].map((position) => graph.find(position))
    expect(new Set([a?.root, b?.root, c?.root]).size).toBe(1)
    expect([b, c].map((position) => (position?.rows ?? 0) - (a?.rows ?? 0))).toEqual([
      2, 5
    ])
    expect(['a', 'b', 'c', 'd'].map((position) => graph.source(position))).toEqual([
      ...[one, one, two, undefined]
    ])
    expect(graph.conflicts).toEqual([])
  })

  it('contradict each other where another distance is told of two that are joined', () => {
    const graph = new PositionGraph()
    graph.join('a', 'b', 2, one)
    graph.join('b', 'c', 3, two)
    graph.join('a', 'c', 6, three)
    expect(graph.conflicts.map(({ between }) => between)).toEqual([[two, three]])
  })

  it('joined from either side, and groups of them, keep their distances', () => {
    const graph = new PositionGraph()
    graph.join('a', 'b', 2, one)
    graph.join('c', 'd', 7, one)
    graph.join('e', 'd', 1, one)
    graph.join('b', 'd', 10, two)
    const at = (position: string): number =>
      graph.find(position).rows - graph.find('a').rows
    expect(['a', 'b', 'c', 'd', 'e'].map(at)).toEqual([0, 2, 5, 12, 11])
  })

  it('that a continue value names are the same in whatever order its parameters come', () => {
    expect(cursorPosition([...Object.entries({ b: '1', a: '2' })])).toBe(
      cursorPosition(Object.entries({ a: '2', b: '1' }))
    )
    expect(cursorPosition([['a', '1']])).not.toBe(cursorPosition([['a', '2']]))
    const place = cursorPosition([['a', 'x"y']])
    expect([
      cursorValue(place, 'a'),
      cursorValue(place, 'b'),
      cursorValue('start', 'a')
    ]).toEqual([...['x"y', undefined, undefined]])
    expect(
      cursorValue(cursorPosition(Object.entries({ a: '1', b: '2' })), 'a')
    ).toBeUndefined()
  })
})

describe('what an answer rests on', () => {
  const wiki = lettersWiki()
  const walk = [0, 10, 20].map((at) => wiki.record(wiki.partAt(at, 10, 'continue')))
  const [first, second, third] = walk.map(({ key }) => key)
  const rests = (query: string): unknown => {
    const said = synthesize(deriveQuery(query), readListings(walk, facts), facts)
    return said.kind === 'synthesized' ? said.from : said.kind
  }

  it('are the batches that show its rows, and how it goes on', () => {
    expect(rests(wiki.partAt(0, 5, 'continue'))).toEqual([first])
    expect(rests(wiki.partAt(8, 5, 'continue'))).toEqual([first, second])
    expect(rests(wiki.partAt(10, 10, 'continue'))).toEqual([second])
    expect(rests(wiki.partAt(20, 4, 'continue'))).toEqual([third])
    expect(rests(wiki.partAt(20, 5, 'continue'))).toEqual([third])
  })

  it('is the answer around it where it has no rows', () => {
    expect(rests(wiki.query('&aplimit=5&continue=&apfrom=Z'))).toEqual([first])
  })
})

describe('a rule that sorts', () => {
  const item = (text: object): JsonTree => {
    const reading = readJson(JSON.stringify(text))
    return reading.ok ? reading.tree : expect.fail(reading.fault.message)
  }
  const wiki = lettersWiki()
  const { key } = wiki.record(wiki.partAt(0, 4, 'continue'))
  const run = (start: boolean, ...rows: readonly object[]): RowRun => ({
    continues: new Map(),
    start,
    end: false,
    rows: rows.map((one) => ({ row: { item: item(one), slot: '' }, key }))
  })

  it('is left with the explanations by which rows rise or fall', () => {
    const rows = [
      run(true, { a: 1, b: 2, c: 9 }, { a: 2, b: 1, c: 9 }, { a: 3, b: 7, c: 9 })
    ]
    expect(sortingRule(parseRule(['a&b']), rows, 'wire', true)?.parts).toEqual(
      parseRule(['a']).parts
    )
    expect(sortingRule(parseRule(['b']), rows, 'wire', true)).toBeUndefined()
    expect(sortingRule(parseRule(['c', "a&b&'x'"]), rows, 'wire', true)?.parts).toEqual(
      parseRule(['c', 'a']).parts
    )
    const both = parseRule(['a&d'])
    expect(
      sortingRule(both, [run(true, { a: 1, d: 1 }, { a: 2, d: 2 })], 'wire', true)?.parts
    ).toEqual(both.parts)
  })

  it('that counts is one only where pages say their number from the start on', () => {
    const count = parseRule(['#'])
    const numbered = [run(true, { index: 1 }, { index: 2 })]
    expect(sortingRule(count, numbered, 'index', true)).toBe(count)
    expect(sortingRule(count, numbered, 'wire', true)).toBeUndefined()
    expect(sortingRule(count, numbered, 'wire', false)).toBe(count)
    expect(
      sortingRule(count, [run(false, { index: 1 }, { index: 2 })], 'index', true)
    ).toBeUndefined()
    expect(
      sortingRule(count, [run(true, { index: 2 }, { index: 1 })], 'index', true)
    ).toBeUndefined()
  })

  it('of more explanations than can be tried is left as it is where it names each row', () => {
    const many = parseRule(['a&b&c&d&e&f&g', 'a&b&c&d&e&f&g'])
    const row = (value: number): object =>
      Object.fromEntries([...'abcdefg'].map((name) => [name, value]))
    expect(sortingRule(many, [run(true, row(1), row(2))], 'wire', false)).toBe(many)
    expect(sortingRule(many, [run(true, row(2), row(1), row(3))], 'wire', false)).toBe(
      many
    )
    expect(sortingRule(many, [run(true, row(1), row(1))], 'wire', false)).toBeUndefined()
    expect(sortingRule(many, [run(true, row(1), row(2))], 'wire', true)).toBeUndefined()
    const fewer = parseRule(['a&b&c&d&e&f', "a&b&c&d&e&f&g&'x'"])
    expect(sortingRule(fewer, [run(true, row(1), row(2))], 'wire', true)).toBeDefined()
  })
})

describe('a part of the whole', () => {
  it('is cut out only where the whole is at one with itself and in its order', () => {
    const wiki = lettersWiki()
    const walk = [0, 20].map((at) => wiki.record(wiki.partAt(at, 20, 'continue')))
    const [listing] = readListings(walk, facts).all()
    if (listing === undefined) throw new Error('expected a listing')
    const request = read('list=allpages&apto=Page C&continue=')
    const rowsOf = (changed: typeof listing): number | undefined =>
      positionInPart(changed, request, facts)?.run.rows.length
    const between = [walk[0]?.key, walk[1]?.key].flatMap((key) => key ?? [])
    const [one, other] = between
    if (one === undefined || other === undefined) throw new Error('expected two keys')
    expect(rowsOf(listing)).toBe(3)
    expect(
      rowsOf({ ...listing, conflicts: [{ between: [one, other], what: 'rows differ' }] })
    ).toBeUndefined()
    expect(rowsOf({ ...listing, disordered: true })).toBeUndefined()
    const [run] = listing.runs
    const ends = (start: boolean, end: boolean) =>
      rowsOf({ ...listing, runs: run === undefined ? [] : [{ ...run, start, end }] })
    expect([ends(true, false), ends(false, true)]).toEqual([3, undefined])
  })

  it('is cut out of rows that stand in the order of their names, backwards, too', () => {
    const wiki = lettersWiki()
    const walk = [0, 20].map((at) => wiki.record(wiki.partAt(at, 20, 'continue')))
    const named = (more: string): unknown => {
      const request = read(`list=allpages${more}&continue=`)
      const whole = readListings(walk, facts).find(request.broader ?? '')
      const position = whole && positionInPart(whole, request, facts)
      return position?.run.rows.map((known) => textOf(memberOf(known?.row.item, 'title')))
    }
    expect(named('&apprefix=Page C')).toEqual(['Page C'])
    expect(named('&apprefix=Page C&apto=Page D')).toEqual(['Page C'])
    expect(named('&apto=Page B')).toEqual(['Page A', 'Page B'])
    expect(named('&apto=Page C&apfrom=Page B')).toEqual(['Page B', 'Page C'])
    expect(named('&apdir=descending&apfrom=Page B')).toEqual(['Page B', 'Page A'])
    expect(named('&apdir=descending&apto=Page X')).toEqual(['Page Y', 'Page X'])
    expect(named('')).toBeUndefined()
  })
})

describe('what is known of a listing', () => {
  const fact = (more: Partial<ListingFact>): ListingFact => ({
    kind: 'generator',
    module: 'allpages',
    on: ['1.43'],
    proven: { '1.43': 5 },
    param: 'continue',

    when: {},
    value: ['title:db-key'],
    order: ['wire'],
    pages: ['rows'],
    ...more
  })
  /** Pages of which the titles ascend and the ids do not. */
  const titles = ['A', 'B', 'C', 'D', 'E'].map((title, at) => ({
    title,
    pageid: [3, 5, 1, 4, 2][at] ?? 0,
    secret: at
  }))
  const { trust: _, ...trusting } = facts
  const judged = (
    more: Partial<ListingFact>,
    ...parts: readonly (readonly [number, number])[]
  ): unknown => {
    const by = { ...trusting, known: [fact({ formatversion: '2', ...more })] }
    const wiki = new FakeWiki(titles, parts.length > 1 ? 'opaque' : 'db-key', 'generator')
    const recorded = parts.map(([at, limit]) =>
      wiki.record(wiki.partAt(at, limit, 'continue', '&formatversion=2'))
    )
    const [listing] = readListings(recorded, by).all()
    return listing?.contradiction ?? listing?.by
  }

  it('is believed where recorded batches come in that order', () => {
    expect(judged({}, [0, 9])).toBe('known')
    expect(judged({ order: ['title'] }, [0, 9])).toBe('known')
    expect(judged({ order: ['wire', 'title'] }, [0, 9])).toBe('known')
    expect(judged({ value: ['?'] }, [0, 2], [2, 9])).toBe('known')
    expect(judged({ value: ['?'], order: ['title', 'wire'] }, [0, 2], [2, 9])).toBe(
      'known'
    )
  })

  it('is left aside where something in the recording speaks against it', () => {
    const twice = (more: Partial<ListingFact>): unknown => judged(more, [0, 2], [2, 9])
    expect(twice({ param: 'offset' })).toBe('it continues by gapcontinue, not gapoffset')
    expect(twice({})).toBe('a recorded continue value is different')
    expect(twice({ order: ['index'] })).toBe('its rows do not show their order')
    expect(twice({ order: [] })).toBe('no order of its rows is known')
    expect(twice({ value: ['?'], pages: ['id'] })).toBe('its pages come in another order')
    expect(judged({ value: ['pageid'] }, [0, 9])).toBe(
      'its rows do not come in the order of their continue values'
    )
    // Where nothing is known of the values, any order may be the one.
    expect(twice({ value: ['?'], order: ['title', 'id'], pages: ['title'] })).toBe(
      'its batches allow several orders of rows'
    )
  })
})

describe('a prop that fills page by page', () => {
  const asked = (at: number, size = 1): string =>
    `action=query&format=json&prop=pageimages&titles=A|B|C&pilimit=${size}&continue=${at === 0 ? '' : `||&picontinue=${at}`}`
  const answer = (next: number | undefined, ...filled: readonly string[]): JsonTree => {
    const pages = ['A', 'B', 'C'].map((title, at) => [
      at + 1,
      {
        pageid: at + 1,
        ns: 0,
        title,
        ...(filled.includes(title) && { pageimage: `${title}.png` })
      }
    ])
    const go =
      next === undefined
        ? { batchcomplete: '' }
        : { continue: { picontinue: next, continue: '||' } }
    const reading = readJson(
      JSON.stringify({ ...go, query: { pages: Object.fromEntries(pages) } })
    )
    return reading.ok ? reading.tree : expect.fail(reading.fault.message)
  }
  const said = (
    query: string,
    ...all: readonly (readonly [string, JsonTree])[]
  ): string => {
    const held = all.map(([one, tree]) => recorded(one, tree))
    const made = synthesize(deriveQuery(query), readListings(held, facts), facts)
    return made.kind === 'synthesized' ? writeCompact(made.body, 'utf8') : made.kind
  }
  const first = [asked(0), answer(2, 'A')] as const
  const second = [asked(2), answer(3, 'B')] as const

  it('has a row for each page that a batch fills', () => {
    const third = [asked(3), answer(undefined, 'C')] as const
    expect(said(asked(0, 2), first, second, third)).toBe(
      writeCompact(answer(3, 'A', 'B'), 'utf8')
    )
    expect(said(asked(0, 3), first, second, third)).toBe(
      writeCompact(answer(undefined, 'A', 'B', 'C'), 'utf8')
    )
    expect(said(asked(2, 2), third, second, first)).toBe(
      writeCompact(answer(undefined, 'B', 'C'), 'utf8')
    )
  })

  it('says nothing of others where a batch fills more pages than it may, or others', () => {
    const more = [asked(2), answer(undefined, 'B', 'C')] as const
    expect(said(asked(0, 2), first, more)).toBe('refused')
    const other = [asked(2), answer(3, 'A')] as const
    expect(said(asked(0, 2), first, other)).toBe('refused')
    const beyond = [asked(0, 3), answer(9, 'A', 'B', 'C')] as const
    expect(said(asked(0, 2), beyond)).toBe('refused')
  })
})
