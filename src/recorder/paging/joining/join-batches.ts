/** Joins batches into runs of rows, under an assumption about the order of rows that the batches have to prove. */

import { hasMember } from '../../json/json-tree.ts'
import type { PageOrder, RowOrder } from '../../knowledge/listing-facts.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { mapAll } from '../../text/group-by.ts'
import { type Batch, endPosition, isFull } from '../reading/batch.ts'
import { isOfOnePage } from '../reading/listing-request.ts'
import { isPagewise } from '../reading/page-members.ts'
import {
  type ContinueRule,
  isHidden,
  isRunningOffset,
  refineRule
} from '../rules/continue-rule.ts'
import { isPageOrder, type KnownListing } from '../rules/known-rules.ts'
import { learnRule, mayBeCoincidence } from '../rules/learn-rule.ts'
import {
  inResponseOrder,
  isGrouped,
  isOrdered,
  pageOrders,
  rowsInOrder,
  sortKeyOf
} from '../rules/row-order.ts'
import { PositionGraph } from './position-graph.ts'
import {
  boundariesOf,
  countingRule,
  isInjective,
  joinByRule,
  joinOffsets,
  recordedParam,
  risesOrFalls,
  sortingRule
} from './rule-check.ts'
import {
  layOut,
  type Ordering,
  type RunLayout,
  repeatedRows,
  rowsBetween,
  sameRows
} from './run-layout.ts'

export interface JoinedBatches extends RunLayout {
  readonly rule: ContinueRule | undefined
  /** True where continue values follow another order than the rows, so that they do not say what comes next. */
  readonly disordered: boolean
  /** Batches with hidden rows or rows in an unknown order, which cannot be split. */
  readonly unclear: readonly RequestKey[]
}

/** All batches joined under one order of rows; undefined where nothing proves that order. */
export function joinProven(
  batches: readonly Batch[],
  order: RowOrder
): JoinedBatches | undefined {
  const ordering = orderingBy(batches, order)
  if (!ordering) return undefined
  const isPlain = batches.every(
    (batch) =>
      isPagewise(batch.request) ||
      (batch.request.driver.kind === 'list' && !isGrouped(batch))
  )
  const joined = joinLearned(
    { batches, ordering, isTrusted: true },
    { order, mustShow: !isPlain }
  )
  const { rule, disordered, unclear, conflicts } = joined
  const isProven = rule && !disordered && unclear.length + conflicts.length === 0
  return isPlain || isProven ? joined : undefined
}

/** All batches joined, with rows only of batches whose order is certain; the others give distances. */
export function joinCertain(batches: readonly Batch[]): JoinedBatches {
  const isTrusted = batches[0]?.request.driver.kind !== 'generator'
  const ordering: Ordering = (batch) => (isOrdered(batch) ? batch.answer.rows : undefined)
  const joined = joinLearned(
    { batches, ordering, isTrusted },
    { order: 'wire', mustShow: false }
  )
  const rows = batches.flatMap(({ answer }) => answer.rows)
  // An `index` that is no position in the listing is a position in the batch.
  const isNumbered = !isTrusted && rows.some(({ item }) => hasMember(item, 'index'))
  return isNumbered ? { ...joined, disordered: true } : joined
}

/** @param mustShow each row shows that it is sorted in that order */
function joinLearned(
  given: GivenBatches,
  { order, mustShow }: { readonly order: RowOrder; readonly mustShow: boolean }
) {
  const { batches } = given
  const placed = clearBatches(given)
  const counting = countingRule(placed)
  const { layout, unclear, relayout } = placeBatches(given, placed, counting?.name)
  const ofOnePage = batches.some(({ request }) => isOfOnePage(request))
  const learned = counting?.rule ?? learnRule(boundariesOf(layout, placed), ofOnePage)
  const joined = { ...layout, rule: undefined, unclear, disordered: false }
  if (!learned) return joined
  // Pages come in the order of their numbers, whatever their continue values name.
  const counted = batches.every(({ request }) => isPagewise(request))
  const rule = counted ? learned : sortingRule(learned, layout.runs, order, mustShow)
  // A value that several rows share names none of them, so there is no rule. Any other value proves another order.
  if (!rule) return { ...joined, disordered: isInjective(learned, layout.runs) }
  return mayBeCoincidence(rule, ofOnePage)
    ? joined
    : { ...joined, ...relayout(rule, recordedParam(batches)), rule }
}

/** Joins by what is known of the wiki's version; a string says what in the recording contradicts that. */
export function joinKnown(
  batches: readonly Batch[],
  known: KnownListing
): JoinedBatches | string {
  const param = recordedParam(batches)
  if (param !== undefined && param !== known.param)
    return `it continues by ${param}, not ${known.param}`
  const tries = known.orders.map((order) => tryKnown(batches, known, order))
  const [first, ...others] = tries.filter((one) => typeof one !== 'string')
  if (!first)
    return tries.find((one) => typeof one === 'string') ?? 'no order of its rows is known'
  const isSame = ({ runs }: RunLayout) =>
    first.runs.every(({ rows }, run) =>
      rows.every((known, at) => known?.row === runs[run]?.rows[at]?.row)
    )
  return others.every(isSame) ? first : 'its batches allow several orders of rows'
}

function tryKnown(batches: readonly Batch[], known: KnownListing, order: RowOrder) {
  // A list is written in its own order.
  const isList = batches[0]?.request.driver.kind === 'list' && !batches.some(isGrouped)
  const ordering = orderingBy(batches, isList ? 'wire' : order)
  if (!ordering) return 'its rows do not show their order'
  const given = { batches, ordering, isTrusted: true }
  const placed = clearBatches(given)
  const counter = isRunningOffset(known.rule) ? known.param : undefined
  const { layout: early, unclear, relayout } = placeBatches(given, placed, counter)
  const rule = refineRule(known.rule, boundariesOf(early, placed))
  if (!rule) return 'a recorded continue value is different'
  const sorts = isInjective(rule, early.runs) && isSorted(rule, early.runs, order)
  if (counter === undefined && !isHidden(rule) && !sorts)
    return 'its rows do not come in the order of their continue values'
  const layout = relayout(rule, known.param)
  const shown = isHidden(rule) ? undefined : rule
  return (
    contradiction(layout, placed, known) ?? {
      ...layout,
      rule: shown,
      unclear,
      disordered: false
    }
  )
}

/** True where the rows are in the order of their continue values, or of what the wiki sorts them by instead. */
function isSorted(rule: ContinueRule, runs: RunLayout['runs'], order: RowOrder) {
  if (risesOrFalls(rule, runs, false)) return true
  const key = sortKeyOf(order)
  return key !== undefined && order.includes('id') && risesOrFalls(key, runs, true)
}

/** What in the joined batches this version of the wiki would not have written. */
function contradiction(layout: RunLayout, placed: readonly Batch[], known: KnownListing) {
  const [conflict] = layout.conflicts
  if (conflict) return conflict.what
  const isGenerated = placed.some(({ request }) => request.driver.kind === 'generator')
  const isPossible = (order: PageOrder) => isPageOrder(known.pages, order)
  return isGenerated && !responseOrders(placed, layout).some(isPossible)
    ? 'its pages come in another order'
    : undefined
}

/** Every order that turns the rows of the listing into the recorded batches. */
export function responseOrders(
  batches: readonly Batch[],
  joined: RunLayout
): readonly PageOrder[] {
  return pageOrders.filter((order) =>
    batches.every((batch) => {
      const rows = rowsBetween(joined, batch)
      return !rows || sameRows(inResponseOrder(rows, order), batch.answer.rows)
    })
  )
}

/** The rows of each batch in that order; undefined where a batch does not show it. */
function orderingBy(batches: readonly Batch[], order: RowOrder): Ordering | undefined {
  const ordered = mapAll(batches, (batch) => rowsInOrder(batch, order))
  const byBatch = new Map(ordered?.map((rows, at) => [batches[at], rows]))
  return ordered && ((batch) => byBatch.get(batch))
}

interface BatchPlacement {
  readonly unclear: readonly RequestKey[]
  readonly layout: RunLayout
  /** The layout with rows joined that the rule calls by the same value. */
  readonly relayout: (rule: ContinueRule, param: string | undefined) => RunLayout
}

/** @param counter the parameter that counts rows, where one does */
function placeBatches(
  { batches, ordering }: GivenBatches,
  placed: readonly Batch[],
  counter: string | undefined
) {
  const clear = new Set(placed)
  const unclear = batches.filter((one) => !clear.has(one)).map(({ key }) => key)
  const graph = new PositionGraph()
  for (const { startsAt, continuesAt, answer, key } of placed)
    if (continuesAt !== undefined)
      graph.join(startsAt, continuesAt, answer.rows.length, key)
  if (counter !== undefined) joinOffsets(graph, counter, placed)
  const layout = layOut(graph, placed, ordering)
  if (counter !== undefined) {
    const conflicts = [...layout.conflicts, ...repeatedRows(layout)]
    const counted = { ...layout, conflicts }
    return { unclear, layout: counted, relayout: () => counted }
  }
  const relayout: BatchPlacement['relayout'] = (rule, param) =>
    joinByRule(graph, layout, rule, param) ? layOut(graph, placed, ordering) : layout
  return { unclear, layout, relayout }
}

interface GivenBatches {
  readonly batches: readonly Batch[]
  readonly ordering: Ordering
  /** A row is one item: no last batch hides rows. */
  readonly isTrusted: boolean
}

/** Those that hide no rows; if one may, short last batches may too. */
function clearBatches({ batches, isTrusted }: GivenBatches) {
  const isLast = ({ continuesAt }: Batch) => continuesAt === endPosition
  const trustsLast = isTrusted && batches.every((one) => isLast(one) || isFull(one))
  return batches.filter((batch) =>
    isFull(batch)
      ? batch.continuesAt !== undefined
      : isLast(batch) && (trustsLast || batch.answer.rows.length === 0)
  )
}
