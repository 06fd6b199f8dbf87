/**
 * The answer of an action with several titles (`purge`, `watch`) to another order of them: missing pages come first, in the
 * request's order, then existing pages in the database's order.
 * Source: ApiPurge, ApiWatch and ApiPageSet of MediaWiki 1.25 to 1.43; measured on 1.35 and 1.39 (test/clients/sessions.test.ts).
 */
import {
  hasMember,
  itemsAt,
  type JsonTree,
  jsonArray,
  memberOf,
  membersOf,
  replaceMember,
  sameTree,
  withoutMember
} from '../../json/json-tree.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { isAscending, namespaceOf, titleIn } from './page-order.ts'
import { canonicalTitles, rebuildNormalized } from './reorder-pages.ts'

/** Actions that answer with one entry for each title. */
export const multiTitleActions: ReadonlySet<string> = new Set(['purge', 'watch'])

/** Undefined where the body cannot be rebuilt exactly. Both times the same titles, as sent. */
export function reorderAction(
  body: JsonTree,
  action: string,
  recordedTitles: string,
  requestedTitles: string,
  site: SiteFacts
): JsonTree | undefined {
  const from = canonicalTitles(recordedTitles, site)
  const to = canonicalTitles(requestedTitles, site)
  const plain = membersOf(body).every(({ key }) =>
    [action, 'normalized', 'batchcomplete'].includes(key)
  )
  if (!from || !to || !plain) return undefined
  const recorded = memberOf(body, 'normalized')
  const normalized = rebuildNormalized(recorded, to)
  const entries = reorderEntries(
    itemsAt(body, action),
    [...new Set(from.values())],
    [...new Set(to.values())]
  )
  if (!normalized || !entries) return undefined
  // Without a recorded `normalized` its position in the answer is unknown.
  if (normalized.length > 0 && !recorded) return undefined
  const rebuilt = replaceMember(body, action, () => jsonArray(entries))
  return normalized.length === 0
    ? withoutMember(rebuilt, 'normalized')
    : replaceMember(rebuilt, 'normalized', () => jsonArray(normalized))
}

/** The entries in the request's order; undefined where more than one order is possible. */
function reorderEntries(
  entries: readonly JsonTree[],
  sent: readonly string[],
  requested: readonly string[]
) {
  const titles = entries.map(titleIn)
  const [namespace, another] = new Set(entries.map(namespaceOf))
  const isSame =
    titles.length === sent.length && sent.every((one) => titles.includes(one))
  if (namespace === undefined || another !== undefined || !isSame) return undefined
  const isSplit = (count: number) =>
    mayBeMissing(entries, count) &&
    isAscending(titles.slice(0, count).map((one) => sent.indexOf(one)))
  const rank = (entry: JsonTree) => requested.indexOf(titleIn(entry))
  const orders = [...titles.keys(), titles.length].filter(isSplit).map((count) => {
    const missing = entries.slice(0, count).sort((a, b) => rank(a) - rank(b))
    return jsonArray([...missing, ...entries.slice(count)])
  })
  const [first, ...others] = orders
  return first && (others.every((one) => sameTree(one, first)) ? first.items : undefined)
}

/** True where the missing pages can be the first `count` entries: `purge` marks each missing page, `watch` none. */
function mayBeMissing(entries: readonly JsonTree[], count: number) {
  const has = (entry: JsonTree, ...names: readonly string[]) =>
    names.some((name) => hasMember(entry, name))
  if (entries.some((entry) => has(entry, 'special', 'invalid', 'interwiki'))) return false
  const tellsMissing = entries.some((entry) => has(entry, 'missing', 'purged'))
  return (
    !tellsMissing || entries.every((entry, at) => has(entry, 'missing') === at < count)
  )
}
