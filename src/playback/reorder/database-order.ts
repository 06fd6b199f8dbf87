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
  const byId = [...pages].sort((a, b) => pageIdOf(a) - pageIdOf(b))
  if (isSortedByTitle(byId)) return byId
  switch (observedOrder(recordings, size)) {
    case 'by id':
      return byId
    case 'by title':
      return [...pages].sort((a, b) => (pageTitleKey(a) < pageTitleKey(b) ? -1 : 1))
    case undefined:
      return undefined
  }
}

/** @param size how many titles are asked for */
function observedOrder(recordings: Iterable<Interaction>, size: number): DatabaseOrder | undefined {
  let [maxByTitle, minById] = [0, Number.POSITIVE_INFINITY]
  for (const { request, responses } of recordings) {
    const found = ['generator', 'redirects', 'converttitles'].every((name) => !request.has(name))
    const sent = found ? splitValues(request.get('titles') ?? '').length : 0
    const [{ body }] = responses
    const order = sent > 0 && body.kind === 'json' ? orderInAnswer(body.tree) : undefined
    if (order === 'by title') maxByTitle = Math.max(maxByTitle, sent)
    if (order === 'by id') minById = Math.min(minById, sent)
  }
  if (maxByTitle >= minById) return undefined
  return size <= maxByTitle ? 'by title' : size >= minById ? 'by id' : undefined
}

/** What one answer shows; undefined where its pages stand by id and by title alike, or in several namespaces. */
function orderInAnswer(body: JsonTree): DatabaseOrder | undefined {
  const existing = inFoundOrder(body).filter(pageExists)
  if (new Set(existing.map(namespaceOf)).size !== 1) return undefined
  const [byId, byTitle] = [isAscending(existing.map(pageIdOf)), isSortedByTitle(existing)]
  if (byId === byTitle) return undefined
  return byId ? 'by id' : 'by title'
}

/** Pages in the order in which the database gave them; none where that does not show. */
function inFoundOrder(body: JsonTree): readonly JsonTree[] {
  const listed = memberAt(body, 'query', 'pages')
  if (listed?.kind === 'object') return listed.members.map(({ value }) => value)
  // Formatversion 2 has pages by id; the list of their ids, where it was asked for, is as they were found.
  const pages = itemsOf(listed)
  return itemsOf(memberAt(body, 'query', 'pageids')).flatMap(
    (id) => pages.find((page) => String(pageIdOf(page)) === textOf(id)) ?? [],
  )
}

export const pageExists = (page: JsonTree): boolean =>
  memberOf(page, 'missing') === undefined && memberOf(page, 'pageid') !== undefined
export const namespaceOf = (page: JsonTree): number | undefined => numberOf(memberOf(page, 'ns'))
export const pageIdOf = (page: JsonTree): number => numberOf(memberOf(page, 'pageid')) ?? 0

/** Sorts as UTF-8 bytes do. */
export const titleKey = (title: string): string => Buffer.from(title.replaceAll(' ', '_')).toString('latin1')

const pageTitleKey = (page: JsonTree): string => titleKey(textOf(memberOf(page, 'title')) ?? '')

const isSortedByTitle = (pages: readonly JsonTree[]): boolean =>
  pages.every((page, at) => {
    const before = pages[at - 1]
    return before === undefined || pageTitleKey(before) < pageTitleKey(page)
  })

export const isAscending = (values: readonly number[]): boolean =>
  values.every((value, at) => at === 0 || (values[at - 1] ?? 0) < value)
