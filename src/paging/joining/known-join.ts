/** Batches joined by what is known of their wiki's version, as long as none of them contradicts it. */
import type { Batch } from '../reading/batch.ts'
import type { KnownListing } from '../rules/known.ts'
import { type RowOrder, rowsInOrder } from '../rules/row-order.ts'
import { filledRule, isHidden, isRunningOffset } from '../rules/rule.ts'
import { boundariesOf, joinOffsets } from './boundaries.ts'
import { type Joined, recordedParam, sift } from './join.ts'
import { ordersOnWire } from './on-wire.ts'
import { Places } from './places.ts'
import { isInjective, joinPredicted, risesOrFalls } from './predicted.ts'
import { type Layout, layOut } from './run.ts'

/** The join, or what in the recording speaks against what is known. */
export function joinKnown(batches: readonly Batch[], known: KnownListing): Joined | string {
  const param = recordedParam(batches, undefined)
  if (param !== undefined && param !== known.param) return `it goes on by ${param}, not ${known.param}`
  const tries = known.orders.map((order) => joinIn(batches, known, order))
  const [first, ...others] = tries.filter((one) => typeof one !== 'string')
  if (first === undefined)
    return tries.find((one) => typeof one === 'string') ?? 'no order of its rows is known'
  return others.every((other) => hasSameRows(first, other))
    ? first
    : 'its batches allow several orders of rows'
}

/** True where two orders of the same batches come to the same. */
const hasSameRows = (a: Layout, b: Layout): boolean =>
  a.runs.every(({ rows }, run) => rows.every((known, at) => known?.row === b.runs[run]?.rows[at]?.row))

function joinIn(batches: readonly Batch[], known: KnownListing, order: RowOrder): Joined | string {
  const ordered = new Map(batches.map((batch) => [batch, rowsInOrder(batch, order)] as const))
  if ([...ordered.values()].includes(undefined)) return 'its rows do not show their order'
  const { placed, unclear } = sift(batches, true)
  const places = new Places()
  for (const { at, to, cut, key } of placed) if (to !== undefined) places.join(at, to, cut.rows.length, key)
  const counted = isRunningOffset(known.rule)
  if (counted) joinOffsets(places, known.param, placed)
  const early = layOut(places, placed, (batch) => ordered.get(batch))
  const rule = filledRule(known.rule, boundariesOf(early, placed))
  if (rule === undefined) return 'a recorded continue value is another one'
  if (
    !counted &&
    !isHidden(rule) &&
    !(isInjective(rule, early.runs) && risesOrFalls(rule, early.runs, false))
  )
    return 'its rows do not come in the order of their continue values'
  const again = !counted && joinPredicted(places, early, rule, known.param)
  const layout = again ? layOut(places, placed, (batch) => ordered.get(batch)) : early
  const against = contradiction(layout, placed, known)
  return against ?? { ...layout, rule: isHidden(rule) ? undefined : rule, unclear, disordered: false }
}

/** What the joined batches show that the wiki would not have written. */
function contradiction(layout: Layout, placed: readonly Batch[], known: KnownListing): string | undefined {
  const [conflict] = layout.conflicts
  if (conflict !== undefined) return conflict.what
  const generated = placed.some(({ request }) => request.driver.kind === 'generator')
  if (!generated) return undefined
  const written = ordersOnWire(placed, layout)
  return known.pages.some((one) => written.includes(one))
    ? undefined
    : 'its pages are written in another order'
}
