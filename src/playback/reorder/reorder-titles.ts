/**
 * The answer to `titles=` in another order or spelling, rebuilt from a recorded one: `normalized` and `converted` follow
 * the request, pages as in page-order.ts.
 * Source: spec, "Page reference"; measured on 1.25, 1.35, 1.39 and 1.43 (test/live/reproject.test.ts, test/live/variants.test.ts).
 */
import {
  itemsOf,
  type JsonMember,
  type JsonTree,
  jsonArray,
  jsonString,
  mapMembers,
  memberAt,
  memberOf,
  objectOf,
  replaceMember,
  textOf,
} from '../../json/json-tree.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { canonicalTitle, parseTitle } from '../../wiki/site/titles.ts'
import { isInvalid, pageExists, reorderPages, type TitleMap } from './page-order.ts'
import { hasOnlyQuery, withRebuiltPages } from './page-siblings.ts'

const rebuildableMembers: ReadonlySet<string> = new Set(['normalized', 'converted', 'redirects', 'pages'])

/**
 * @param recordedTitles the value of `titles` in the recorded request, as sent
 * @param requestedTitles the same titles, or a part of them, in this request
 * @returns undefined where the body cannot be rebuilt exactly
 */
export function reorderTitles(
  body: JsonTree,
  recordedTitles: string,
  requestedTitles: string,
  site: SiteFacts,
): JsonTree | undefined {
  const pages = itemsOf(memberAt(body, 'query', 'pages'))
  const invalid = new Set(pages.filter(isInvalid).map((page) => textOf(memberOf(page, 'title'))))
  const [from, to] = [recordedTitles, requestedTitles].map((titles) => canonicalTitles(titles, site, invalid))
  return from && to && withRebuiltPages(body, (pagesOnly) => reorderTitlePages(pagesOnly, from, to, site))
}

function reorderTitlePages(
  body: JsonTree,
  from: TitleMap,
  to: TitleMap,
  site: SiteFacts,
): JsonTree | undefined {
  const query = memberOf(body, 'query')
  if (query?.kind !== 'object' || !hasOnlyQuery(body)) return undefined
  if (!query.members.every(({ key }) => rebuildableMembers.has(key))) return undefined
  const redirects = memberOf(query, 'redirects')
  const normalized = rebuildNormalized(memberOf(query, 'normalized'), to)
  const variants = variantsIn(memberOf(query, 'converted'))
  // A redirect starts at a converted title; which of the two is named where is not known.
  if (variants === undefined || (redirects !== undefined && variants.size > 0)) return undefined
  const pages = redirects
    ? redirectTargets(memberOf(query, 'pages'), from, to, site)
    : reorderPages(memberOf(query, 'pages'), withVariants(from, variants), withVariants(to, variants))
  if (normalized === undefined || pages === undefined) return undefined
  const converted = [...new Set(to.values())].flatMap((title) => variants.get(title)?.entry ?? [])
  const members: readonly JsonMember[] = [
    ...(normalized.length > 0 ? [{ key: 'normalized', value: jsonArray(normalized) }] : []),
    ...(converted.length > 0 ? [{ key: 'converted', value: jsonArray(converted) }] : []),
    ...(redirects === undefined ? [] : [{ key: 'redirects', value: redirects }]),
    { key: 'pages', value: pages },
  ]
  return replaceMember(body, 'query', () => objectOf(members))
}

/**
 * Titles as sent, each once, with their canonical forms; undefined where one is uncertain.
 * @param invalid titles that have none: the wiki names them as sent
 */
export function canonicalTitles(
  titles: string,
  site: SiteFacts,
  invalid: ReadonlySet<string | undefined> = new Set(),
): TitleMap | undefined {
  const named = new Map<string, string>()
  for (const given of splitValues(titles)) {
    const canonical = invalid.has(given) ? given : canonicalTitle(given, site)
    if (canonical === undefined || (canonical !== given && invalid.has(canonical))) return undefined
    named.set(given, canonical)
  }
  return named
}

/** One entry for each title that was not sent in its canonical form, in the request's order. */
export function rebuildNormalized(
  recorded: JsonTree | undefined,
  requested: TitleMap,
): JsonTree[] | undefined {
  const sample = recorded?.kind === 'array' ? recorded.items[0] : undefined
  const entries = [...requested].filter(([given, canonical]) => given !== canonical)
  // Entries differ between versions (`fromencoded`), so a recorded one is copied.
  if (entries.length > 0 && sample?.kind !== 'object') return undefined
  return entries.map(([given, canonical]) =>
    mapMembers(sample, (value, key) =>
      key === 'from' ? jsonString(given) : key === 'to' ? jsonString(canonical) : value,
    ),
  )
}

/** With `redirects=`, pages keep the database's order if all exist in one namespace; missing ones follow the request. */
export function redirectTargets(
  pages: JsonTree | undefined,
  from: TitleMap,
  to: TitleMap,
  site: SiteFacts,
): JsonTree | undefined {
  const requested = new Set(to.values())
  const same =
    requested.size === new Set(from.values()).size &&
    [...from.values()].every((title) => requested.has(title))
  const namespaces = new Set([...requested].map((title) => parseTitle(title, site)?.namespace.id))
  return same && itemsOf(pages).every(pageExists) && namespaces.size === 1 && !namespaces.has(undefined)
    ? pages
    : undefined
}

/** The title of a page that was found in another variant (script) of the wiki's language, and its entry of `converted`. */
interface TitleVariant {
  readonly title: string
  readonly entry: JsonTree
}

/** By the title that was sent; undefined where an entry of `converted` is not understood. */
export function variantsIn(converted: JsonTree | undefined): ReadonlyMap<string, TitleVariant> | undefined {
  const found = new Map<string, TitleVariant>()
  for (const entry of itemsOf(converted)) {
    const [from, title] = [textOf(memberOf(entry, 'from')), textOf(memberOf(entry, 'to'))]
    if (from === undefined || title === undefined) return undefined
    found.set(from, { title, entry })
  }
  return found
}

const withVariants = (named: TitleMap, variants: ReadonlyMap<string, TitleVariant>): TitleMap =>
  new Map([...named].map(([given, title]) => [given, variants.get(title)?.title ?? title]))
