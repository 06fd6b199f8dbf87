/**
 * Facts about listings of every wiki of a version: how they continue, and the order of their rows. Data, written by
 * `npm run learn` from walks through real wikis (data/, docs/decisions/0028). What a cassette itself proves comes first.
 */
import { lazy } from '../text/group-by.ts'
import { bracketingVersions, dataFile, minorOf } from './data-file.ts'

/**
 * How the rows of one batch are brought into the order of the listing: as written (`wire`), by the `index` that search
 * gives to pages, by page id, by namespace and page id, by namespace and title, or by time and revision id.
 */
export type RowOrder =
  | 'wire'
  | 'index'
  | 'id'
  | 'ns-id'
  | 'title'
  | 'id-down'
  | 'ns-id-down'
  | 'title-down'
  | 'newest'
  | 'oldest'

/**
 * The order of pages in the response of a generator: that of the listing, by page id, or by namespace and title. Titles are
 * looked up namespace by namespace: SQLite keeps the namespaces in the order in which the listing has them (`seen-title`).
 */
export type PageOrder = 'rows' | 'id' | 'title' | 'seen-title'

export interface ListingFact {
  readonly kind: 'list' | 'generator' | 'prop'
  /** e.g. `allpages`. */
  readonly module: string
  /**
   * Parameters that the fact was proven with, without the prefix: `''` absent, `*` any value, `|` several values, else
   * that value. `titles` counts the pages that the rows belong to, `namespaces` theirs; of these, of `namespace` and of
   * `userids` `1` means at most one value.
   */
  readonly when: Readonly<Record<string, string>>
  /** Absent where the fact holds for both. */
  readonly formatversion?: '1' | '2'
  /** Versions on which it was proven, e.g. `1.43`. */
  readonly on: readonly string[]
  /** The number of continue values that it explained in each version; absent where no walk was made. */
  readonly proven?: Readonly<Record<string, number>>
  /** The versions in whose source it was read, and that source. */
  readonly read?: readonly string[]
  readonly source?: string
  /** The first version that it may hold for; absent where older ones are not excluded. */
  readonly since?: string
  /** The continuation parameter, without the prefix. */
  readonly param: string
  /** True where the value is a number in JSON. */
  readonly number?: true
  /**
   * The parts between `|`: `title:db-key` (a member of the row, and its spelling), `page.pageid` (a member of the row's
   * page), `:db-key` (the row is a string), `#` (the number of rows before it), `'page'` (that text), `?` (what no row
   * shows), `?user` (the same, with one value for all rows of one `user`). `&` is between explanations that the walks
   * leave open; they hold where they agree.
   */
  readonly value: readonly string[]
  /** Every order that all walks allow; mostly one. */
  readonly order: readonly RowOrder[]
  /** For generators: every order of pages that some wiki had. */
  readonly pages?: readonly PageOrder[]
  /** False where several rows may be one page, so that an answer may hide some. */
  readonly distinct?: false
  /** True where the wiki contradicts itself, so that a batch proves nothing about another. */
  readonly contradicts?: true
}

/** Parameters that change the order of rows or the continue values; a fact without them holds only where none is sent. */
export const orderingParams: readonly string[] =
  'dir sort unique redirect orderby generatetitles userids iprange'.split(' ')

export const listingFacts: () => readonly ListingFact[] = lazy(() => [
  ...factsIn('list', dataFile('lists')),
  ...factsIn('generator', dataFile('generators')),
  ...factsIn('prop', dataFile('props'))
])

/** Adds what the files leave out. Their shape is proven by test/recorder/knowledge/listing-facts.test.ts. */
function factsIn(kind: ListingFact['kind'], data: unknown) {
  return Array.isArray(data)
    ? data.map((fact: Omit<ListingFact, 'kind' | 'on'>) => ({
        ...fact,
        kind,
        on: fact.read ?? Object.keys(fact.proven ?? {})
      }))
    : []
}

/**
 * The fact that holds on a wiki, of those that fit one listing: for each proven version the most specific one counts.
 * Undefined where the versions around the wiki's own disagree.
 * @param generator as in siteinfo, e.g. `MediaWiki 1.43.9`
 */
export function factFor(
  fitting: readonly ListingFact[],
  generator?: string
): ListingFact | undefined {
  const proven = new Map<string, ListingFact>()
  for (const fact of fitting) {
    for (const on of fact.on) {
      const known = proven.get(on)
      if (!known || specificity(fact) > specificity(known)) proven.set(on, fact)
    }
  }
  const versions = [...proven.keys()].sort(
    (a, b) => (minorOf(a) ?? 0) - (minorOf(b) ?? 0)
  )
  const [first, ...others] = bracketingVersions(versions, generator).map((one) =>
    proven.get(one)
  )
  // A fact of newer versions does not hold for older wikis, nor for those of unknown version.
  const younger = [first, ...others].some(
    (fact) =>
      fact?.since !== undefined && (minorOf(generator) ?? 0) < (minorOf(fact.since) ?? 0)
  )
  return younger ? undefined : others.reduce(commonFact, first)
}

const specificity = ({ when }: ListingFact) => Object.keys(when).length

/** What two facts have in common: where their values differ, only the order. */
function commonFact(a: ListingFact | undefined, b: ListingFact | undefined) {
  if (a === b || !a || !b) return a === b ? a : undefined
  const same = (x: unknown, y: unknown) => JSON.stringify(x) === JSON.stringify(y)
  if (a.param !== b.param || !same(a.order, b.order) || a.contradicts !== b.contradicts)
    return undefined
  const alike = a.number === b.number && a.value.length === b.value.length
  const value = alike
    ? a.value.map((part, at) => (part === b.value[at] ? part : '?'))
    : ['?']
  const pages = [...new Set([...(a.pages ?? []), ...(b.pages ?? [])])]
  return {
    ...a,
    value,
    ...(a.pages ? { pages } : {}),
    ...(b.distinct === false ? b : {})
  }
}
