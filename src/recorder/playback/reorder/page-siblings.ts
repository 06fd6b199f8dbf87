/**
 * The siblings of `pages` in an answer: the list of page ids, which follows the pages, and the members of `meta` modules,
 * which are the same in any order of pages.
 * Source: ApiQuery::outputGeneralPageInfo of MediaWiki 1.25 to 1.43; measured on 1.35 and 1.43 (test/live/reproject.test.ts).
 */
import {
  hasMember,
  itemsAt,
  itemsOf,
  type JsonMember,
  type JsonTree,
  jsonArray,
  jsonString,
  memberOf,
  membersAt,
  membersOf,
  objectOf,
  replaceMember,
  sameTree,
  textOf
} from '../../json/json-tree.ts'
import { wordSet } from '../../text/words.ts'
import { pageIdOf } from './page-order.ts'

/** Members of `query` about the requested pages and how they were found. */
const pageMembers = wordSet('normalized converted redirects badrevids pages')

/** True for a member about the requested pages, which come before all others. */
export const isPageMember = (key: string): boolean =>
  pageMembers.has(key) || key === 'pageids' || key === 'interwiki'

/** True for an answer of `query` in the dialect that says `continue` and `batchcomplete`. */
export const isModern = (body: JsonTree): boolean =>
  hasMember(body, 'continue') || hasMember(body, 'batchcomplete')

/** True for a complete answer without warnings or errors. */
export const hasOnlyQuery = (body: JsonTree): boolean =>
  membersOf(body).every(({ key }) => key === 'query' || key === 'batchcomplete')

/** A complete answer with its pages rebuilt out of `query` without siblings; undefined where that is not certain. */
export function withRebuiltPages(
  body: JsonTree,
  rebuild: (query: JsonTree) => readonly JsonMember[] | undefined
): JsonTree | undefined {
  const query = memberOf(body, 'query')
  const siblings = pageSiblings(body)
  if (!query || !siblings || !hasOnlyQuery(body)) return undefined
  const recorded = memberOf(query, 'pageids')
  if (recorded && itemsOf(recorded).length !== itemsAt(query, 'pages').length)
    return undefined
  const rebuilt = rebuild(
    objectOf(membersOf(query).filter(({ key }) => pageMembers.has(key)))
  )
  const pages = rebuilt?.find(({ key }) => key === 'pages')?.value
  const ids = recorded && pages && pageIdList(pages, itemsOf(recorded))
  if (!rebuilt || (recorded && !ids)) return undefined
  const whole = rebuilt.flatMap((member) =>
    member.key === 'pages' && ids ? [{ key: 'pageids', value: ids }, member] : [member]
  )
  return replaceMember(body, 'query', () => objectOf([...whole, ...siblings]))
}

/** Members of `meta` modules and lists; undefined where they are not all behind the pages, or name other wikis. */
export function pageSiblings(
  body: JsonTree | undefined
): readonly JsonMember[] | undefined {
  const members = membersAt(body, 'query')
  const end = members.findIndex(({ key }) => key === 'pages') + 1
  const behind = members.slice(end === 0 ? members.length : end)
  const siblings = members.filter(({ key }) => !pageMembers.has(key) && key !== 'pageids')
  const inPlace =
    siblings.length === behind.length &&
    siblings.every(({ key }, at) => behind[at]?.key === key)
  return inPlace && !siblings.some(({ key }) => key === 'interwiki')
    ? siblings
    : undefined
}

/** A list among the members about pages: the wiki writes none that is empty. */
export const listMember = (
  key: string,
  items: readonly JsonTree[]
): readonly JsonMember[] => (items.length === 0 ? [] : [{ key, value: jsonArray(items) }])

export function haveSameSiblings(
  a: JsonTree | undefined,
  b: JsonTree | undefined
): boolean {
  const one = pageSiblings(a)
  const other = pageSiblings(b)
  return (
    one !== undefined && other !== undefined && sameTree(objectOf(one), objectOf(other))
  )
}

/** The ids of the missing pages, then of the others in the database's order. */
function pageIdList(pages: JsonTree, recorded: readonly JsonTree[]) {
  if (pages.kind === 'object')
    return jsonArray(pages.members.map(({ key }) => jsonString(key)))
  const missing = itemsOf(pages).filter((page) => hasMember(page, 'missing'))
  // With `pageids=` a missing page keeps its id and its place in the request.
  if (missing.some((page) => hasMember(page, 'pageid'))) return undefined
  const existing = itemsOf(pages).filter((page) => !hasMember(page, 'missing'))
  const spaces = new Set(existing.map((page) => JSON.stringify(memberOf(page, 'ns'))))
  const numbers = new Set(existing.map((page) => String(pageIdOf(page))))
  const known = recorded.filter((one) => numbers.has(textOf(one) ?? ''))
  if (spaces.size > 1 || known.length !== existing.length) return undefined
  return jsonArray([...missing.map((_, at) => jsonString(String(-1 - at))), ...known])
}
