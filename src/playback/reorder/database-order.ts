/**
 * In which order a wiki's database gives the pages of one namespace that a set of titles names: by title, out of the
 * index, or for many by id, out of the table. Recorded answers in which the two differ show it: by title also for
 * smaller sets, by id also for larger ones.
 */
import type { Interaction } from '../../cassette/interaction.ts'
import { itemsOf, type JsonTree, memberAt, memberOf, numberOf, textOf } from '../../json/json-tree.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'

export type DatabaseOrder = 'by id' | 'by title'

/** Existing pages of one namespace in the order asked about; undefined where that is not certain. */
export function inDatabaseOrder(
  pages: readonly JsonTree[],
  size: number,
  recordings: Iterable<Interaction>,
): readonly JsonTree[] | undefined {
  const byId = [...pages].sort((a, b) => idOf(a) - idOf(b))
  if (isByTitle(byId)) return byId
  switch (orderShown(recordings, size)) {
    case 'by id':
      return byId
    case 'by title':
      return [...pages].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    case undefined:
      return undefined
  }
}

/** @param size how many titles are asked for */
function orderShown(recordings: Iterable<Interaction>, size: number): DatabaseOrder | undefined {
  let [mostByTitle, leastById] = [0, Number.POSITIVE_INFINITY]
  for (const { request, responses } of recordings) {
    const found = ['generator', 'redirects', 'converttitles'].every((name) => !request.has(name))
    const sent = found ? splitValues(request.get('titles') ?? '').length : 0
    const [{ body }] = responses
    const order = sent > 0 && body.kind === 'json' ? orderIn(body.tree) : undefined
    if (order === 'by title') mostByTitle = Math.max(mostByTitle, sent)
    if (order === 'by id') leastById = Math.min(leastById, sent)
  }
  if (mostByTitle >= leastById) return undefined
  return size <= mostByTitle ? 'by title' : size >= leastById ? 'by id' : undefined
}

/** What one answer shows; undefined where its pages stand by id and by title alike, or in several namespaces. */
function orderIn(body: JsonTree): DatabaseOrder | undefined {
  const existing = asFound(body).filter(existsAt)
  if (new Set(existing.map(namespaceOf)).size !== 1) return undefined
  const [byId, byTitle] = [isRising(existing.map(idOf)), isByTitle(existing)]
  if (byId === byTitle) return undefined
  return byId ? 'by id' : 'by title'
}

/** Pages in the order in which the database gave them; none where that does not show. */
function asFound(body: JsonTree): readonly JsonTree[] {
  const held = memberAt(body, 'query', 'pages')
  if (held?.kind === 'object') return held.members.map(({ value }) => value)
  // Formatversion 2 has pages by id; the list of their ids, where it was asked for, is as they were found.
  const pages = itemsOf(held)
  return itemsOf(memberAt(body, 'query', 'pageids')).flatMap(
    (id) => pages.find((page) => String(idOf(page)) === textOf(id)) ?? [],
  )
}

export const existsAt = (page: JsonTree): boolean =>
  memberOf(page, 'missing') === undefined && memberOf(page, 'pageid') !== undefined
export const namespaceOf = (page: JsonTree): number | undefined => numberOf(memberOf(page, 'ns'))
export const idOf = (page: JsonTree): number => numberOf(memberOf(page, 'pageid')) ?? 0

/** Sorts as UTF-8 bytes do. */
export const titleKey = (title: string): string => Buffer.from(title.replaceAll(' ', '_')).toString('latin1')

const keyOf = (page: JsonTree): string => titleKey(textOf(memberOf(page, 'title')) ?? '')

const isByTitle = (pages: readonly JsonTree[]): boolean =>
  pages.every((page, at) => {
    const before = pages[at - 1]
    return before === undefined || keyOf(before) < keyOf(page)
  })

export const isRising = (values: readonly number[]): boolean =>
  values.every((value, at) => at === 0 || (values[at - 1] ?? 0) < value)
