/**
 * What the answer to a request depends on: everything, unless MediaWiki's own code says less. With what a write may change
 * (`write-set.ts`) it decides whether an answer from before the write is still valid (docs/sessions.md).
 */

import { wordSet } from '../../text/words.ts'
import { queryModulesOf } from '../modules/active-modules.ts'
import { hasValue, type Params, valuesOf } from '../parameters/request-params.ts'
import type { SiteFacts } from '../site/site-facts.ts'
import { entitiesBehind, entitiesRead, writesEntities } from './entities.ts'
import { isStaticPath, type RequestEffect, sessionModules } from './request-effect.ts'
import { isEntityRoute, restNames } from './rest-routes.ts'
import { showsNoOrder } from './write-order.ts'
import { namedPages, namedTitles, type WriteSet, writeSetOf } from './write-set.ts'

export interface ReadSet {
  /**
   * `nothing`: no write changes the answer (logins, tokens). `site`: neither do writes of ordinary pages. `pages`: only
   * those of these pages do.
   */
  readonly kind: 'nothing' | 'site' | 'pages' | 'everything'
  readonly titles: ReadonlySet<string>
  readonly ids: ReadonlySet<string>
  /** It shows whether the caller's talk page has news. */
  readonly news: boolean
  /** A purge may change it. */
  readonly purged: boolean
  /** It may show in which order pages were edited. */
  readonly isOrdered: boolean
  readonly reason: string
}

/** Why the write may have changed the answer; undefined if it cannot have. */
export function whyAffected(written: WriteSet, read: ReadSet): string | undefined {
  if (read.kind === 'nothing') return undefined
  switch (written.kind) {
    case 'news':
      return read.news ? 'it shows whether there are new messages' : undefined
    case 'purge':
      return read.purged ? 'a page was purged since' : undefined
    case 'view':
      return read.kind === 'everything' ? read.reason : undefined
    case 'content':
      return read.kind === 'site' ? undefined : written.reason
    case 'everything':
      return written.reason
    case 'pages':
      return read.kind === 'everything' ? read.reason : whyWritten(written, read)
  }
}

function whyWritten(written: WriteSet & { readonly kind: 'pages' }, read: ReadSet) {
  const page = [...read.titles].find((one) => written.titles.has(one))
  if (page !== undefined) return `${page} was written since`
  if (written.titles.size === 0 && read.titles.size > 0) return 'a page was written since'
  const id = [...read.ids].find((one) => written.ids.size === 0 || written.ids.has(one))
  return id === undefined ? undefined : `page ${id} may have been written since`
}

const none: ReadonlySet<string> = new Set()

export const readsPages = (
  titles: ReadonlySet<string>,
  ids: ReadonlySet<string> = none
): ReadSet => ({
  kind: 'pages',
  titles,
  ids,
  news: false,
  purged: false,
  isOrdered: false,
  reason: ''
})

const readsNoPage = (kind: 'nothing' | 'site'): ReadSet => ({ ...readsPages(none), kind })

const readsEverything = (
  reason: string,
  shown?: Partial<Pick<ReadSet, 'purged' | 'news' | 'isOrdered'>>
): ReadSet => ({
  kind: 'everything',
  titles: none,
  ids: none,
  news: true,
  purged: true,
  isOrdered: true,
  ...shown,
  reason
})

/** Neither pages nor users show in them. Source: ApiQuerySiteinfo, ApiParamInfo, ApiQueryUserInfo … of MediaWiki 1.35 to 1.43 */
const siteModules = wordSet(
  'help paraminfo sitematrix query+siteinfo query+filerepoinfo query+languageinfo query+userinfo'
)
/** Their answers are made of revisions of the named pages. Source: ApiQueryRevisionsBase, MediaWiki 1.35 to 1.43 */
const revisionModules = wordSet('query+revisions query+deletedrevisions')
/** They show neither when a page was touched nor what is rendered. Source: the modules of MediaWiki 1.35 to 1.43 */
const unpurgedModules: ReadonlySet<string> = new Set([
  ...siteModules,
  ...revisionModules,
  ...wordSet(
    'compare expandtemplates opensearch rsd query feedrecentchanges feedcontributions feedwatchlist'
  ),
  ...`allcategories allfileusages allimages alllinks allpages allredirects allrevisions alltransclusions
    allusers alldeletedrevisions backlinks blocks categorymembers embeddedin exturlusage filearchive
    imageusage iwbacklinks langbacklinks logevents mystashedfiles pagepropnames pageswithprop
    prefixsearch protectedtitles querypage random recentchanges search tags usercontribs users
    watchlist watchlistraw categories categoryinfo contributors duplicatefiles extlinks fileusage
    images iwlinks langlinks links linkshere pageprops redirects templates transcludedin
    allmessages tokens`
    .split(/\s+/)
    .map((name) => `query+${name}`)
])
/** Parameters that bring other things into an answer. */
const wideningParams = wordSet(
  'generator revids redirects converttitles export exportnowrap amenableparser intestactions sinumberingroup uselang'
)
/** Parameters that have revisions rendered, or compared with a text. */
const renderingParams =
  /^(?:d?rv)(?:parse|expandtemplates|generatexml|difftotext|difftotextpst)$/
/** Values of `…prop` parameters that show more than the module does: counts, blocks, whether pages exist that are linked to. */
const wideningValues: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['siprop', wordSet('statistics dbrepllag')],
  [
    'uiprop',
    wordSet(
      'editcount latestcontrib unreadcount blockinfo groups groupmemberships implicitgroups rights changeablegroups ratelimits'
    )
  ],
  ['rvprop', wordSet('parsetree parsedcomment')],
  ['drvprop', wordSet('parsetree parsedcomment')]
])

export function readSetOf(
  canonical: Params,
  effect: RequestEffect,
  site: SiteFacts | undefined
): ReadSet {
  const target = canonical.get('plain target')
  if (target !== undefined)
    return isStaticPath(target) ? readsNoPage('site') : plainReadSet(target, effect, site)
  if (effect === 'write') return writeReadSet(canonical, site)
  const entities = entitiesRead(canonical)
  if (entities) return readsPages(entities)
  const modules = requestedModules(canonical).filter((one) => !sessionModules.test(one))
  if (modules.length === 0 && effect === 'session') return readsNoPage('nothing')
  const news = hasValue(canonical.get('uiprop'), 'hasmsg')
  const rendering = [...canonical.keys()].find((name) => renderingParams.test(name))
  const purged =
    canonical.has('export') ||
    !modules.every((one) => unpurgedModules.has(one)) ||
    rendering !== undefined
  const isOrdered = !showsNoOrder(modules, canonical)
  const everything = (reason: string): ReadSet =>
    readsEverything(reason, { purged, news, isOrdered })
  for (const [name, values] of wideningValues) {
    const far = [...values].find((one) => hasValue(canonical.get(name), one))
    if (far !== undefined) return everything(`${far} shows every write`)
  }
  const wide = [...canonical.keys()].find(
    (name) => wideningParams.has(name) || renderingParams.test(name)
  )
  const unknown = modules.find(
    (one) => !siteModules.has(one) && !revisionModules.has(one)
  )
  if (unknown !== undefined)
    return everything(`${unknown.replace('query+', '')} may show every write`)
  if (wide !== undefined) return everything(`${wide} brings other pages in`)
  const titles = namedTitles(valuesOf(canonical, 'titles'), site)
  if (!titles) return everything('its titles are not certain')
  const ids = new Set(valuesOf(canonical, 'pageids'))
  // News are written by edits of the caller's talk page.
  if (news) return everything('hasmsg shows edits of a talk page')
  if (titles.names.size + ids.size === 0) return readsNoPage('site')
  return readsPages(titles.names, ids)
}

function plainReadSet(
  target: string,
  effect: RequestEffect,
  site: SiteFacts | undefined
): ReadSet {
  const names = restNames(target)
  // A missing title may lead to its variant's page, which others write (PageRedirectHelper).
  const isCertain = names?.titles.length === 0 || site?.hasVariants !== true
  const titles = names && isCertain ? namedTitles(names.titles, site)?.names : undefined
  // Labels and links to sites must differ from those of all others.
  const isUnique = effect === 'write' && isEntityRoute(target)
  if (names && titles && !isUnique) {
    const all = new Set([...titles, ...names.entities])
    if (all.size > 0) return readsPages(all)
  }
  return readsEverything('any page or file may show a write')
}

/** Of a page they show the page itself; the others the site and the caller, as they are when a client begins. */
const beginningModules = wordSet(
  'query+info query+revisions query+categoryinfo query+siteinfo query+userinfo'
)

/** The pages that a request is about, if it is about these alone; none of one that shows no page. */
export function namedPagesRead(
  canonical: Params,
  readSet: ReadSet,
  site: SiteFacts | undefined
): ReadSet | undefined {
  if (readSet.kind === 'pages') return readSet
  if (readSet.kind !== 'everything') return readsPages(none)
  const titles = namedTitles(valuesOf(canonical, 'titles'), site)
  const counts =
    canonical.has('sinumberingroup') || hasValue(canonical.get('siprop'), 'statistics')
  const isOfPages = requestedModules(canonical).every((one) => beginningModules.has(one))
  return isOfPages && !counts && titles ? readsPages(titles.names) : undefined
}

/** The action, or for `query` what it asks for, its generator too. */
function requestedModules(canonical: Params) {
  const action = canonical.get('action') ?? 'help'
  return action === 'query' ? queryModulesOf(canonical).map(([path]) => path) : [action]
}

/** The answer to a plain edit depends on its page, and on what decides whether it may be made, which other edits do not. */
function writeReadSet(canonical: Params, site: SiteFacts | undefined): ReadSet {
  const entities = entitiesBehind(canonical)
  if (entities) return readsPages(entities)
  const action = canonical.get('action') ?? ''
  const written = writeSetOf(canonical, site)
  const isPurge = written.kind === 'purge'
  const isWide = [...canonical.keys()].some((name) => wideningParams.has(name))
  const pages = isPurge && !isWide ? namedPages(canonical, site) : written
  if (pages.kind === 'pages' && !writesEntities(action))
    return readsPages(pages.titles, pages.ids)
  if (written.kind === 'news') return readsNoPage('nothing')
  return readsEverything(
    pages.kind === 'everything' ? pages.reason : 'labels and links must be unique',
    { purged: !isPurge, isOrdered: !showsNoOrder([action], canonical) }
  )
}
