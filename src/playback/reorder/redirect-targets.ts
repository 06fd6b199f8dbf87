/** The pages of an answer to `titles=…&redirects=` in another order of titles. Measured on 1.35, 1.39 and 1.43 (test/live/reproject.test.ts). */
import { itemsOf, type JsonTree, memberOf, numberOf } from '../../json/json-tree.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { parseTitle } from '../../wiki/site/titles.ts'

/**
 * Redirects and their targets come in the database's order, the same for any order of the titles, as long as all are in
 * one namespace and none is missing: missing pages are numbered in the request's order.
 */
export function redirectTargets(
  pages: JsonTree | undefined,
  from: ReadonlyMap<string, string>,
  to: ReadonlyMap<string, string>,
  site: SiteFacts,
): JsonTree | undefined {
  const requested = new Set(to.values())
  const same =
    requested.size === new Set(from.values()).size &&
    [...from.values()].every((title) => requested.has(title))
  const namespaces = new Set([...requested].map((title) => parseTitle(title, site)?.namespace.id))
  const all = itemsOf(pages)
  const exist = all.every(
    (page) => memberOf(page, 'missing') === undefined && numberOf(memberOf(page, 'pageid')) !== undefined,
  )
  return same && exist && namespaces.size === 1 && !namespaces.has(undefined) ? pages : undefined
}
