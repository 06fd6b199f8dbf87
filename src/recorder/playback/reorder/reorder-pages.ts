/**
 * The answer to `titles=` in another order or spelling, rebuilt from a recorded one: `normalized` and `converted` follow
 * the request, pages as in page-order.ts; and to `pageids=` or `revids=`: existing pages stay in the database's order;
 * missing pages and `badrevids` follow the request (formatversion 2 sorts all pages by id).
 * Source: spec, "Page reference"; ApiPageSet (`initFromPageIds`, `initFromRevIDs`); measured on 1.25, 1.35, 1.39 and 1.43
 * (test/live/reproject.test.ts, test/live/variants.test.ts).
 */

import {
  hasMember,
  itemsAt,
  itemsOf,
  type JsonMember,
  type JsonTree,
  jsonLiteral,
  jsonObject,
  jsonString,
  mapMembers,
  memberOf,
  membersOf,
  objectOf,
  textAt
} from '../../json/json-tree.ts'
import { mapAll } from '../../text/group-by.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import {
  canonicalTitle,
  isVersionSince,
  parseTitle,
  type SiteFacts
} from '../../wiki/site/site-facts.ts'
import {
  isAscending,
  isInvalid,
  pageExists,
  pageIdOf,
  reorderPages,
  type TitleMap
} from './page-order.ts'
import { listMember, withRebuiltPages } from './page-siblings.ts'

/** Undefined where the body cannot be rebuilt exactly. @param requestedTitles as sent: the same as recorded, or a part */
export function reorderTitles(
  body: JsonTree,
  recordedTitles: string,
  requestedTitles: string,
  site: SiteFacts
): JsonTree | undefined {
  const pages = itemsAt(body, 'query', 'pages')
  const invalid = new Set(pages.filter(isInvalid).map((page) => textAt(page, 'title')))
  const [from, to] = [recordedTitles, requestedTitles].map((titles) =>
    canonicalTitles(titles, site, invalid)
  )
  return (
    from && to && withRebuiltPages(body, (query) => reorderQuery(query, from, to, site))
  )
}

function reorderQuery(query: JsonTree, from: TitleMap, to: TitleMap, site: SiteFacts) {
  const redirects = memberOf(query, 'redirects')
  const isFormat2 = memberOf(query, 'pages')?.kind === 'array'
  const normalized = rebuildNormalized(
    memberOf(query, 'normalized'),
    to,
    knownEntry(isFormat2, site)
  )
  const variants = variantsIn(memberOf(query, 'converted'))
  // A redirect starts at a converted title; which of the two is named where is not known.
  const isConvertedRedirect = redirects !== undefined && variants?.size !== 0
  if (!variants || isConvertedRedirect || memberOf(query, 'badrevids')) return undefined
  const pages = redirects
    ? redirectTargets(memberOf(query, 'pages'), from, to, site)
    : reorderPages(
        memberOf(query, 'pages'),
        withVariants(from, variants),
        withVariants(to, variants)
      )
  if (!normalized || !pages) return undefined
  const converted = [...new Set(to.values())].flatMap(
    (title) => variants.get(title) ?? []
  )
  return [
    ...listMember('normalized', normalized),
    ...listMember('converted', converted),
    ...(redirects ? [{ key: 'redirects', value: redirects }] : []),
    { key: 'pages', value: pages }
  ]
}

/** Titles as sent, with canonical forms; undefined where one is uncertain. @param invalid these the wiki names as sent */
export function canonicalTitles(
  titles: string,
  site: SiteFacts,
  invalid: ReadonlySet<string | undefined> = new Set()
): TitleMap | undefined {
  const named = new Map<string, string>()
  for (const given of splitValues(titles)) {
    const canonical = invalid.has(given) ? given : canonicalTitle(given, site)
    if (canonical === undefined || (canonical !== given && invalid.has(canonical)))
      return undefined
    named.set(given, canonical)
  }
  return named
}

/**
 * An entry of `normalized` of that version; undefined where it is not known. `fromencoded`, which formatversion 1 leaves
 * out where it is false, came between 1.25 and 1.35. Source: ApiPageSet::getNormalizedTitlesAsResult.
 */
export function knownEntry(isFormat2: boolean, site: SiteFacts): JsonTree | undefined {
  const names = jsonObject([
    ['from', jsonString('')],
    ['to', jsonString('')]
  ])
  if (!isFormat2) return names
  if (!isVersionSince(site.generator, 35)) return undefined
  return objectOf([{ key: 'fromencoded', value: jsonLiteral(false) }, ...names.members])
}

/**
 * One entry for each title that was not sent in its canonical form, in the request's order.
 * @param known an entry for answers that have none
 */
export function rebuildNormalized(
  recorded: JsonTree | undefined,
  titles: TitleMap,
  known?: JsonTree
): JsonTree[] | undefined {
  const sample = recorded?.kind === 'array' ? recorded.items[0] : known
  const entries = [...titles].filter(([given, canonical]) => given !== canonical)
  // Entries differ between versions (`fromencoded`), so a recorded one is copied.
  if (entries.length > 0 && sample?.kind !== 'object') return undefined
  return entries.map(([given, canonical]) =>
    mapMembers(sample, (value, key) =>
      key === 'from' ? jsonString(given) : key === 'to' ? jsonString(canonical) : value
    )
  )
}

/** With `redirects=`, pages keep the database's order if all exist in one namespace; missing ones follow the request. */
export function redirectTargets(
  pages: JsonTree | undefined,
  from: TitleMap,
  to: TitleMap,
  site: SiteFacts
): JsonTree | undefined {
  const requested = new Set(to.values())
  const same =
    requested.size === new Set(from.values()).size &&
    [...from.values()].every((title) => requested.has(title))
  const namespaces = new Set(
    [...requested].map((title) => parseTitle(title, site)?.namespace.id)
  )
  return same &&
    itemsOf(pages).every(pageExists) &&
    namespaces.size === 1 &&
    !namespaces.has(undefined)
    ? pages
    : undefined
}

/** Pages found in another script of the wiki's language, by the title sent; undefined where an entry is not understood. */
export function variantsIn(
  converted: JsonTree | undefined
): ReadonlyMap<string, JsonTree> | undefined {
  const found = new Map(
    itemsOf(converted).map((entry) => [textAt(entry, 'from') ?? '', entry])
  )
  const isUnderstood = ([from, entry]: readonly [string, JsonTree]) =>
    from !== '' && textAt(entry, 'to') !== undefined
  return [...found].every(isUnderstood) ? found : undefined
}

const withVariants = (named: TitleMap, variants: ReadonlyMap<string, JsonTree>) =>
  new Map(
    [...named].map(([given, title]) => [
      given,
      textAt(variants.get(title), 'to') ?? title
    ])
  )

type IdParam = 'pageids' | 'revids'

/** Undefined where the body cannot be rebuilt exactly. @param requested the same set as recorded */
export function reorderIds(
  body: JsonTree,
  kind: IdParam,
  requested: string
): JsonTree | undefined {
  const ids = splitValues(requested)
  // Wikis read other spellings, too.
  if (!ids.every((id) => /^[1-9]\d{0,11}$/.test(id))) return undefined
  return withRebuiltPages(body, (query) =>
    mapAll(membersOf(query), ({ key, value }) => {
      const isBad = key === 'badrevids' && kind === 'revids' && value.kind === 'object'
      const ordered = isBad ? inOrder(membersOf(value), ids) : undefined
      const changed =
        key === 'pages' ? pagesInOrder(value, kind, ids) : ordered && objectOf(ordered)
      return changed && { key, value: changed }
    })
  )
}

function pagesInOrder(pages: JsonTree, kind: IdParam, ids: readonly string[]) {
  const members = membersOf(pages)
  const isMissing = (page: JsonTree) => hasMember(page, 'missing')
  const existing = itemsOf(pages).filter((page) => !isMissing(page))
  const missing = members.filter(({ value }) => isMissing(value))
  if (!existing.every(pageExists) || !isAscending(existing.map(pageIdOf)))
    return undefined
  // Formatversion 2 sorts by id; missing revisions have no page.
  if (pages.kind === 'array' || kind === 'revids') return pages
  const first = inOrder(missing, ids)
  const isFirst = missing.every((member, at) => member === members[at])
  return first && isFirst
    ? objectOf([...first, ...members.slice(missing.length)])
    : undefined
}

/** Members that are named by ids, in the request's order. */
function inOrder(members: readonly JsonMember[], ids: readonly string[]) {
  if (!members.every(({ key }) => ids.includes(key))) return undefined
  return [...members].sort((a, b) => ids.indexOf(a.key) - ids.indexOf(b.key))
}
