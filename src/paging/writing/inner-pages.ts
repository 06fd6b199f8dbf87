/** The pages of one generator batch, which several answers repeat, and the rows of the prop that continues inside it. */

import { type JsonMember, type JsonTree, jsonArray, memberOf, membersOf } from '../../json/json-tree.ts'
import { quirkNames } from '../../knowledge/module-quirks.ts'
import { groupBy } from '../../text/group-by.ts'
import type { Listing } from '../joining/listing.ts'
import type { LimitedProp } from '../reading/answer-chain.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import type { ListingRows } from '../reading/row.ts'
import { basePageMembers } from '../reading/sibling-members.ts'
import type { ContinueRule } from '../rules/continue-rule.ts'
import type { ContinueRow } from '../rules/explanation.ts'
import { inResponseOrder, pagesInResponse } from '../rules/row-order.ts'

/** The order in which a prop reads the pages: by id, by title, as the generator gives them, or as the response has them. */
export const innerOrders = ['id', 'title', 'rows', 'wire'] as const

export interface InnerModel {
  readonly prop: LimitedProp
  readonly param: string
  readonly order: (typeof innerOrders)[number]
  readonly rule: ContinueRule
}

export interface InnerPages {
  /** The pages in the order of the response. */
  readonly written: ListingRows
  /** The rows of the prop in the order in which it gives them, each with its page. */
  readonly sequence: readonly (ContinueRow & { readonly page: JsonTree })[]
}

/**
 * Undefined where an order is not proven.
 * @param rows whole pages in the order of the listing
 */
export function innerPages(
  listing: Listing,
  rows: ListingRows,
  { prop, order }: Pick<InnerModel, 'prop' | 'order'>,
): InnerPages | undefined {
  const written = pagesInResponse(listing.pageOrders, rows)
  const pages = order === 'wire' ? written : inResponseOrder(rows, order)
  if (written === undefined || pages === undefined) return undefined
  const sequence: InnerPages['sequence'][number][] = []
  for (const { item: page } of pages) {
    // Which pages have these members depends on where the batch continues.
    if (quirkNames('counts-later-pages').some((name) => memberOf(page, name) !== undefined)) return undefined
    const member = memberOf(page, prop.module)
    if (member === undefined) continue
    if (member.kind !== 'array') return undefined
    for (const item of member.items) sequence.push({ item, page })
  }
  return { written, sequence }
}

/** The pages with the rows `from` to `to` of the prop, and with what other modules add in such an answer. */
export function pagesWithRows(
  { written, sequence }: InnerPages,
  { module }: LimitedProp,
  { dialect }: ListingRequest,
  from: number,
  to: number,
): ListingRows {
  const rows = groupBy(sequence.slice(from, to), ({ page }) => page)
  const allMembers = dialect === 'raw' || from === 0
  return written.map((row) => {
    const items = rows.get(row.item)?.map(({ item }) => item)
    const members = membersOf(row.item).flatMap(({ key, value }): readonly JsonMember[] => {
      if (key === module) return items === undefined ? [] : [{ key, value: jsonArray(items) }]
      return allMembers || basePageMembers.has(key) || key === 'index' ? [{ key, value }] : []
    })
    return { ...row, item: { kind: 'object', members } }
  })
}
