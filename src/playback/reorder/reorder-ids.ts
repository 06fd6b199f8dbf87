/**
 * The answer to `pageids=` or `revids=` in another order, rebuilt from a recorded one: pages that exist come as the
 * database gives them whatever the request's order, those that do not in the order asked for (in formatversion 2 all
 * sorted by id), and so do `badrevids`.
 * Source: ApiPageSet (`initFromPageIds`, `initFromRevIDs`); measured on 1.35, 1.39 and 1.43 (test/live/reproject.test.ts).
 */
import {
  type JsonMember,
  type JsonTree,
  memberOf,
  membersOf,
  numberOf,
  objectOf,
  replaceMember,
} from '../../json/json-tree.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import { withRebuiltPages } from './page-siblings.ts'

/**
 * @param requested the value of `pageids` or `revids` as it is asked for now, the same set as recorded
 * @returns the rebuilt body, or undefined where it cannot be rebuilt exactly
 */
export const reorderIds = (
  body: JsonTree,
  kind: 'pageids' | 'revids',
  requested: string,
): JsonTree | undefined => withRebuiltPages(body, (pagesOnly) => reorderIdPages(pagesOnly, kind, requested))

function reorderIdPages(body: JsonTree, kind: 'pageids' | 'revids', requested: string): JsonTree | undefined {
  const query = memberOf(body, 'query')
  if (body.kind !== 'object' || query?.kind !== 'object') return undefined
  const plain =
    body.members.every(({ key }) => key === 'query' || key === 'batchcomplete') &&
    query.members.every(({ key }) => key === 'pages' || (kind === 'revids' && key === 'badrevids'))
  const ids = requestOrder(requested)
  if (!plain || ids === undefined) return undefined
  const rebuilt: JsonMember[] = []
  for (const { key, value } of query.members) {
    const ordered = key === 'badrevids' ? inRequestOrder(value, ids) : pagesInOrder(value, kind, ids)
    if (ordered === undefined) return undefined
    rebuilt.push({ key, value: ordered })
  }
  return replaceMember(body, 'query', () => objectOf(rebuilt))
}

/** Each id with its place, where it is named first; undefined where one is written as no wiki writes it. */
function requestOrder(requested: string): ReadonlyMap<string, number> | undefined {
  const order = new Map<string, number>()
  for (const [at, id] of splitValues(requested).entries()) {
    if (!/^[1-9]\d{0,11}$/.test(id)) return undefined
    if (!order.has(id)) order.set(id, at)
  }
  return order
}

function pagesInOrder(
  pages: JsonTree,
  kind: 'pageids' | 'revids',
  ids: ReadonlyMap<string, number>,
): JsonTree | undefined {
  const existing = pagesIn(pages).filter((page) => memberOf(page, 'missing') === undefined)
  const known = existing.map((page) => numberOf(memberOf(page, 'pageid')))
  if (!known.every((id, at) => id !== undefined && (at === 0 || (known[at - 1] ?? 0) < id))) return undefined
  // Sorted by id, and revisions that are not there have no page.
  if (pages.kind === 'array' || kind === 'revids') return pages
  const count = membersOf(pages).length - existing.length
  const [missing, rest] = [membersOf(pages).slice(0, count), membersOf(pages).slice(count)]
  if (!rest.every(({ value }) => memberOf(value, 'missing') === undefined)) return undefined
  const first = inRequestOrder({ kind: 'object', members: missing }, ids)
  return first && { kind: 'object', members: [...membersOf(first), ...rest] }
}

const pagesIn = (pages: JsonTree): readonly JsonTree[] =>
  pages.kind === 'array' ? pages.items : membersOf(pages).map(({ value }) => value)

/** Members named by ids, in the order of the request. */
function inRequestOrder(object: JsonTree, ids: ReadonlyMap<string, number>): JsonTree | undefined {
  const members = membersOf(object)
  if (object.kind !== 'object' || !members.every(({ key }) => ids.has(key))) return undefined
  const rank = ({ key }: JsonMember): number => ids.get(key) ?? 0
  return { kind: 'object', members: [...members].sort((a, b) => rank(a) - rank(b)) }
}
