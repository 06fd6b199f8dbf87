/** Batches joined into runs under an assumption on the order of their rows, and what proves it. */

import { memberOf } from '../../json/json-tree.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { type Batch, endPlace, isFull } from '../reading/batch.ts'
import { isOfOnePage } from '../reading/listing-request.ts'
import { isPagewise } from '../reading/page-limited-props.ts'
import { type ContinueRule, filledRule, isHidden, isRunningOffset } from '../rules/continue-rule.ts'
import type { KnownListing } from '../rules/known-rules.ts'
import { learnRule, restsOnChance } from '../rules/learn-rule.ts'
import { isGrouped, isOrdered, type RowOrder, rowsInOrder } from '../rules/row-order.ts'
import { boundariesOf, countingRule, joinOffsets, recordedParam } from './boundaries.ts'
import { Places } from './position-graph.ts'
import { ordersOnWire } from './response-order.ts'
import { isInjective, joinPredicted, risesOrFalls, sorted } from './rule-check.ts'
import { type Layout, layOut, type Ordering } from './run-layout.ts'

export interface Joined extends Layout {
  readonly rule: ContinueRule | undefined
  readonly disordered: boolean
  readonly unclear: readonly RequestKey[]
}

/** All batches joined under one assumption on the order of rows; undefined where nothing proves the assumption. */
export function joinProven(batches: readonly Batch[], order: RowOrder): Joined | undefined {
  const ordering = orderingBy(batches, order)
  if (ordering === undefined) return undefined
  const plain = batches.every(
    (batch) => isPagewise(batch.request) || (batch.request.driver.kind === 'list' && !isGrouped(batch)),
  )
  const joined = joinLearned(batches, ordering, { trusted: true, order, strict: !plain })
  if (plain) return joined
  const { rule, disordered, unclear, conflicts } = joined
  return rule && !disordered && unclear.length === 0 && conflicts.length === 0 ? joined : undefined
}

/** Only rows whose order cannot be mistaken; the other batches say how far their ends lie apart. */
export function joinCertain(batches: readonly Batch[]): Joined {
  const trusted = batches[0]?.request.driver.kind !== 'generator'
  const ordering: Ordering = (batch) => (isOrdered(batch) ? batch.cut.rows : undefined)
  const joined = joinLearned(batches, ordering, { trusted, order: 'wire', strict: false })
  // Pages that are numbered, but not by their place in the listing, are numbered by their place in the batch.
  const numbered =
    !trusted && batches.some(({ cut }) => cut.rows.some((row) => memberOf(row.item, 'index') !== undefined))
  return numbered ? { ...joined, disordered: true } : joined
}

/** What is assumed while batches are joined. */
interface Assumption {
  /** Whether each row is one item, so that a last batch short of its limit hides nothing. */
  readonly trusted: boolean
  readonly order: RowOrder
  /** Whether every row must show that the rule sorts them. */
  readonly strict: boolean
}

/** By the rule that the batches themselves teach. */
function joinLearned(
  batches: readonly Batch[],
  ordering: Ordering,
  { trusted, order, strict }: Assumption,
): Joined {
  const param = recordedParam(batches)
  const placing = place(batches, trusted, ordering, (placed) => countingRule(placed)?.name)
  const { placed, layout, unclear } = placing
  const ofOnePage = batches.some(({ request }) => isOfOnePage(request))
  const learned = countingRule(placed)?.rule ?? learnRule(boundariesOf(layout, placed), ofOnePage)
  if (learned === undefined) return { ...layout, rule: undefined, unclear, disordered: false }
  // Pages follow each other by their number, whatever their continue values say of them.
  const counted = batches.every(({ request }) => isPagewise(request))
  const rule = counted ? learned : sorted(learned, layout.runs, order, strict)
  // A value that several rows share names none of them: then there is no rule. Otherwise it tells another order.
  if (rule === undefined) return { ...layout, rule, unclear, disordered: isInjective(learned, layout.runs) }
  if (restsOnChance(rule, ofOnePage)) return { ...layout, rule: undefined, unclear, disordered: false }
  return { ...placing.again(rule, param), rule, unclear, disordered: false }
}

/** By what is known of the wiki's version; what in the recording speaks against it, where something does. */
export function joinKnown(batches: readonly Batch[], known: KnownListing): Joined | string {
  const param = recordedParam(batches)
  if (param !== undefined && param !== known.param) return `it goes on by ${param}, not ${known.param}`
  const tries = known.orders.map((order) => joinKnownIn(batches, known, order))
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

function joinKnownIn(batches: readonly Batch[], known: KnownListing, order: RowOrder): Joined | string {
  const ordering = orderingBy(batches, order)
  if (ordering === undefined) return 'its rows do not show their order'
  const counted = isRunningOffset(known.rule)
  const placing = place(batches, true, ordering, () => (counted ? known.param : undefined))
  const { placed, layout: early, unclear } = placing
  const rule = filledRule(known.rule, boundariesOf(early, placed))
  if (rule === undefined) return 'a recorded continue value is another one'
  const sorts = isInjective(rule, early.runs) && risesOrFalls(rule, early.runs, false)
  if (!counted && !isHidden(rule) && !sorts)
    return 'its rows do not come in the order of their continue values'
  const layout = placing.again(rule, known.param)
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

/** The rows of each batch in that order; undefined where those of one do not show it. */
function orderingBy(batches: readonly Batch[], order: RowOrder): Ordering | undefined {
  const ordered = new Map(batches.map((batch) => [batch, rowsInOrder(batch, order)] as const))
  return [...ordered.values()].includes(undefined) ? undefined : (batch) => ordered.get(batch)
}

interface Placing {
  readonly placed: readonly Batch[]
  readonly unclear: readonly RequestKey[]
  readonly layout: Layout
  /** The layout once more, with the rows joined that a rule calls by one value. */
  readonly again: (rule: ContinueRule, param: string | undefined) => Layout
}

/** @param counter the parameter that counts rows, where one does */
function place(
  batches: readonly Batch[],
  trusted: boolean,
  ordering: Ordering,
  counter: (placed: readonly Batch[]) => string | undefined,
): Placing {
  const { placed, unclear } = sift(batches, trusted)
  const places = new Places()
  for (const batch of placed)
    if (batch.to !== undefined) places.join(batch.at, batch.to, batch.cut.rows.length, batch)
  const counts = counter(placed)
  if (counts !== undefined) joinOffsets(places, counts, placed)
  const layout = layOut(places, placed, ordering)
  const again: Placing['again'] = (rule, param) =>
    counts === undefined && joinPredicted(places, layout, rule, param)
      ? layOut(places, placed, ordering)
      : layout
  return { placed, unclear, layout, again }
}

/** Batches that hide no rows, as far as they show; one that does puts short last batches in doubt too. */
function sift(batches: readonly Batch[], trusted: boolean): Pick<Placing, 'placed' | 'unclear'> {
  const uneven = batches.some((batch) => batch.to !== endPlace && !isFull(batch))
  const clear = (batch: Batch): boolean => {
    if (isFull(batch)) return batch.to !== undefined
    return batch.to === endPlace && ((trusted && !uneven) || batch.cut.rows.length === 0)
  }
  const unclear = batches.filter((batch) => !clear(batch)).map(({ key }) => key)
  return { placed: batches.filter(clear), unclear }
}
