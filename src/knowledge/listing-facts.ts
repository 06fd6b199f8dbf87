/**
 * What is true of the listings of every wiki of a version: how they go on, and in what order their rows stand.
 * Data, written by `npm run learn` out of walks through real wikis (data/, docs/decisions/0028); nothing here believes
 * them: a cassette's own evidence wins.
 */
import { dataFile } from './data-file.ts'
import { bracketingVersions, minorOf } from './versions.ts'

/**
 * How the rows of one batch are brought into the order of the listing: as written (`wire`), by the `index` that search
 * gives to pages, by page id, by namespace and title, or by time and revision id.
 */
export type RowOrder = 'wire' | 'index' | 'id' | 'title' | 'id-down' | 'title-down' | 'newest' | 'oldest'

/** How the pages of a generator are written, from rows in the order of the listing. */
export type PageOrder = 'rows' | 'id' | 'title'

export interface ListingFact {
  readonly kind: 'list' | 'generator' | 'prop'
  /** e.g. `allpages`. */
  readonly module: string
  /**
   * Parameters of the module, less its prefix, that it was proven under: `''` absent, `*` present with whatever value,
   * `|` several values, else the one value. `titles` stands for `titles`, `pageids` and `revids`.
   */
  readonly when: Readonly<Record<string, string>>
  /** Absent where it holds for both. */
  readonly formatversion?: '1' | '2'
  /** Versions that walks proved it on, e.g. `1.43`. */
  readonly on: readonly string[]
  /** How many continue values it explained in each of them. */
  readonly proven: Readonly<Record<string, number>>
  /** The first version that it may be of; absent where nothing speaks against older ones. */
  readonly since?: string
  /** The continuation parameter, less the module's prefix. */
  readonly param: string
  /** True where the value is a number in JSON. */
  readonly number?: true
  /**
   * What each part between `|` says: `title:db-key` (a member of the row, and its spelling), `page.pageid` (of the page
   * that the row belongs to), `:db-key` (the row is itself a string), `#` (how many rows lie before it), `'page'` (that
   * text), `?` (what no row shows), `?user` (the same, but one value for all rows of one `user`). Where the walks do
   * not tell several apart, all of them, with `&` between: it may be believed where they agree.
   */
  readonly value: readonly string[]
  /** Every order that all walks allow; one as a rule. */
  readonly order: readonly RowOrder[]
  /** Of generators: every order in which some wiki wrote its pages. */
  readonly pages?: readonly PageOrder[]
  /** False where several rows lead to one page, so that an answer may hide some. */
  readonly distinct?: false
  /** True where the wiki contradicts itself, so that one batch tells nothing of another. */
  readonly contradicts?: true
}

/** Parameters that change in what order rows come, or how the wiki goes on: a fact that does not name them is not of them. */
export const orderingParams: readonly string[] = [
  ...['dir', 'sort', 'unique', 'redirect', 'orderby', 'generatetitles'],
]

/** All of them, in the order of their modules. */
export function listingFacts(): readonly ListingFact[] {
  facts ??= [
    ...factsIn('list', dataFile('lists')),
    ...factsIn('generator', dataFile('generators')),
    ...factsIn('prop', dataFile('props')),
  ]
  return facts
}
let facts: readonly ListingFact[] | undefined

/** What would be known if nobody had ever asked a wiki of that version. */
export const withoutVersion = (version: string): readonly ListingFact[] =>
  listingFacts().flatMap((fact) => {
    const on = fact.on.filter((one) => one !== version)
    return on.length === 0 ? [] : [{ ...fact, on }]
  })

/** The files leave out what follows. Their shape is proven by test/knowledge/listing-facts.test.ts. */
function factsIn(kind: ListingFact['kind'], data: unknown): readonly ListingFact[] {
  return Array.isArray(data)
    ? data.map((fact: Omit<ListingFact, 'kind' | 'on'>) => ({ ...fact, kind, on: Object.keys(fact.proven) }))
    : []
}

/**
 * What holds on a wiki of all that fits one listing: of each proven version the most particular fact. Undefined where
 * versions around the wiki's own disagree.
 * @param generator as siteinfo says it, e.g. `MediaWiki 1.43.9`
 */
export function factFor(
  fitting: readonly ListingFact[],
  generator: string | undefined,
): ListingFact | undefined {
  const proven = new Map<string, ListingFact>()
  for (const fact of fitting) {
    for (const on of fact.on) {
      const known = proven.get(on)
      if (known === undefined || specificity(fact) > specificity(known)) proven.set(on, fact)
    }
  }
  const versions = [...proven.keys()].sort((a, b) => (minorOf(a) ?? 0) - (minorOf(b) ?? 0))
  const [first, ...others] = bracketingVersions(versions, generator).map((one) => proven.get(one))
  // A fact that is known to be younger says nothing of older wikis, nor of those that do not say what they are.
  const younger = [first, ...others].some(
    (fact) => fact?.since !== undefined && (minorOf(generator) ?? 0) < (minorOf(fact.since) ?? 0),
  )
  return younger ? undefined : others.reduce(commonFact, first)
}

const specificity = ({ when }: ListingFact): number => Object.keys(when).length

/** What two versions have in common: an order without the value, where they differ in that. */
function commonFact(a: ListingFact | undefined, b: ListingFact | undefined): ListingFact | undefined {
  if (a === b || a === undefined || b === undefined) return a === b ? a : undefined
  const same = (x: unknown, y: unknown): boolean => JSON.stringify(x) === JSON.stringify(y)
  if (a.param !== b.param || !same(a.order, b.order) || a.contradicts !== b.contradicts) return undefined
  const alike = a.number === b.number && a.value.length === b.value.length
  const value = alike ? a.value.map((part, at) => (part === b.value[at] ? part : '?')) : ['?']
  const pages = [...new Set([...(a.pages ?? []), ...(b.pages ?? [])])]
  return { ...a, value, ...(a.pages === undefined ? {} : { pages }), ...(b.distinct === false ? b : {}) }
}
