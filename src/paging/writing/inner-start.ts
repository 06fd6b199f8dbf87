/** The row at which a request continues inside one batch of a generator. */

import { memberOf, numberOf } from '../../json/json-tree.ts'
import { hasQuirk } from '../../knowledge/module-quirks.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { predictText } from '../rules/continue-rule.ts'
import type { Explanation } from '../rules/explanation.ts'
import { compareUtf8 } from '../rules/row-order.ts'
import type { InnerModel, InnerPages } from './inner-pages.ts'

/** The index of the first row to give; undefined where the continue value does not name one row. */
export function startRow(request: ListingRequest, model: InnerModel, pages: InnerPages): number | undefined {
  const { inner } = request
  if (inner.size === 0) return 0
  const value = inner.size === 1 ? inner.get(model.param) : undefined
  if (value === undefined) return undefined
  const [at, second] = rowsWithValue(model, pages, value)
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
  value: string,
): number | undefined {
  const wanted = value.split('|')
  const rows = sequence.map((row) => predictText(rule, row)?.split('|') ?? [])
  if (rows.some((parts) => parts.length !== wanted.length)) return undefined
  const isAscending = rows.every(
    ([first], at) => at === 0 || compareUtf8(rows[at - 1]?.[0] ?? '', first ?? '') <= 0,
  )
  const isByFile = hasQuirk('by-file-names', prop.module) && !params.has(`${prop.prefix}dir`) && isAscending
  const [page = ''] = wanted
  const isByPage = order === 'id' && rule.parts[0]?.every(isPageId) === true && /^\d{1,12}$/.test(page)
  if (
    !isByFile &&
    !(isByPage && written.every(({ item }) => numberOf(memberOf(item, 'pageid')) !== Number(page)))
  )
    return undefined
  const at = rows.findIndex((parts) =>
    isByFile
      ? parts.every((part, nth) => compareUtf8(part, wanted[nth] ?? '') >= 0)
      : Number(parts[0]) > Number(page),
  )
  return at < 0 ? sequence.length : at
}

const isPageId = (one: Explanation): boolean =>
  one.kind === 'member' && one.owner === 'page' && one.name === 'pageid'

/** The rows that the rule calls by that value. */
export function rowsWithValue(
  { rule }: InnerModel,
  { sequence }: InnerPages,
  value: string,
): readonly number[] {
  return sequence.flatMap((row, at) => (predictText(rule, row) === value ? [at] : []))
}
