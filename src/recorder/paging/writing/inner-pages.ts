/** The pages of one generator batch, the rows of the prop that continues inside it, and where a request continues. */
import {
  hasMember,
  type JsonTree,
  jsonArray,
  memberOf,
  membersOf,
  numberAt
} from '../../json/json-tree.ts'
import { hasQuirk, quirkNames } from '../../knowledge/module-quirks.ts'
import { groupBy } from '../../text/group-by.ts'
import type { Listing } from '../joining/listing.ts'
import type { LimitedProp } from '../reading/answer-chain.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { basePageMembers } from '../reading/page-members.ts'
import type { ListingRows } from '../reading/row.ts'
import { type ContinueRule, predictText } from '../rules/continue-rule.ts'
import type { ContinueRow } from '../rules/explanation.ts'
import {
  compareUtf8,
  inResponseOrder,
  pagesByTitle,
  pagesInResponse
} from '../rules/row-order.ts'

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

/** Undefined where an order is not proven. @param rows whole pages in the order of the listing */
export function innerPages(
  listing: Listing,
  rows: ListingRows,
  { prop, order }: Pick<InnerModel, 'prop' | 'order'>
): InnerPages | undefined {
  const written = pagesInResponse(listing.pageOrders, rows)
  // Props sorted by title find missing pages in their places, too. Source: ApiQueryBacklinksprop
  const read = order === 'title' ? pagesByTitle(rows) : written
  const pages = order === 'id' || order === 'rows' ? inResponseOrder(rows, order) : read
  if (!written || !pages) return undefined
  const sequence: InnerPages['sequence'][number][] = []
  for (const { item: page } of pages) {
    // Which pages have these members depends on where the batch continues.
    if (quirkNames('counts-later-pages').some((name) => hasMember(page, name)))
      return undefined
    const member = memberOf(page, prop.module)
    if (!member) continue
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
  to: number
): ListingRows {
  const rows = groupBy(sequence.slice(from, to), ({ page }) => page)
  const allMembers = dialect === 'raw' || from === 0
  return written.map((row) => {
    const items = rows.get(row.item)?.map(({ item }) => item)
    const members = membersOf(row.item).flatMap(({ key, value }) => {
      if (key === module) return items ? [{ key, value: jsonArray(items) }] : []
      return allMembers || basePageMembers.has(key) || key === 'index'
        ? [{ key, value }]
        : []
    })
    return { ...row, item: { kind: 'object', members } }
  })
}

/** The index of the first row to give; undefined where the continue value does not name one row. */
export function startRow(
  request: ListingRequest,
  model: InnerModel,
  pages: InnerPages
): number | undefined {
  const { inner } = request
  if (inner.size === 0) return 0
  const value = inner.size === 1 ? inner.get(model.param) : undefined
  if (value === undefined) return undefined
  const [at, second] = rowsAt(model, pages, value)
  if (second !== undefined) return undefined
  return at ?? startAfter(request, model, pages, value)
}

/**
 * A value of a larger or smaller batch may name a page that this one lacks. Props sorted by page id then give the rows
 * of all pages with greater ids (`from > id OR (from = id AND …)`); props sorted by file name skip rows as long as one
 * part of their value is less.
 */
function startAfter(
  { params }: ListingRequest,
  { prop, order, rule }: InnerModel,
  { written, sequence }: InnerPages,
  value: string
) {
  const wanted = value.split('|')
  const rows = sequence.map((row) => predictText(rule, row)?.split('|') ?? [])
  if (rows.some((parts) => parts.length !== wanted.length)) return undefined
  const isAscending = rows.every(
    ([first], at) => at === 0 || compareUtf8(rows[at - 1]?.[0] ?? '', first ?? '') <= 0
  )
  const isByFile =
    hasQuirk('by-file-names', prop.module) &&
    !params.has(`${prop.prefix}dir`) &&
    isAscending
  const [page = ''] = wanted
  const isPageId = rule.parts[0]?.every(
    (one) => one.kind === 'member' && one.owner === 'page' && one.name === 'pageid'
  )
  const isByPage = order === 'id' && isPageId === true && /^\d{1,12}$/.test(page)
  const isWritten = written.some(({ item }) => numberAt(item, 'pageid') === Number(page))
  if (!isByFile && (!isByPage || isWritten)) return undefined
  const at = rows.findIndex((parts) =>
    isByFile
      ? parts.every((part, nth) => compareUtf8(part, wanted[nth] ?? '') >= 0)
      : Number(parts[0]) > Number(page)
  )
  return at < 0 ? sequence.length : at
}

export const rowsAt = (
  { rule }: InnerModel,
  { sequence }: InnerPages,
  value: string
): readonly number[] =>
  sequence.flatMap((row, at) => (predictText(rule, row) === value ? [at] : []))
