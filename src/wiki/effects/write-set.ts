/** What a write may have changed: everything, unless MediaWiki's own code leaves more alone; each exception names its source. */
import { wordSet } from '../../text/words.ts'
import { splitValues } from '../parameters/request-params.ts'
import { parseTitle, type SiteFacts, type Title, writeTitle } from '../site/site-facts.ts'

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
    }
  | { readonly kind: 'everything'; readonly reason: string }

export const writeSetToJson = (writeSet: WriteSet): Readonly<Record<string, unknown>> =>
  writeSet.kind === 'pages'
    ? { kind: writeSet.kind, titles: [...writeSet.titles], ids: [...writeSet.ids] }
    : { ...writeSet }

/** What is not understood counts as a write of everything: then no recording from before it is served. */
export function writeSetFromJson(json: Readonly<Record<string, unknown>>): WriteSet {
  const { kind, titles, ids } = json
  if (kind === 'news' || kind === 'purge' || kind === 'view') return { kind }
  if (kind === 'pages' && Array.isArray(titles) && Array.isArray(ids))
    return { kind, titles: new Set(titles.map(String)), ids: new Set(ids.map(String)) }
  return writesEverything(String(json['reason']))
}

const writesEverything = (reason: string): WriteSet => ({ kind: 'everything', reason })

/** They write revisions of the pages that they name, and of no others. */
const pageActions = wordSet('edit delete undelete protect rollback watch')
/** With these a purge writes tables of links; otherwise it only touches pages, whichever they are. */
const linkParams = wordSet('forcelinkupdate forcerecursivelinkupdate')
/** Parameters with which an action changes pages that it does not name, or answers by others. */
const wideningParams = wordSet(
  'generator revids cascade movesubpages deletetalk undeletetalk entirewatchlist redirects redirect converttitles',
)

/** @param answerTitles and answerIds: the pages that the answer names */
export function writeSetOf(
  canonical: ReadonlyMap<string, string>,
  answerTitles: readonly string[],
  answerIds: readonly string[],
  site: SiteFacts | undefined,
): WriteSet {
  if (canonical.has('plain target'))
    return canonical.has('plain body') ? writesEverything('what was sent') : view
  const action = canonical.get('action') ?? ''
  if (action === 'clearhasmsg') return { kind: 'news' }
  const widens = action === 'purge' ? linkParams : wideningParams
  const widening = [...widens].find((name) => canonical.has(name))
  if (action === 'purge' && widening === undefined) return { kind: 'purge' }
  if (!pageActions.has(action) || widening !== undefined)
    return writesEverything(`${widening ?? (action || 'a write')} may change anything`)
  return namedPages(canonical, answerTitles, answerIds, site)
}

const view: WriteSet = { kind: 'view' }

/** The pages that a request names, as `pages`; everything if they are not certain, or other pages show them. */
export function namedPages(
  canonical: ReadonlyMap<string, string>,
  answerTitles: readonly string[],
  answerIds: readonly string[],
  site: SiteFacts | undefined,
): WriteSet {
  const values = (...names: readonly string[]): readonly string[] =>
    names.flatMap((name) => splitValues(canonical.get(name) ?? ''))
  const titles = namedTitles([...values('title', 'titles', 'page'), ...answerTitles], site)
  const ids = new Set([...values('pageid', 'pageids'), ...answerIds])
  if (titles === undefined || titles.names.size + ids.size === 0)
    return writesEverything('the page is not certain')
  if (titles.sharedTitle !== undefined)
    return writesEverything(`${titles.sharedTitle} was written since, which other pages show`)
  // With one title, the ids are that page's: they may differ only if both are many.
  return { kind: 'pages', titles: titles.names, ids: titles.names.size > 1 ? new Set() : ids }
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
  site: SiteFacts | undefined,
): NamedTitles | undefined {
  if (given.length > 0 && site === undefined) return undefined
  const titles = given.map((one) => site && parseTitle(one, site))
  const parsed = titles.filter((one) => one !== undefined)
  if (parsed.length < given.length) return undefined
  const sharedTitle = parsed.find(isSharedPage)
  return {
    names: new Set(parsed.map((one) => writeTitle(subjectOf(one, site)))),
    sharedTitle: sharedTitle && writeTitle(sharedTitle),
  }
}

function subjectOf(title: Title, site: SiteFacts | undefined): Title {
  const { id } = title.namespace
  const namespace =
    id > 0 && id % 2 === 1 ? site?.namespaces.find((one) => one.id === id - 1) : undefined
  return namespace === undefined ? title : { ...title, namespace }
}

/** MediaWiki, Template, Module: what stands there shows in other pages, and in the wiki's own words. */
const sharedNamespaces: ReadonlySet<number> = new Set([8, 10, 828])

/** A user's own styles and scripts come with every page that the user sees. */
const isSharedPage = ({ namespace, text }: Title): boolean =>
  sharedNamespaces.has(namespace.id) || (namespace.id === 2 && /\.(?:css|js|json)$/.test(text))
