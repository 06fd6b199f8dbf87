/**
 * The order in which a wiki's database returns the pages of one namespace for a set of titles: by title (out of the index),
 * or for large sets by id (out of the table). Recorded answers in which the two differ show it: one by title counts for
 * smaller sets too, one by id for larger ones.
 */
import type { Interaction } from '../../cassette/interaction.ts'
import { itemsOf, type JsonTree, memberAt, memberOf, numberOf, textOf } from '../../json/json-tree.ts'
import { dbKey } from '../../paging/rules/explanation.ts'
import { compareUtf8 } from '../../paging/rules/row-order.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'

type DatabaseOrder = 'by id' | 'by title'

/**
 * Existing pages of one namespace in the database's order; undefined where that is not certain.
 * @param size how many titles are requested
 */
export function inDatabaseOrder(
  pages: readonly JsonTree[],
  size: number,
  recordings: Iterable<Interaction>,
): readonly JsonTree[] | undefined {
  const byId = [...pages].sort((a, b) => pageIdOf(a) - pageIdOf(b))
  if (isSortedByTitle(byId)) return byId
  const order = observedOrder(recordings, size)
  if (order !== 'by title') return order && byId
  return [...pages].sort(comparePages)
}

function observedOrder(recordings: Iterable<Interaction>, size: number): DatabaseOrder | undefined {
  let [maxByTitle, minById] = [0, Number.POSITIVE_INFINITY]
  for (const { request, responses } of recordings) {
    const isPlain = ['generator', 'redirects', 'converttitles'].every((name) => !request.has(name))
    const sent = isPlain ? splitValues(request.get('titles') ?? '').length : 0
    const [{ body }] = responses
    const order = sent > 0 && body.kind === 'json' ? orderInAnswer(body.tree) : undefined
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
  const [byId, byTitle] = [isAscending(existing.map(pageIdOf)), isSortedByTitle(existing)]
  if (byId === byTitle) return undefined
  return byId ? 'by id' : 'by title'
}

/** Pages in the database's order; none where the answer does not show it. */
function inFoundOrder(body: JsonTree): readonly JsonTree[] {
  const listed = memberAt(body, 'query', 'pages')
  if (listed?.kind === 'object') return listed.members.map(({ value }) => value)
  // Formatversion 2 sorts pages by id; the list of ids (`indexpageids`) is in the database's order.
  const pages = itemsOf(listed)
  return itemsOf(memberAt(body, 'query', 'pageids')).flatMap(
    (id) => pages.find((page) => String(pageIdOf(page)) === textOf(id)) ?? [],
  )
}

export const pageExists = (page: JsonTree): boolean =>
  memberOf(page, 'missing') === undefined && memberOf(page, 'pageid') !== undefined
export const namespaceOf = (page: JsonTree): number | undefined => numberOf(memberOf(page, 'ns'))
export const pageIdOf = (page: JsonTree): number => numberOf(memberOf(page, 'pageid')) ?? 0

/** Compares titles as the database does. */
export const compareTitles = (a: string, b: string): number => compareUtf8(dbKey(a), dbKey(b))

const comparePages = (a: JsonTree, b: JsonTree): number => compareTitles(titleIn(a), titleIn(b))
const titleIn = (page: JsonTree): string => textOf(memberOf(page, 'title')) ?? ''

const isSortedByTitle = (pages: readonly JsonTree[]): boolean =>
  pages.slice(1).every((page, at) => comparePages(pages[at] ?? page, page) < 0)

export const isAscending = (values: readonly number[]): boolean =>
  values.every((value, at) => at === 0 || (values[at - 1] ?? 0) < value)
