/**
 * The pages of an answer to `titles=`, ordered for another order of the titles: invalid titles are numbered -1, -2, …
 * in the request's order, then missing pages by namespace and in the request's order; existing pages come in the
 * database's order, or in formatversion 2 by id. The database returns the pages of one namespace by title (out of the
 * index), or for large sets by id (out of the table). Recorded answers in which the two differ show it: one by title
 * counts for smaller sets too, one by id for larger ones.
 */
import type { Interaction } from '../../cassette/interaction.ts'
import {
  hasMember,
  itemsAt,
  itemsOf,
  type JsonTree,
  jsonArray,
  jsonObject,
  memberAt,
  numberAt,
  textAt,
  textOf
} from '../../json/json-tree.ts'
import { dbKey } from '../../paging/rules/explanation.ts'
import { compareUtf8 } from '../../paging/rules/row-order.ts'
import { valuesOf } from '../../wiki/parameters/request-params.ts'

/** Titles as sent, with the titles of their pages. */
export type TitleMap = ReadonlyMap<string, string>

/** Undefined where the order is not certain. @param to titles of this request: the same as recorded, or a part of them */
export function reorderPages(
  tree: JsonTree | undefined,
  from: TitleMap,
  to: TitleMap
): JsonTree | undefined {
  const all = itemsOf(tree)
  // A page of another title (by a user's gender, by an unknown alias) shows that the wiki spells titles in more ways.
  const recordedTitles = new Set(from.values())
  const isUnderstood = (page: JsonTree): boolean =>
    kindOf(page) !== undefined && recordedTitles.has(titleIn(page))
  if (all.length !== recordedTitles.size || !all.every(isUnderstood)) return undefined
  const titles = new Set(to.values())
  const pages = all.filter((page) => titles.has(titleIn(page)))
  if (pages.length !== titles.size) return undefined
  const invalid = inRequestOrder(pages, 'invalid', to)
  const missing = inRequestOrder(pages, 'missing', to)
  const numbered = [...invalid, ...missing]
  const existing = pages.filter((page) => kindOf(page) === 'existing')
  // Formatversion 2 sorts by the keys of formatversion 1, so the last missing page comes first.
  if (tree?.kind === 'array')
    return isAscending(existing.map(pageIdOf))
      ? jsonArray([...numbered.toReversed(), ...existing])
      : undefined
  const order = namespaceOrder(pages, to)
  // A page that is not requested here may have been the first of its namespace.
  const recordedOrder = namespaceOrder(all, from).filter((one) => order.includes(one))
  const isSameOrder = recordedOrder.join() === order.join()
  if (namespaceOrder(existing, to).length > 1 && !isSameOrder) return undefined
  // Any other order is not understood.
  if (!isSortedByTitle(existing) && !isAscending(existing.map(pageIdOf))) return undefined
  const keyOf = (page: JsonTree): string =>
    String(numbered.includes(page) ? -1 - numbered.indexOf(page) : pageIdOf(page))
  return jsonObject(
    [...missing, ...invalid, ...existing].map((page) => [keyOf(page), page])
  )
}

/** Undefined for pages that are numbered otherwise: special, of another wiki. */
function kindOf(page: JsonTree): 'invalid' | 'missing' | 'existing' | undefined {
  if (isInvalid(page)) return 'invalid'
  if ((namespaceOf(page) ?? -1) < 0) return undefined
  if (hasMember(page, 'missing')) return 'missing'
  return numberAt(page, 'pageid') === undefined ? undefined : 'existing'
}

export const isInvalid = (page: JsonTree): boolean => hasMember(page, 'invalid')

/** Within each namespace. */
const isSortedByTitle = (pages: readonly JsonTree[]): boolean =>
  pages.every((page, at) => {
    const before = pages[at - 1]
    return (
      !before ||
      namespaceOf(before) !== namespaceOf(page) ||
      comparePages(before, page) < 0
    )
  })

/** Namespaces of these pages in the order of their first title in the request. */
function namespaceOrder(
  pages: readonly JsonTree[],
  requested: TitleMap
): readonly (number | undefined)[] {
  const namespaces = new Map(pages.map((page) => [titleIn(page), namespaceOf(page)]))
  return [
    ...new Set([...requested.values()].flatMap((title) => namespaces.get(title) ?? []))
  ]
}

/** Pages of one kind by namespace, in the order of all pages' namespaces, then in the request's order. */
function inRequestOrder(
  pages: readonly JsonTree[],
  kind: 'invalid' | 'missing',
  requested: TitleMap
): readonly JsonTree[] {
  const order = [...requested.values()]
  const namespaces = namespaceOrder(pages, requested)
  const rank = (page: JsonTree): number =>
    namespaces.indexOf(namespaceOf(page)) * order.length + order.indexOf(titleIn(page))
  return pages.filter((page) => kindOf(page) === kind).sort((a, b) => rank(a) - rank(b))
}

/**
 * Existing pages of several namespaces, where every order that a database may choose is the same one: by id, by namespace
 * and title, by the namespaces in the request's order and title. @param pages with the missing ones, whose namespaces count
 */
export function inEveryOrder(
  existing: readonly JsonTree[],
  pages: readonly JsonTree[],
  requested: TitleMap
): readonly JsonTree[] | undefined {
  const byId = sortedById(existing)
  const spaces = byId.map((page) => namespaceOf(page) ?? 0)
  const inRequest = namespaceOrder(pages, requested)
  const isRising = (values: readonly number[]): boolean =>
    values.every((value, at) => at === 0 || (values[at - 1] ?? 0) <= value)
  const isAgreed =
    isRising(spaces) && isRising(spaces.map((one) => inRequest.indexOf(one)))
  return isAgreed && isSortedByTitle(byId) ? byId : undefined
}

type DatabaseOrder = 'by id' | 'by title'

/** Pages of one namespace; undefined where that order is not certain. @param size how many titles are requested */
export function inDatabaseOrder(
  pages: readonly JsonTree[],
  size: number,
  recordings: Iterable<Interaction>
): readonly JsonTree[] | undefined {
  const byId = sortedById(pages)
  if (isSortedByTitle(byId)) return byId
  const order = observedOrder(recordings, size)
  if (order !== 'by title') return order && byId
  return [...pages].sort(comparePages)
}

function observedOrder(
  recordings: Iterable<Interaction>,
  size: number
): DatabaseOrder | undefined {
  let maxByTitle = 0
  let minById = Number.POSITIVE_INFINITY
  for (const { request, responses } of recordings) {
    const sent = valuesOf(request, 'titles').length
    const [{ body }] = responses
    const isWider = ['generator', 'redirects', 'converttitles'].some((name) =>
      request.has(name)
    )
    if (isWider || sent === 0 || body.kind !== 'json') continue
    const order = orderInAnswer(body.tree)
    if (order === 'by title') maxByTitle = Math.max(maxByTitle, sent)
    if (order === 'by id') minById = Math.min(minById, sent)
  }
  if (maxByTitle >= minById) return undefined
  return size <= maxByTitle ? 'by title' : size >= minById ? 'by id' : undefined
}

/** Undefined where the two orders are the same, or the pages are of several namespaces. */
function orderInAnswer(body: JsonTree): DatabaseOrder | undefined {
  const existing = inFoundOrder(body).filter(pageExists)
  if (new Set(existing.map(namespaceOf)).size !== 1) return undefined
  const byId = isAscending(existing.map(pageIdOf))
  if (byId === isSortedByTitle(existing)) return undefined
  return byId ? 'by id' : 'by title'
}

/** Pages in the database's order; none where the answer does not show it. */
function inFoundOrder(body: JsonTree): readonly JsonTree[] {
  const listed = memberAt(body, 'query', 'pages')
  if (listed?.kind === 'object') return listed.members.map(({ value }) => value)
  // Formatversion 2 sorts pages by id; the list of ids (`indexpageids`) is in the database's order.
  const pages = itemsOf(listed)
  return itemsAt(body, 'query', 'pageids').flatMap(
    (id) => pages.find((page) => String(pageIdOf(page)) === textOf(id)) ?? []
  )
}

export const pageExists = (page: JsonTree): boolean =>
  !hasMember(page, 'missing') && hasMember(page, 'pageid')
export const namespaceOf = (page: JsonTree): number | undefined => numberAt(page, 'ns')
export const pageIdOf = (page: JsonTree): number => numberAt(page, 'pageid') ?? 0

export const sortedById = (pages: readonly JsonTree[]): readonly JsonTree[] =>
  [...pages].sort((a, b) => pageIdOf(a) - pageIdOf(b))

/** Compares titles as the database does. */
const comparePages = (a: JsonTree, b: JsonTree): number =>
  compareUtf8(dbKey(titleIn(a)), dbKey(titleIn(b)))
export const titleIn = (page: JsonTree): string => textAt(page, 'title') ?? ''

export const isAscending = (values: readonly number[]): boolean =>
  values.every((value, at) => at === 0 || (values[at - 1] ?? 0) < value)
