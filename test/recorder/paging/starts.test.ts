/** Where a request begins: names as the wiki compares them, bounds, and wikitape's own values, one rule at a time. */
import { describe, expect, it } from 'vitest'
import { jsonArray, jsonObject } from '../../../src/recorder/json/json-tree.ts'
import type { Listing } from '../../../src/recorder/paging/joining/listing.ts'
import { readListings } from '../../../src/recorder/paging/joining/listings.ts'
import {
  firstNotLess,
  isOwnValue,
  isRecordedIn,
  locate,
  type NameSpelling,
  nameSpelling,
  ownValue,
  readOwnValue,
  sortedRuns,
  startInOrder,
  startKey
} from '../../../src/recorder/paging/placing/locate.ts'
import {
  boundsOf,
  positionInPart
} from '../../../src/recorder/paging/placing/part-of-whole.ts'
import { positionOf } from '../../../src/recorder/paging/reading/batch.ts'
import {
  type ListingRequest,
  readListingRequest
} from '../../../src/recorder/paging/reading/listing-request.ts'
import { parseRule } from '../../../src/recorder/paging/rules/continue-rule.ts'
import { derive, type WikiFacts } from '../../../src/recorder/request/derive.ts'
import { bundledLookup } from '../../../src/recorder/wiki/modules/module-descriptions.ts'
import { apiRequest } from '../../helpers/api-requests.ts'
import { deriveQuery, FakeWiki, facts, lettersWiki, recordedAs } from './fake-wiki.ts'

const titles: NameSpelling = { space: '_', capital: true }
const asTheyAre: NameSpelling = { space: undefined, capital: false }

const letters = lettersWiki()
const opaque = new FakeWiki(letters.rows, 'opaque')

function listingOf(
  wiki: FakeWiki,
  parts: readonly (readonly [number, number])[]
): Listing {
  const recorded = parts.map(([at, limit]) =>
    wiki.record(wiki.partAt(at, limit, 'continue'))
  )
  const [listing] = readListings(recorded, facts).all()
  if (listing === undefined) throw new Error('expected a listing')
  return listing
}

describe('a name as the wiki compares it', () => {
  it('has its first letter and its spaces as titles have them', () => {
    expect(startKey('page F', titles)).toBe('Page_F')
    expect(startKey('Page F', { space: ' ', capital: false })).toBe('Page F')
    expect(startKey('éa', titles)).toBe('Éa')
    expect(startKey('1 a', titles)).toBe('1_a')
  })

  it('is not certain where its first letter may be changed or not', () => {
    expect(startKey('page', { space: '_', capital: false })).toBeUndefined()
    expect(startKey('ßa', titles)).toBeUndefined()
    // A letter that is neither small nor capital is kept, a titlecase one is not.
    expect(startKey('漢字', asTheyAre)).toBe('漢字')
    for (const name of ['ǅa', 'ǆa', 'ŉa', 'ａb'])
      expect(startKey(name, titles)).toBeUndefined()
    expect(
      ['ªb', '123', 'a_b', 'Красная площадь'].map((name) => startKey(name, titles))
    ).toEqual([...['ªb', '123', 'A_b', 'Красная_площадь']])
  })

  it('is not certain where the wiki would clean it', () => {
    for (const name of [
      ' A',
      'A ',
      'A  b',
      '_A',
      'A_',
      'A_ b',
      'A#b',
      'A:b',
      'e\u0301',
      'и\u0306'
    ])
      expect([name, startKey(name, titles)]).toEqual([name, undefined])
  })

  it('of anything but a title has no spaces', () => {
    expect(startKey('Ab', asTheyAre)).toBe('Ab')
    expect(startKey('A b', asTheyAre)).toBeUndefined()
    expect(startKey('A_b', asTheyAre)).toBeUndefined()
  })
})

describe('a name among sorted names', () => {
  it('stands before the first that is not less', () => {
    const keys = ['B', 'D', 'D', 'F']
    expect(
      ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((one) => firstNotLess(keys, one))
    ).toEqual([0, 0, 1, 1, 3, 3, 4])
    expect(firstNotLess([], 'A')).toBe(0)
  })

  it('has a place between two recorded rows, and at an end that is recorded', () => {
    const whole = listingOf(letters, [
      [0, 20],
      [20, 10]
    ])
    const [run] = whole.runs
    expect(startInOrder(whole, 'A', facts)).toEqual({ run, at: 0 })
    expect(startInOrder(whole, 'Page B', facts)).toEqual({ run, at: 1 })
    expect(startInOrder(whole, 'Page Bz', facts)).toEqual({ run, at: 2 })
    expect(startInOrder(whole, 'Z', facts)).toEqual({ run, at: 25 })
  })

  it('has none in front of a run or behind it where more may lie there', () => {
    const middle = listingOf(letters, [
      [5, 5],
      [10, 5]
    ])
    expect(startInOrder(middle, 'Page E', facts)).toBeUndefined()
    // The first row itself: what lies before it may have the same name.
    expect(startInOrder(middle, 'Page F', facts)).toBeUndefined()
    const [run] = middle.runs
    expect(startInOrder(middle, 'Page G', facts)).toEqual({ run, at: 1 })
    expect(startInOrder(middle, 'Page O', facts)).toEqual({ run, at: 9 })
    expect(startInOrder(middle, 'Page P', facts)).toBeUndefined()
  })

  it('is read in rows that ascend or descend, as asked, and in no others', () => {
    const whole = listingOf(letters, [
      [0, 20],
      [20, 10]
    ])
    expect(
      sortedRuns(whole, ['db-key-without-namespace'], 1)?.[0]?.keys.slice(0, 2)
    ).toEqual(['Page_A', 'Page_B'])
    expect(sortedRuns(whole, ['db-key-without-namespace'], -1)).toBeUndefined()
    expect(sortedRuns(whole, ['digits-of-time'], 1)).toBeUndefined()
    expect(
      sortedRuns({ ...whole, rule: undefined }, ['db-key-without-namespace'], 1)
    ).toBeUndefined()
    const [run] = whole.runs
    const [a, b, c] = run?.rows ?? []
    const mixed: Listing = {
      ...whole,
      runs: run === undefined ? [] : [{ ...run, rows: [a, c, b] }]
    }
    expect(sortedRuns(mixed, ['db-key-without-namespace'], 1)).toBeUndefined()
  })

  it('must be there once where the reverse is wanted', () => {
    const once = listingOf(letters, [
      [0, 20],
      [20, 10]
    ])
    const [run] = once.runs
    const [a, b, c] = run?.rows ?? []
    const twice: Listing = {
      ...once,
      runs: run === undefined ? [] : [{ ...run, rows: [a, b, b, c] }]
    }
    const rowsOf = (listing: Listing, direction: string): number | undefined => {
      const { canonical, sentValues: sent } = deriveQuery(
        `action=query&format=json&list=allpages&apdir=${direction}&continue=`
      )
      const request = readListingRequest(canonical, sent, facts.lookup, new Set())
      if (typeof request === 'string') throw new Error(request)
      return positionInPart(listing, request, facts)?.run.rows.length
    }
    expect(rowsOf(once, 'descending')).toBe(25)
    expect(rowsOf(twice, 'descending')).toBeUndefined()
    expect(rowsOf(twice, 'ascending')).toBe(4)
  })
})

describe('a start in a listing that was recorded in descending order', () => {
  const plain: WikiFacts = { ...facts, trust: undefined }
  const recorded = (count: number): Listing => {
    const descending = new FakeWiki(letters.rows, 'db-key')
    const query = `action=query&format=json&list=allpages&apdir=descending&aplimit=${count}&continue=`
    const [listing] = readListings([descending.record(query)], plain).all()
    if (listing === undefined) throw new Error('expected a listing')
    return listing
  }

  it('is not looked for as in an ascending one, whatever the number of rows', () => {
    for (const count of [1, 2, 5]) {
      const listing = recorded(count)
      expect(listing.runs[0]?.rows).toHaveLength(count)
      for (const name of ['A', 'Page F', 'Z'])
        expect(startInOrder(listing, name, plain)).toBeUndefined()
    }
  })
})

describe('what a request narrows or turns', () => {
  const { request } = listingOf(letters, [[0, 20]]).batches[0]
  const asked = (
    params: Readonly<Record<string, string>>,
    from?: string
  ): ListingRequest => ({
    ...request,
    params: new Map(Object.entries(params)),
    startName: from
  })

  it('lies between the start and the end, the other way round where it descends', () => {
    const up = { prefix: undefined, low: 'A', high: 'C_d', descending: false }
    expect(boundsOf(asked({ apto: 'c d' }, 'a'), titles)).toEqual(up)
    expect(boundsOf(asked({ apto: 'c d', apdir: 'ascending' }, 'a'), titles)).toEqual(up)
    expect(boundsOf(asked({ apto: 'a', apdir: 'descending' }, 'c d'), titles)).toEqual({
      ...up,
      descending: true
    })
    expect(boundsOf(asked({ apprefix: 'pa' }), titles)).toEqual({
      prefix: 'Pa',
      low: undefined,
      high: undefined,
      descending: false
    })
  })

  it('is not certain with a direction or a name that is not', () => {
    expect(boundsOf(asked({ apdir: 'newer' }), titles)).toBeUndefined()
    expect(boundsOf(asked({ apprefix: 'a#' }), titles)).toBeUndefined()
    expect(boundsOf(asked({ apto: 'a#' }), titles)).toBeUndefined()
    expect(boundsOf(asked({}, 'a#'), titles)).toBeUndefined()
  })
})

describe('times that a request lies between', () => {
  const timed = (more: string): unknown => {
    const { canonical, sentValues: asked } = deriveQuery(
      `action=query&format=json&list=recentchanges${more}`
    )
    const request = readListingRequest(canonical, asked, facts.lookup, new Set())
    if (typeof request === 'string') throw new Error(request)
    const { low, high, descending, prefix } = boundsOf(request, titles) ?? {}
    return descending === undefined ? undefined : [low, high, descending, prefix]
  }
  const day = '20200102000000'
  const next = '20200103000000'

  it('are its end and its start, which is the later one unless it is asked for the newer', () => {
    expect(timed('')).toEqual([undefined, undefined, true, undefined])
    expect(timed(`&rcstart=${next}&rcend=2020-01-02T00:00:00Z`)).toEqual([
      day,
      next,
      true,
      undefined
    ])
    expect(timed(`&rcstart=${next}&rcdir=older`)).toEqual([
      undefined,
      next,
      true,
      undefined
    ])
    expect(timed(`&rcstart=${day}&rcend=${next}&rcdir=newer`)).toEqual([
      day,
      next,
      false,
      undefined
    ])
  })

  it('are not certain in another direction, or in a spelling that only the wiki understands', () => {
    for (const more of [
      '&rcdir=ascending',
      '&rcstart=now',
      '&rcend=2020-01-02',
      '&rcend=2019-17-01T00:00:00Z',
      '&rcend=2020-02-30T00:00:00Z',
      `&rcstart=${day}0`
    ])
      expect([more, timed(more)]).toEqual([more, undefined])
  })
})

describe('a name of what a list is of', () => {
  const namespaces = [0, 6, 14].map((id) => ({
    id,
    name: `N${id}`,
    aliases: [],
    firstLetter: id !== 6
  }))
  const by = (site: Partial<WikiFacts['site'] & object>): WikiFacts => ({
    lookup: bundledLookup('MediaWiki 1.43.9'),
    site: { generator: 'MediaWiki 1.43.9', lang: 'ru', namespaces, ...site }
  })
  const spelled = (
    module: string,
    rule: readonly string[],
    more = '',
    site = {}
  ): unknown => {
    const known = by(site)
    const query = `action=query&format=json&list=${module}${more}&continue=`
    const derivation = derive(apiRequest(query), known)
    const answer = jsonObject([['query', jsonObject([[module, jsonArray([])]])]])
    const [listing] = readListings([recordedAs(derivation, answer)], known).all()
    const { space, capital } = nameSpelling(
      { ...(listing ?? expect.fail()), rule: parseRule(rule) },
      known
    )
    return [space, capital]
  }
  const title = ['title:db-key']

  it('is a title where its values are, with a capital letter where its namespace has one', () => {
    expect(spelled('allpages', title)).toEqual(['_', true])
    expect(spelled('allpages', title, '&apnamespace=6')).toEqual(['_', false])
    expect(spelled('allpages', title, '&apnamespace=14')).toEqual(['_', true])
    // Of a namespace that the wiki does not tell of nothing is known.
    expect(spelled('allpages', title, '&apnamespace=2')).toEqual(['_', false])
    expect(spelled('allpages', ['pageid'])).toEqual([undefined, false])
  })

  it('is one of the namespace that the list is of, though none of its parameters says so', () => {
    expect(spelled('allimages', ['name'])).toEqual(['_', false])
    expect(spelled('allcategories', [':db-key'])).toEqual(['_', true])
    const files = {
      namespaces: namespaces.map((one) => ({ ...one, firstLetter: one.id === 6 }))
    }
    expect(spelled('allimages', ['name'], '', files)).toEqual(['_', true])
    expect(spelled('allcategories', [':db-key'], '', files)).toEqual(['_', false])
  })

  it('is that of a user with spaces, in newer versions with a capital letter', () => {
    expect(spelled('allusers', ['name'])).toEqual([' ', true])
    expect(spelled('allusers', ['name'], '', { generator: 'MediaWiki 1.25.4' })).toEqual([
      ' ',
      false
    ])
  })
})

describe('a continue value with a start beside it', () => {
  const whole = listingOf(letters, [
    [0, 20],
    [20, 10]
  ])
  const located = (more: string, names = ['apcontinue']): unknown => {
    const { canonical, sentValues: asked } = deriveQuery(letters.query(more))
    const request = readListingRequest(canonical, asked, facts.lookup, new Set(names))
    if (typeof request === 'string') throw new Error(request)
    return locate(request, whole, facts)
  }

  it('goes on from its own place where the start lies before it, or there', () => {
    const spot = { at: 5 }
    expect(located('&continue=-||&apcontinue=Page_F')).toMatchObject(spot)
    expect(located('&continue=-||&apcontinue=Page_F&apfrom=')).toMatchObject(spot)
    expect(located('&continue=-||&apcontinue=Page_F&apfrom=Page B')).toMatchObject(spot)
    expect(located('&continue=-||&apcontinue=Page_F&apfrom=Page F')).toMatchObject(spot)
  })

  it('goes on nowhere beside another, and alone where a value is a start', () => {
    const both = ['apcontinue', 'apfrom']
    const unknown = 'no recorded batch begins or ends at this continue value'
    expect(located('&continue=-||&apcontinue=Page_F&apfrom=Page B', both)).toBe(unknown)
    expect(located('&continue=-||&apfrom=Page Bz', both)).toMatchObject({ at: 2 })
    expect(located('&continue=-||&apfrom=A#', both)).toBe(unknown)
  })

  it('goes on nowhere where the start lies behind it, or is not certain', () => {
    const behind = 'the requested start lies after the continue value'
    expect(located('&continue=-||&apcontinue=Page_F&apfrom=Page G')).toBe(behind)
    expect(located('&continue=-||&apcontinue=Page_F&apfrom=A#')).toBe(behind)
  })
})

/** Of its first run. */
const ownValueAt = (listing: Listing, at: number): string => {
  const [run = expect.fail()] = listing.runs
  return ownValue(listing, { run, at }, run.rows[at] ?? expect.fail())
}

describe("a value of wikitape's own", () => {
  const listing = listingOf(opaque, [
    [0, 5],
    [5, 5],
    [15, 5]
  ])

  it('leads back to the place that it was given for, in each run', () => {
    expect(listing.runs.length).toBe(2)
    for (const run of listing.runs) {
      for (const at of run.rows.keys()) {
        const value = ownValue(listing, { run, at }, run.rows[at] ?? expect.fail())
        expect(isOwnValue(value)).toBe(true)
        expect(readOwnValue(listing, value)).toEqual({ run, at })
      }
    }
  })

  it('is one for its run, though rows of another look the same there', () => {
    const alike = new FakeWiki(
      letters.rows.map((row) => ({ ...row, title: 'Page' })),
      'opaque'
    )
    const same = listingOf(alike, [
      [0, 5],
      [5, 5],
      [15, 5]
    ])
    const spots = same.runs.map((run) => ({ run, at: 2 }))
    const values = spots.map((spot) =>
      ownValue(same, spot, spot.run.rows[2] ?? expect.fail())
    )
    expect(values.map((value) => readOwnValue(same, value))).toEqual(spots)
  })

  it('is the same in whatever order, and however much, is recorded behind it', () => {
    const parts = [
      [0, 5],
      [5, 5],
      [10, 5]
    ] as const
    const values = [
      parts,
      parts.toReversed(),
      parts.slice(0, 2),
      [...parts, [0, 7] as const]
    ]
    expect(new Set(values.map((one) => ownValueAt(listingOf(opaque, one), 3))).size).toBe(
      1
    )
  })

  it('that was made up leads nowhere', () => {
    const value = ownValueAt(listing, 3)
    for (const made of [
      value.replace('-3-', '-4-'),
      value.replace('-3-', '-99-'),
      `${value}0`,
      'wikitape-',
      'x'
    ])
      expect([made, readOwnValue(listing, made)]).toEqual([made, undefined])
    expect(isOwnValue('Page_F')).toBe(false)
  })
})

const whyNone = (query: string): unknown => {
  const { canonical, sentValues: asked } = derive(
    apiRequest(`action=query&format=json&${query}`),
    facts43
  )
  const request = readListingRequest(canonical, asked, facts43.lookup, new Set())
  return typeof request === 'string' ? request : positionOf(request)
}
const facts43: WikiFacts = {
  site: undefined,
  lookup: bundledLookup('MediaWiki 1.43.9')
}

describe('an empty start', () => {
  it.each([
    ['list=allpages&apfrom=', 'start'],
    ['list=allpages&apdir=ascending&apfrom=', 'start'],
    ['list=allimages&aisort=name&aifrom=', 'start'],
    ['generator=allimages&gaifrom=', 'start'],
    ['list=alllinks&alunique=&alfrom=', 'start']
  ])('is the start where names ascend: %s', (query, position) => {
    expect(whyNone(query)).toBe(position)
  })

  it.each([
    ['list=allimages&aisort=timestamp&aifrom=', 'aifrom'],
    ['list=allimages&aisort=timestamp&aidir=newer&aifrom=', 'aifrom'],
    ['generator=allimages&gaisort=timestamp&gaifrom=', 'gaifrom'],
    ['list=allimages&aidir=descending&aifrom=', 'aifrom'],
    ['list=allpages&apdir=descending&apfrom=', 'apfrom'],
    ['list=allusers&audir=descending&aufrom=', 'aufrom'],
    ['list=alldeletedrevisions&adruser=Bob&adrlimit=5&adrfrom=', 'adrfrom']
  ])('is none elsewhere, and proves nothing: %s', (query, name) => {
    expect(whyNone(query)).toBe(
      `an empty ${name} counts as absent only where names ascend`
    )
  })

  it.each([
    ['list=alldeletedrevisions&adruser=Bob&adrfrom=B', 'adrfrom'],
    ['list=alldeletedrevisions&adruser=Bob&adrprefix=B', 'adrprefix'],
    ['generator=alldeletedrevisions&gadruser=Bob&gadrto=B', 'gadrto'],
    ['list=allimages&aisort=timestamp&aito=B', 'aito']
  ])('of any name is refused by the wiki, and proves nothing: %s', (query, name) => {
    expect(whyNone(query)).toBe(
      `the wiki may refuse ${name} where rows are not in the order of names`
    )
  })
})

describe('a negative offset', () => {
  it.each([
    'list=prefixsearch&pssearch=a&psoffset=-1',
    'list=search&srsearch=a&sroffset=-1',
    'generator=querypage&gqppage=Ancientpages&gqpoffset=-1'
  ])('proves nothing, since the wiki begins with the first row: %s', (query) => {
    expect(whyNone(query)).toContain('with a negative ')
    expect(whyNone(query.replace('-1', '1'))).toMatch(/^at .*"1"/)
  })
})

describe('the direction in which a listing was recorded', () => {
  const inDirection = (query: string, direction: 'ascending' | 'older'): unknown => {
    const wiki: WikiFacts = {
      site: undefined,
      lookup: bundledLookup('MediaWiki 1.43.9')
    }
    const derivation = derive(apiRequest(`action=query&format=json&list=${query}`), wiki)
    const rows = jsonObject([[query.split('&')[0] ?? '', jsonArray([])]])
    const recorded = recordedAs(derivation, jsonObject([['query', rows]]))
    const [listing] = readListings([recorded], wiki).all()
    return listing && isRecordedIn(listing, direction)
  }

  it('is that which was sent, or else the default of the module', () => {
    expect(inDirection('allpages', 'ascending')).toBe(true)
    expect(inDirection('allpages&apdir=ascending', 'ascending')).toBe(true)
    expect(inDirection('allpages&apdir=descending', 'ascending')).toBe(false)
    expect(inDirection('usercontribs&ucuser=Bob', 'ascending')).toBe(false)
    expect(inDirection('recentchanges', 'older')).toBe(true)
    expect(inDirection('recentchanges&rcdir=newer', 'older')).toBe(false)
  })
})
