/**
 * The answer to `pageids=` or `revids=` in another order, rebuilt from a recorded one: existing pages stay in the database's
 * order; missing pages and `badrevids` follow the request (formatversion 2 sorts all pages by id).
 * Source: ApiPageSet (`initFromPageIds`, `initFromRevIDs`); measured on 1.35, 1.39 and 1.43 (test/live/reproject.test.ts).
 */
import {
  itemsOf,
  type JsonMember,
  type JsonTree,
  memberOf,
  membersOf,
  numberOf,
  objectOf,
  replaceMember,
} from '../../json/json-tree.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import { hasOnlyQuery, withRebuiltPages } from './page-siblings.ts'

type IdParam = 'pageids' | 'revids'

/**
 * @param requested the value of `pageids` or `revids` in this request, the same set as recorded
 * @returns undefined where the body cannot be rebuilt exactly
 */
export function reorderIds(body: JsonTree, kind: IdParam, requested: string): JsonTree | undefined {
  return withRebuiltPages(body, (pagesOnly) => {
    const query = memberOf(pagesOnly, 'query')
    if (query?.kind !== 'object' || !hasOnlyQuery(pagesOnly)) return undefined
    const isKnown = (key: string): boolean => key === 'pages' || (kind === 'revids' && key === 'badrevids')
    const ids = requestOrder(requested)
    if (ids === undefined || !query.members.every(({ key }) => isKnown(key))) return undefined
    const rebuilt: JsonMember[] = []
    for (const { key, value } of query.members) {
      const ordered = key === 'badrevids' ? inRequestOrder(value, ids) : pagesInOrder(value, kind, ids)
      if (ordered === undefined) return undefined
      rebuilt.push({ key, value: ordered })
    }
    return replaceMember(pagesOnly, 'query', () => objectOf(rebuilt))
  })
}

/** Each id with the index of its first mention; undefined where one is not spelled as wikis spell ids. */
function requestOrder(requested: string): ReadonlyMap<string, number> | undefined {
  const order = new Map<string, number>()
  for (const [at, id] of splitValues(requested).entries()) {
    if (!/^[1-9]\d{0,11}$/.test(id)) return undefined
    if (!order.has(id)) order.set(id, at)
  }
  return order
}

type RequestOrder = ReadonlyMap<string, number>

function pagesInOrder(pages: JsonTree, kind: IdParam, ids: RequestOrder): JsonTree | undefined {
  const existing = itemsOf(pages).filter((page) => memberOf(page, 'missing') === undefined)
  const known = existing.map((page) => numberOf(memberOf(page, 'pageid')))
  if (!known.every((id, at) => id !== undefined && (at === 0 || (known[at - 1] ?? 0) < id))) return undefined
  // Formatversion 2 sorts by id; missing revisions have no page.
  if (pages.kind === 'array' || kind === 'revids') return pages
  const count = membersOf(pages).length - existing.length
  const [missing, rest] = [membersOf(pages).slice(0, count), membersOf(pages).slice(count)]
  if (!rest.every(({ value }) => memberOf(value, 'missing') === undefined)) return undefined
  const first = inRequestOrder({ kind: 'object', members: missing }, ids)
  return first && { kind: 'object', members: [...membersOf(first), ...rest] }
}

/** Members that are named by ids, in the request's order. */
function inRequestOrder(object: JsonTree, ids: ReadonlyMap<string, number>): JsonTree | undefined {
  const members = membersOf(object)
  if (object.kind !== 'object' || !members.every(({ key }) => ids.has(key))) return undefined
  const rank = ({ key }: JsonMember): number => ids.get(key) ?? 0
  return { kind: 'object', members: [...members].sort((a, b) => rank(a) - rank(b)) }
}
