/** Rows of a listing, and the pages that have them: rows are extracted from pages and inserted again. */
import {
  itemsOf,
  type JsonTree,
  jsonArray,
  mapMembers,
  memberAt,
  membersOf,
  objectOf,
  replaceAt
} from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { quirkNames } from '../../knowledge/module-quirks.ts'
import { groupBy } from '../../text/group-by.ts'

export interface ListingRow {
  readonly item: JsonTree
  /** The page's key under `query.pages` (a generator), its index there (a prop), or empty. */
  readonly slot: string
  /** The page that a row of a prop, or of a list grouped by page, belongs to; without its rows. */
  readonly page?: JsonTree
  /** The item is members of the page itself, not an entry of an array on it. */
  readonly spread?: true
}

export type ListingRows = readonly ListingRow[]

/** Names of the members of a page that come after its rows. */
export type MembersBehind = ReadonlySet<string>

/** The member of a page for the rows of lists that group them by page. */
export const groupMember = (): string => quirkNames('grouped').join()

/** A page without its rows, and the rows; adds the names of the members after them to `membersBehind`. */
export function extractRows(
  page: JsonTree,
  key: string,
  membersBehind: Set<string>
): { readonly page: JsonTree; readonly items: readonly JsonTree[] } {
  const members = membersOf(page)
  const at = members.findIndex((member) => member.key === key)
  if (at < 0) return { page, items: [] }
  for (const member of members.slice(at + 1)) membersBehind.add(member.key)
  return { page: objectOf(members.toSpliced(at, 1)), items: itemsOf(members[at]?.value) }
}

/** The page with its rows, before the members that follow rows. */
function insertRows(
  page: JsonTree,
  key: string,
  rows: ListingRows,
  membersBehind: MembersBehind
) {
  const members = membersOf(page)
  const after = members.findIndex((member) => membersBehind.has(member.key))
  const member = { key, value: jsonArray(rows.map(({ item }) => item)) }
  return objectOf(members.toSpliced(after < 0 ? members.length : after, 0, member))
}

export function fillPage(
  page: JsonTree,
  module: string,
  rows: ListingRows,
  membersBehind: MembersBehind
): JsonTree {
  const [first] = rows
  if (!first) return page
  if (!first.spread) return insertRows(page, module, rows, membersBehind)
  return objectOf([...membersOf(page), ...membersOf(first.item)])
}

/** Rows grouped by page, each page at its first row. */
export function groupRows(
  rows: ListingRows,
  membersBehind: MembersBehind
): readonly JsonTree[] {
  const paged = rows.flatMap((row) => (row.page ? [{ ...row, page: row.page }] : []))
  const groups = groupBy(paged, ({ page }) => writeCompact(page, 'utf8')).values()
  return [...groups].map((group) =>
    insertRows(group[0].page, groupMember(), group, membersBehind)
  )
}

export function mapFramePages(
  frame: JsonTree,
  change: (page: JsonTree, at: number) => JsonTree
): JsonTree {
  const pages = memberAt(frame, 'query', 'pages')
  return pages ? replaceAt(frame, ['query', 'pages'], mapPages(pages, change)) : frame
}

/** Changes every page, in an object by page id or in an array. */
export function mapPages(
  pages: JsonTree,
  change: (page: JsonTree, at: number) => JsonTree
): JsonTree {
  if (pages.kind === 'array') return jsonArray(pages.items.map(change))
  return mapMembers(pages, (page, _, at) => change(page, at))
}
