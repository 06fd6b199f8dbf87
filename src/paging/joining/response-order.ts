/** The order of pages in a response, compared with the order of the listing. */

import { sameTree } from '../../json/json-tree.ts'
import type { PageOrder } from '../../knowledge/listing-facts.ts'
import type { Batch } from '../reading/batch.ts'
import type { ListingRows } from '../reading/row.ts'
import { inResponseOrder, pageOrders } from '../rules/row-order.ts'
import type { RunLayout } from './run-layout.ts'

/** Every order that turns the rows of the listing into the recorded batches. */
export function responseOrders(batches: readonly Batch[], joined: RunLayout): readonly PageOrder[] {
  const known = batches.flatMap((batch) => {
    const rows = rowsBetween(joined, batch)
    return rows === undefined ? [] : [{ rows, recorded: batch.answer.rows }]
  })
  return pageOrders.filter((order) =>
    known.every(({ rows, recorded: written }) => sameRows(inResponseOrder(rows, order), written)),
  )
}

/** True where two answers have the same rows under the same keys. */
export const sameRows = (ours: ListingRows | undefined, theirs: ListingRows): boolean =>
  ours?.length === theirs.length &&
  ours.every(({ item, slot }, at) => {
    const other = theirs[at]
    return other !== undefined && slot === other.slot && sameTree(item, other.item)
  })

/** The rows of a batch in the order of the listing; undefined where some are not known. */
export function rowsBetween(
  { positions, runs }: RunLayout,
  batch: Pick<Batch, 'startsAt' | 'continuesAt'>,
): ListingRows | undefined {
  const at = positions.get(batch.startsAt)
  const to = batch.continuesAt === undefined ? undefined : positions.get(batch.continuesAt)
  if (at === undefined || to === undefined || at.run !== to.run) return undefined
  const rows = runs[at.run]?.rows.slice(at.at, to.at) ?? []
  const known = rows.flatMap((one) => (one === undefined ? [] : [one.row]))
  return known.length === rows.length ? known : undefined
}
