/** Batches joined into runs under an assumption on the order of their rows, and what proves it. */

import { memberOf } from '../../json/tree.ts'
import type { RequestKey } from '../../request/key.ts'
import { type Batch, endPlace, isFull } from '../reading/batch.ts'
import { isPagewise } from '../reading/page-fills.ts'
import { namesFirstPages } from '../rules/named-first.ts'
import { isGrouped, isOrdered, type RowOrder, rowsInOrder } from '../rules/row-order.ts'
import type { ContinueRule } from '../rules/rule.ts'
import { countingRule, joinOffsets, usableRule } from './boundaries.ts'
import { Places } from './places.ts'
import { isInjective, joinPredicted, sorted } from './predicted.ts'
import { type Layout, layOut, type Ordering } from './run.ts'

/** A rule learned from other listings of the module, for one that has too few boundaries itself. */
export interface SharedRule {
  readonly rule: ContinueRule
  readonly param: string
}

export interface Joined extends Layout {
  readonly rule: ContinueRule | undefined
  readonly disordered: boolean
  readonly unclear: readonly RequestKey[]
}

/** All batches joined under one assumption on the order of rows; undefined where nothing proves the assumption. */
export function joinProven(
  batches: readonly Batch[],
  order: RowOrder,
  shared: SharedRule | undefined,
): Joined | undefined {
  const ordered = new Map(batches.map((batch) => [batch, rowsInOrder(batch, order)] as const))
  if ([...ordered.values()].includes(undefined)) return undefined
  const counted = batches.every((batch) => isPagewise(batch.request))
  const plain = counted || batches.every((batch) => batch.request.driver.kind === 'list' && !isGrouped(batch))
  const assumed = { trusted: true, order, strict: !plain, counted }
  const joined = join(batches, (batch) => ordered.get(batch), shared, assumed)
  if (plain) return joined
  const named = order === 'wire' && joined.rule === undefined && namesFirstPages(batches)
  const proof = (joined.rule !== undefined || named) && !joined.disordered
  return proof && joined.unclear.length === 0 && joined.conflicts.length === 0 ? joined : undefined
}

/** Only rows whose order cannot be mistaken; the other batches say how far their ends lie apart. */
export function joinCertain(batches: readonly Batch[], shared: SharedRule | undefined): Joined {
  const trusted = batches[0]?.request.driver.kind !== 'generator'
  const ordering: Ordering = (batch) => (isOrdered(batch) ? batch.cut.rows : undefined)
  const assumed = { trusted, order: 'wire', strict: false, counted: false } as const
  const joined = join(batches, ordering, shared, assumed)
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
  /** Whether rows follow each other by their number, whatever their continue values say of them. */
  readonly counted: boolean
}

function join(
  batches: readonly Batch[],
  ordering: Ordering,
  shared: SharedRule | undefined,
  { trusted, order, strict, counted: byNumber }: Assumption,
): Joined {
  const { placed, unclear } = sift(batches, trusted)
  const places = new Places()
  for (const { at, to, cut, key } of placed) if (to !== undefined) places.join(at, to, cut.rows.length, key)
  const counted = countingRule(placed)
  if (counted !== undefined) joinOffsets(places, counted.name, placed)
  const early = layOut(places, placed, ordering)
  const learned = counted?.rule ?? usableRule(early, placed, shared?.rule)
  if (learned === undefined) return { ...early, rule: undefined, unclear, disordered: false }
  const rule = byNumber ? learned : sorted(learned, early.runs, order, strict)
  // A value that several rows share names none of them: then there is no rule. Otherwise it tells another order.
  if (rule === undefined) return { ...early, rule, unclear, disordered: isInjective(learned, early.runs) }
  if (counted !== undefined) return { ...early, rule, unclear, disordered: false }
  const again = joinPredicted(places, early, rule, recordedParam(batches, shared))
  const layout = again ? layOut(places, placed, ordering) : early
  return { ...layout, rule, unclear, disordered: false }
}

/** Batches that hide no rows, as far as they show; one that does puts short last batches in doubt too. */
export function sift(
  batches: readonly Batch[],
  trusted: boolean,
): { readonly placed: readonly Batch[]; readonly unclear: readonly RequestKey[] } {
  const uneven = batches.some((batch) => batch.to !== endPlace && !isFull(batch))
  const clear = (batch: Batch): boolean => {
    if (isFull(batch)) return batch.to !== undefined
    return batch.to === endPlace && ((trusted && !uneven) || batch.cut.rows.length === 0)
  }
  const placed: Batch[] = []
  const unclear: RequestKey[] = []
  for (const batch of batches) {
    if (clear(batch)) placed.push(batch)
    else unclear.push(batch.key)
  }
  return { placed, unclear }
}

/** The name of the one continuation parameter; undefined where none or several were seen. */
export function recordedParam(batches: readonly Batch[], shared: SharedRule | undefined): string | undefined {
  const names = new Set(batches.flatMap((batch) => [...(batch.cut.next?.values.keys() ?? [])]))
  const [name, second] = names
  return second === undefined ? (name ?? shared?.param) : undefined
}
