/** What a write may have changed: everything, unless MediaWiki's own code leaves more alone; each exception names its source. */
import { mapAll } from '../../text/group-by.ts'
import { wordSet } from '../../text/words.ts'
import { type Params, valuesOf } from '../parameters/request-params.ts'
import { parseTitle, type SiteFacts, type Title, writeTitle } from '../site/site-facts.ts'
import { entityIn, isProperty, writesEntities, writtenEntities } from './entities.ts'
import type { PageWrite, WriteOutcome } from './request-effect.ts'
import { isEntityRoute, restNames } from './rest-routes.ts'

export type WriteSet =
  /** That the caller's talk page has news. Source: ApiClearHasMsg, MediaWiki 1.35 to 1.43 */
  | { readonly kind: 'news' }
  /** When pages were touched, and how they are rendered. Source: ApiPurge, WikiPage::doPurge, MediaWiki 1.35 to 1.43 */
  | { readonly kind: 'purge' }
  /** What a user has seen (a page was viewed). Source: WikiPage::doViewUpdates, MediaWiki 1.35 to 1.43 */
  | { readonly kind: 'view' }
  /** These pages with their revisions, and all that is made of pages: lists, counts, rendered text. */
  | {
      readonly kind: 'pages'
      readonly titles: ReadonlySet<string>
      /** Empty if the wiki did not say. */
      readonly ids: ReadonlySet<string>
      /** As the answer says it; undefined for other writes, and for refused ones. */
      readonly how?: PageWrite | undefined
      /** When, if the answer says it. */
      readonly at?: string | undefined
      /** The whole text was sent, and nothing in it brings in other pages, or links to them. */
      readonly isPlain?: boolean
    }
  /** Pages or files were moved or uploaded: no page that shows in the wiki's own words. */
  | { readonly kind: 'content'; readonly reason: string }
  | { readonly kind: 'everything'; readonly reason: string }

export const writesEverything = (reason: string): WriteSet => ({
  kind: 'everything',
  reason
})

/** They write revisions of the pages that they name, and of no others. */
const pageActions = wordSet('edit delete undelete protect rollback watch')
/** With these a purge writes tables of links; otherwise it only touches pages, whichever they are. */
const linkParams = wordSet('forcelinkupdate forcerecursivelinkupdate')
/** Parameters with which an action changes pages that it does not name, or answers by others. */
const wideningParams = wordSet(
  'generator revids cascade movesubpages deletetalk undeletetalk entirewatchlist redirects redirect converttitles'
)

/** The pages that an answer names. */
type AnsweredPages = Pick<WriteOutcome, 'titles' | 'ids'>
const noPages: AnsweredPages = { titles: [], ids: [] }

/** @param answered the pages that the answer names */
export function writeSetOf(
  canonical: Params,
  site: SiteFacts | undefined,
  answered: AnsweredPages = noPages
): WriteSet {
  const target = canonical.get('plain target')
  if (target !== undefined)
    return canonical.has('plain body') ? sentTo(target, answered.titles, site) : view
  const action = canonical.get('action') ?? ''
  if (action === 'clearhasmsg') return { kind: 'news' }
  if (writesEntities(action))
    return pagesNamed(writtenEntities(canonical, answered.titles))
  const widens = action === 'purge' ? linkParams : wideningParams
  const widening = [...widens].find((name) => canonical.has(name))
  if (action === 'purge' && widening === undefined) return { kind: 'purge' }
  if (!pageActions.has(action) || widening !== undefined)
    return writesEverything(`${widening ?? (action || 'a write')} may change anything`)
  return namedPages(canonical, site, answered)
}

const view: WriteSet = { kind: 'view' }

/** What a request with a body to another address than api.php changes. */
function sentTo(
  target: string,
  answerTitles: readonly string[],
  site: SiteFacts | undefined
): WriteSet {
  const names = restNames(target)
  if (!names) return writesEverything('what was sent')
  if (isEntityRoute(target))
    return pagesNamed(writtenEntities(new Map(), [...names.entities, ...answerTitles]))
  const titles = [...names.titles, ...answerTitles]
  return namedPages(new Map(), site, { titles, ids: [] })
}

const pagesNamed = (
  titles: ReadonlySet<string>,
  ids: ReadonlySet<string> = new Set()
): WriteSet =>
  titles.size + ids.size === 0
    ? writesEverything('the page is not certain')
    : { kind: 'pages', titles, ids }

/** @param outcome what the answer says of a write that was done */
export function writeSetOfDone(
  canonical: Params,
  { titles, ids, how, at, overwrites }: WriteOutcome,
  site: SiteFacts | undefined
): WriteSet {
  const writeSet = writeSetOf(canonical, site, { titles, ids })
  const action = canonical.get('action') ?? ''
  if (writeSet.kind === 'pages') {
    const isOrdinary =
      how === 'watched' || titles.every((one) => isOrdinaryPage(one, site))
    const isWhole = !partialText.some((name) => canonical.has(name))
    const isPlain = isWhole && isWithoutMarkup(canonical.get('text'))
    return isOrdinary ? { ...writeSet, how, at, isPlain } : writeSet
  }
  const isWide = overwrites || canonical.has('movesubpages')
  if (!contentActions.has(action) || isWide) return writeSet
  const isOrdinary =
    action !== 'move' || namedPages(new Map(), site, { titles, ids: [] }).kind === 'pages'
  return isOrdinary
    ? { kind: 'content', reason: `the ${action} may change any page` }
    : writeSet
}

/** With these an edit sends less than the text that it gives its page. */
const partialText = ['section', 'prependtext', 'appendtext', 'undo']

/** True of a text without templates, links, tags, magic words and signatures; false if it is not known. */
export const isWithoutMarkup = (text: string | undefined): boolean =>
  text !== undefined && !/[[{<]|__|~~~/.test(text)

/** Of users, files and categories, and all talk pages, edits show in more than the pages that link to them. */
function isOrdinaryPage(title: string, site: SiteFacts | undefined) {
  const id = site && parseTitle(title, site)?.namespace.id
  return id !== undefined && id >= 0 && id % 2 === 0 && ![2, 6, 14].includes(id)
}

/** Source: ApiMove, ApiUpload, MovePage, LocalFile of MediaWiki 1.35 to 1.43. */
const contentActions = wordSet('move upload')

/** The pages that a request names, as `pages`; everything if they are not certain, or other pages show them. */
export function namedPages(
  canonical: Params,
  site: SiteFacts | undefined,
  answered: AnsweredPages = noPages
): WriteSet {
  const values = (...names: readonly string[]) =>
    names.flatMap((name) => valuesOf(canonical, name))
  const named = [...values('title', 'titles', 'page'), ...answered.titles]
  const titles = namedTitles(named, site)
  const ids = new Set([...values('pageid', 'pageids'), ...answered.ids])
  if (!titles) return writesEverything('the page is not certain')
  if (titles.sharedTitle !== undefined)
    return writesEverything(
      `${titles.sharedTitle} was written since, which other pages show`
    )
  // With one title, the ids are that page's: they may differ only if both are many.
  return pagesNamed(titles.names, titles.names.size > 1 ? new Set() : ids)
}

/** Titles that a request names, in the wiki's own spelling; a talk page counts as its subject, which is watched with it. */
interface NamedTitles {
  readonly names: ReadonlySet<string>
  /** One that other pages show: a template, a module, a message. */
  readonly sharedTitle: string | undefined
}

/** Undefined if the canonical form of one is not certain. */
export function namedTitles(
  given: readonly string[],
  site: SiteFacts | undefined
): NamedTitles | undefined {
  const titles = mapAll(given, (one) => site && parseTitle(one, site))
  if (!titles) return undefined
  const sharedTitle = titles.find(isSharedPage)
  const names = titles.flatMap((one) =>
    [writeTitle(subjectOf(one, site))].concat(entityIn(one.text) ?? [])
  )
  return { names: new Set(names), sharedTitle: sharedTitle && writeTitle(sharedTitle) }
}

function subjectOf(title: Title, site: SiteFacts | undefined) {
  const { id } = title.namespace
  const isTalk = id > 0 && id % 2 === 1
  const subject = isTalk && site?.namespaces.find((one) => one.id === id - 1)
  return subject ? { ...title, namespace: subject } : title
}

/** MediaWiki, Template, Module: what stands there shows in other pages, and in the wiki's own words. */
const sharedNamespaces: ReadonlySet<number> = new Set([8, 10, 828])

/** A user's own styles and scripts come with every page that the user sees. */
const isSharedPage = ({ namespace, text }: Title) =>
  sharedNamespaces.has(namespace.id) ||
  (namespace.id > 15 && isProperty(text)) ||
  (namespace.id === 2 && /\.(?:css|js|json)$/.test(text))
