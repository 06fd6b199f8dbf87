/**
 * Modules that mean something else by a limit, an order or a continue value than the others do, in every version. Unlike
 * data/ this is read out of MediaWiki's source: no walk shows why; each was met on a real wiki too.
 */

interface Oddity {
  readonly modules: readonly string[]
  /** Classes of MediaWiki and its extensions that do so. */
  readonly source: string
  /** From 1.N on, where older ones do not. */
  readonly since?: number
}

type Way =
  | 'drawn'
  | 'ranked'
  | 'timed'
  | 'all-links'
  | 'by-target'
  | 'two-levels'
  | 'keeps-place'
  | 'fills-pages'
  | 'one-at-a-time'
  | 'counts-onward'
  | 'by-file-names'
  | 'names-files'
  | 'names-categories'
  | 'names-users'
  | 'names-users-capital'

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
  /** The same, where they are sorted by an id of the target, always upwards, and yet go on by title, or downwards. */
  'by-target': {
    modules: ['alllinks', 'alltransclusions', 'allfileusages', 'allredirects'],
    source: 'ApiQueryAllLinks::run; measured on 1.43',
    since: 40,
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
  /** Props that, asked for whole texts, give one page's, with a warning where there are several pages. */
  'one-at-a-time': { modules: ['extracts'], source: 'ApiQueryExtracts::execute, without exintro' },
  /** Props that count something of each page that a batch begins with or has still to come to. */
  'counts-onward': { modules: ['contributors'], source: 'ApiQueryContributors' },
  /** Props that drop files whose names are less, and then pass over rows until one is not less, be it of another file. */
  'by-file-names': { modules: ['duplicatefiles'], source: 'ApiQueryDuplicateFiles::run' },
  /** Lists of titles in the namespace of files, and of categories, which none of their parameters names. */
  'names-files': { modules: ['allimages'], source: 'ApiQueryAllImages' },
  'names-categories': { modules: ['allcategories'], source: 'ApiQueryAllCategories' },
  /** Lists of names of users, `_` being a space in them; measured: 1.35 leaves the first letter as it is, 1.39 and 1.43 do not. */
  'names-users': { modules: ['allusers'], source: 'ApiQueryAllUsers' },
  'names-users-capital': { modules: ['allusers'], source: 'ApiQueryAllUsers', since: 39 },
}

/** True where a module is odd in that way, in whichever versions. */
export const isOdd = (way: Way, module: string): boolean => oddities[way].modules.includes(module)

/** The 1.N from which on a way is met. */
export const oddSince = (way: 'by-target' | 'names-users-capital'): number => oddities[way].since ?? 0

/** Lists that gather the rows of a batch under their pages do so in this member. Source: ApiQueryAllRevisions */
export const groupMember = 'revisions'

/** What makes revisions cost so much that fewer of them are given at once: parameters, and values of `prop`. Source: ApiQueryRevisionsBase */
export const costlyParams: readonly string[] = [
  'parse',
  'diffto',
  'difftotext',
  'expandtemplates',
  'generatexml',
]
export const costlyProps: readonly string[] = ['content', 'parsetree']
