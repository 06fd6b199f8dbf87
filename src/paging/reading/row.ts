/** Rows of a listing; where they are inside of pages, taken out of them and put back where they stood. */
import { itemsOf, type JsonTree, membersOf } from '../../json/tree.ts'
import { writeCompact } from '../../json/write.ts'
import { oddNames } from '../../knowledge/oddities.ts'
import { grouped } from '../grouped.ts'

/** One item; `slot` is its page's key under `query.pages` (a generator), the place of its page there (a prop), or empty. */
export interface Row {
  readonly item: JsonTree
  readonly slot: string
  /** The page that a row of a prop, or of a list grouped by page, belongs to; without its rows. */
  readonly page?: JsonTree
  /** The item is members of the page itself, not an entry of an array on it. */
  readonly spread?: true
}

/** Lists that gather the rows of a batch under their pages do so in this member. */
export const groupMember = (): string => oddNames('grouped').join()

/** A page without its rows, and the rows; names of members behind them are added to `followers`. */
export function takeOut(
  page: JsonTree,
  key: string,
  followers: Set<string>,
): { readonly page: JsonTree; readonly items: readonly JsonTree[] } {
  const members = membersOf(page)
  const at = members.findIndex((member) => member.key === key)
  if (at < 0) return { page, items: [] }
  for (const member of members.slice(at + 1)) followers.add(member.key)
  return { page: { kind: 'object', members: members.toSpliced(at, 1) }, items: itemsOf(members[at]?.value) }
}

/** The page with its rows, in front of what was seen behind them. */
function putBack(
  page: JsonTree,
  key: string,
  items: readonly JsonTree[],
  followers: ReadonlySet<string>,
): JsonTree {
  const members = membersOf(page)
  const after = members.findIndex((member) => followers.has(member.key))
  const held = { key, value: { kind: 'array', items } } as const
  return { kind: 'object', members: members.toSpliced(after < 0 ? members.length : after, 0, held) }
}

/** A page of a prop with its rows. */
export function fillPage(
  page: JsonTree,
  module: string,
  rows: readonly Row[],
  followers: ReadonlySet<string>,
): JsonTree {
  const [first] = rows
  if (first === undefined) return page
  return first.spread === true
    ? { kind: 'object', members: [...membersOf(page), ...membersOf(first.item)] }
    : putBack(
        page,
        module,
        rows.map((row) => row.item),
        followers,
      )
}

/** Rows gathered under their pages, each page where its first row stands. */
export function groupRows(rows: readonly Row[], followers: ReadonlySet<string>): readonly JsonTree[] {
  const paged = rows.flatMap(({ item, page }) => (page === undefined ? [] : [{ item, page }]))
  return [...grouped(paged, ({ page }) => writeCompact(page, 'utf8')).values()].map((group) => {
    const items = group.map(({ item }) => item)
    return putBack(group[0].page, groupMember(), items, followers)
  })
}

/** Changes every page, in an object by page id or in an array. */
export function mapPages(pages: JsonTree, change: (page: JsonTree, at: number) => JsonTree): JsonTree {
  if (pages.kind === 'array') return { kind: 'array', items: pages.items.map(change) }
  return {
    kind: 'object',
    members: membersOf(pages).map(({ key, value }, at) => ({ key, value: change(value, at) })),
  }
}
