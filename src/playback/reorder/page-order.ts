/**
 * The pages of an answer to `titles=`, ordered for another order of the titles: missing pages are numbered -1, -2, … by
 * namespace and then in the request's order; existing pages come in the database's order, or in formatversion 2 by id.
 */
import {
  itemsOf,
  type JsonTree,
  jsonArray,
  jsonObject,
  memberOf,
  numberOf,
  textOf,
} from '../../json/json-tree.ts'
import { compareTitles, isAscending, pageIdOf } from './database-order.ts'

interface AnswerPage {
  readonly title: string
  readonly namespace: number
  readonly missing: boolean
  readonly tree: JsonTree
}

/** Titles as sent, with the titles of their pages. */
export type TitleMap = ReadonlyMap<string, string>

/**
 * @param from of the recorded request
 * @param to of this request: the same titles, or a part of them
 * @returns undefined where the order is not certain
 */
export function reorderPages(
  recorded: JsonTree | undefined,
  from: TitleMap,
  to: TitleMap,
): JsonTree | undefined {
  const all = itemsOf(recorded).flatMap((tree) => readPage(tree) ?? [])
  // A page of another title (by a user's gender, by an unknown alias) shows that the wiki spells titles in more ways.
  const recordedTitles = new Set(from.values())
  const isUnderstood = all.length === itemsOf(recorded).length && all.length === recordedTitles.size
  if (!isUnderstood || !all.every(({ title }) => recordedTitles.has(title))) return undefined
  const titles = new Set(to.values())
  const pages = all.filter(({ title }) => titles.has(title))
  if (pages.length !== titles.size) return undefined
  const missing = missingInOrder(pages, to)
  const existing = pages.filter((page) => !page.missing)
  // Formatversion 2 sorts by the keys of formatversion 1, so the last missing page comes first.
  if (recorded?.kind === 'array')
    return isAscending(existing.map(pageId))
      ? jsonArray([...missing.toReversed(), ...existing].map(({ tree }) => tree))
      : undefined
  const isSameOrder = namespaceOrder(pages, from).join() === namespaceOrder(pages, to).join()
  if (!isDatabaseOrder(existing) || (namespaceOrder(existing, to).length > 1 && !isSameOrder))
    return undefined
  const keyOf = (page: AnswerPage, at: number): string => String(page.missing ? -1 - at : pageId(page))
  return jsonObject([...missing, ...existing].map((page, at) => [keyOf(page, at), page.tree]))
}

/** Undefined for pages that are numbered otherwise: special, invalid, of another wiki. */
function readPage(tree: JsonTree): AnswerPage | undefined {
  const title = textOf(memberOf(tree, 'title'))
  const namespace = numberOf(memberOf(tree, 'ns'))
  if (title === undefined || namespace === undefined || namespace < 0) return undefined
  if (memberOf(tree, 'invalid') !== undefined) return undefined
  const missing = memberOf(tree, 'missing') !== undefined
  if (!missing && numberOf(memberOf(tree, 'pageid')) === undefined) return undefined
  return { title, namespace, missing, tree }
}

const pageId = ({ tree }: AnswerPage): number => pageIdOf(tree)

/** By id, or by title within each namespace; any other order is not understood. */
function isDatabaseOrder(pages: readonly AnswerPage[]): boolean {
  const byTitle = pages.every((page, at) => {
    const before = pages[at - 1]
    return before?.namespace !== page.namespace || compareTitles(before.title, page.title) < 0
  })
  return byTitle || isAscending(pages.map(pageId))
}

/** Namespaces of these pages in the order of their first title in the request. */
function namespaceOrder(pages: readonly AnswerPage[], requested: TitleMap): readonly number[] {
  const namespaces = new Map(pages.map(({ title, namespace }) => [title, namespace]))
  return [...new Set([...requested.values()].flatMap((title) => namespaces.get(title) ?? []))]
}

/** The missing pages by namespace, in the order of all pages' namespaces, then in the request's order. */
function missingInOrder(pages: readonly AnswerPage[], requested: TitleMap): readonly AnswerPage[] {
  const order = [...new Set(requested.values())]
  const namespaces = namespaceOrder(pages, requested)
  return pages
    .filter((page) => page.missing)
    .sort(
      (a, b) =>
        namespaces.indexOf(a.namespace) - namespaces.indexOf(b.namespace) ||
        order.indexOf(a.title) - order.indexOf(b.title),
    )
}
