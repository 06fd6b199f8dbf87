/**
 * Modules that mean something else by a limit, an order or a continue value than the others do, in every version. Unlike
 * data/ this is read out of MediaWiki's source: no walk shows why; each was met on a real wiki too.
 */

interface Oddity {
  readonly modules: readonly string[]
  /** Classes of MediaWiki and its extensions that do so. */
  readonly source: string
}

type Way =
  | 'drawn'
  | 'ranked'
  | 'timed'
  | 'all-links'
  | 'two-levels'
  | 'keeps-place'
  | 'fills-pages'
  | 'files'
  | 'categories'

const oddities: Readonly<Record<Way, Oddity>> = {
  /** Lists that are drawn by lot. */
  drawn: { modules: ['random'], source: 'ApiQueryRandom' },
  /** Results that databases other than SQLite rank without an order: another limit or offset has other rows. */
  ranked: { modules: ['search'], source: 'SearchMySQL::queryMain; measured on MariaDB 10.11' },
  /** Lists that go by time, newest first, and by a second key in the same direction. */
  timed: {
    modules: ['recentchanges', 'logevents', 'usercontribs', 'allrevisions', 'blocks'],
    source:
      'ApiQueryRecentChanges, ApiQueryLogEvents, ApiQueryUserContribs, ApiQueryAllRevisions, ApiQueryBlocks',
  },
  /** Lists of one class, whose order and continue values change with the version; downwards `from` is the end, of the first batch only. */
  'all-links': {
    modules: ['alllinks', 'alltransclusions', 'allfileusages', 'allredirects'],
    source: 'ApiQueryAllLinks::run',
  },
  /** With `redirect` two levels of rows share one limit, whose maximum is halved. */
  'two-levels': { modules: ['backlinks', 'imageusage'], source: 'ApiQueryBacklinks' },
  /** Generators whose lists grow at the front: while a batch is read, they name its first row rather than what was sent. */
  'keeps-place': {
    modules: ['recentchanges', 'allrevisions'],
    source: 'ApiContinuationManager::addGeneratorNonContinueParam',
  },
  /** Props whose batch fills so many pages as its limit says, in the order in which these are written. */
  'fills-pages': {
    modules: ['extracts', 'pageimages'],
    source: 'TextExtracts (array_slice of the good titles), PageImages (the same by page id); 1.35–1.43',
  },
  /** Lists of titles in the namespace of files, and of categories, which none of their parameters names. */
  files: { modules: ['allimages'], source: 'ApiQueryAllImages' },
  categories: { modules: ['allcategories'], source: 'ApiQueryAllCategories' },
}

/** True where a module is odd in that way. */
export const isOdd = (way: Way, module: string): boolean => oddities[way].modules.includes(module)
