/** Rows in the order of the listing beside rows as recorded batches wrote them. */

import { sameTree } from '../../json/json-tree.ts'
import type { Batch } from '../reading/batch.ts'
import type { Row } from '../reading/row.ts'
import { asWritten, type WireOrder, wireOrders } from '../rules/row-order.ts'
import type { Layout } from './run-layout.ts'

/** Every order that gives back, from rows known one by one, each recorded batch as it was written. */
export function ordersOnWire(
  batches: readonly Batch[],
  joined: Pick<Layout, 'places' | 'runs'>,
): readonly WireOrder[] {
  const told = batches.flatMap((batch) => {
    const rows = rowsBetween(joined, batch)
    return rows === undefined ? [] : [{ rows, written: batch.cut.rows }]
  })
  return wireOrders.filter((order) =>
    told.every(({ rows, written }) => sameRows(asWritten(rows, order), written)),
  )
}

/** True where two answers would have these rows under the same keys. */
export const sameRows = (ours: readonly Row[] | undefined, theirs: readonly Row[]): boolean =>
  ours?.length === theirs.length &&
  ours.every(({ item, slot }, at) => {
    const other = theirs[at]
    return other !== undefined && slot === other.slot && sameTree(item, other.item)
  })

/** The rows of a recorded batch as they stand in its run; undefined where some are not known in their order. */
export function rowsBetween(
  { places, runs }: Pick<Layout, 'places' | 'runs'>,
  batch: Pick<Batch, 'at' | 'to'>,
): readonly Row[] | undefined {
  const at = places.get(batch.at)
  const to = batch.to === undefined ? undefined : places.get(batch.to)
  if (at === undefined || to === undefined || at.run !== to.run) return undefined
  const rows = runs[at.run]?.rows.slice(at.at, to.at) ?? []
  const known = rows.flatMap((one) => (one === undefined ? [] : [one.row]))
  return known.length === rows.length ? known : undefined
}
