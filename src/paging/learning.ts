/** Rules applied to what was recorded: learning them from boundaries, and joining runs by the values they predict. */
import { type JsonTree, memberOf, numberOf } from '../json/tree.ts'
import { type Batch, cursorPlace, sentBack, startPlace } from './batch.ts'
import type { Listing } from './listing.ts'
import type { Places } from './places.ts'
import { compareValues, type RowOrder } from './row-order.ts'
import {
  type Boundary,
  type ContinueRule,
  countingRuleOf,
  type Explanation,
  isRunningOffset,
  learnRule,
  predict,
} from './rule.ts'
import type { KnownRow, Layout, Run, Spot } from './run.ts'

/** A parameter that counts rows, where its name says so and every batch adds exactly its rows to it. */
export function countingRule(
  batches: readonly Batch[],
): { readonly name: string; readonly rule: ContinueRule } | undefined {
  const ends = batches.filter((batch) => batch.cut.next !== undefined)
  const [name, second] = new Set(ends.flatMap((batch) => [...(batch.cut.next?.values.keys() ?? [])]))
  if (name === undefined || second !== undefined || !name.endsWith('offset')) return undefined
  const counts = ends.every((batch) => {
    const before = batch.request.cursor.size === 0 ? 0 : countIn(batch.request.cursor.get(name))
    const after = countOf(batch.cut.next?.values.get(name))
    return before !== undefined && after === before + batch.cut.rows.length
  })
  const numeric = ends.every((batch) => batch.cut.next?.values.get(name)?.kind === 'literal')
  return counts ? { name, rule: countingRuleOf(numeric, ends.length) } : undefined
}

const countIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
const countOf = (value: JsonTree | undefined): number | undefined =>
  value === undefined ? undefined : countIn(sentBack(value))

/** With a running offset, every continue value says how far behind the start it lies. */
export function joinOffsets(places: Places, name: string, batches: readonly Batch[]): void {
  for (const batch of batches) {
    const count = countIn(batch.request.cursor.get(name))
    if (count !== undefined) places.join(startPlace, batch.at, count, batch.key)
    const next = countOf(batch.cut.next?.values.get(name))
    if (next !== undefined && batch.to !== undefined) places.join(startPlace, batch.to, next, batch.key)
  }
}

/** The rule that the boundaries teach, or the shared one where it explains them; dropped where it is ambiguous. */
export function usableRule(
  layout: Layout,
  batches: readonly Batch[],
  shared: ContinueRule | undefined,
): ContinueRule | undefined {
  const boundaries = boundariesOf(layout, batches)
  const own = learnRule(boundaries)
  if (own !== undefined) return own
  if (shared === undefined || isRunningOffset(shared)) return undefined
  const holds = boundaries.every(({ value, subject }) => {
    const said = predict(shared, subject)
    return said?.kind === value.kind && sentBack(said) === sentBack(value)
  })
  return holds ? shared : undefined
}

/** Continue values with the rows that they go on from, where those are known. */
export function boundariesOf(layout: Layout, batches: readonly Batch[]): readonly Boundary[] {
  return batches.flatMap((batch) => {
    const { next } = batch.cut
    const spot = batch.to === undefined ? undefined : layout.places.get(batch.to)
    if (next === undefined || spot === undefined || next.values.size !== 1) return []
    const subject = layout.runs[spot.run]?.rows[spot.at]?.subject
    return subject === undefined ? [] : [...next.values.values()].map((value) => ({ value, subject }))
  })
}

const predicted = (rule: ContinueRule, known: KnownRow | undefined): string | undefined => {
  const value = known === undefined ? undefined : predict(rule, known.subject)
  return value === undefined ? undefined : sentBack(value)
}

/** A value that two rows of one run share cannot say which of them to go on from. */
export function isInjective(rule: ContinueRule, runs: readonly Run[]): boolean {
  return runs.every((run) => {
    const values = run.rows.flatMap((known) => predicted(rule, known) ?? [])
    return new Set(values).size === values.length
  })
}

/**
 * Every row is a place that the wiki would call by the value that the rule predicts: runs that share a row are one.
 * @returns false where there was nothing to join, so that the layout stands
 */
export function joinPredicted(
  places: Places,
  layout: Layout,
  rule: ContinueRule,
  param: string | undefined,
): boolean {
  if (param === undefined) return false
  const several = layout.runs.length > 1
  const anchors = new Map([...layout.places].map(([place, spot]) => [spot.run, { place, at: spot.at }]))
  let joined = false
  for (const [index, run] of layout.runs.entries()) {
    const anchor = anchors.get(index)
    if (anchor === undefined) continue
    for (const [at, known] of run.rows.entries()) {
      const value = predicted(rule, known)
      if (known === undefined || value === undefined) continue
      const place = cursorPlace([[param, value]])
      const spot = layout.places.get(place)
      // In a single run only a recorded place that lies elsewhere tells anything new.
      if (!several && (spot === undefined || spot.at === at)) continue
      places.join(anchor.place, place, at - anchor.at, known.key)
      joined = true
    }
  }
  return joined
}

const indexes = new WeakMap<Listing, ReadonlyMap<string, Spot>>()

/** The row that a continue value names which no recorded batch shows, as the rule writes it. */
export function predictedSpot(listing: Listing, value: string): Spot | undefined {
  const { rule, runs } = listing
  if (rule === undefined || isRunningOffset(rule)) return undefined
  let index = indexes.get(listing)
  if (index === undefined) {
    const found = new Map<string, Spot>()
    for (const [run, { rows }] of runs.entries()) {
      for (const [at, known] of rows.entries()) {
        const said = predicted(rule, known)
        if (said !== undefined) found.set(said, { run, at })
      }
    }
    indexes.set(listing, found)
    index = found
  }
  return index.get(value)
}

/** More combinations of explanations than this are not tried. */
const mostCombinations = 48

/**
 * The rule less every explanation by which the rows would not stand in order: values must rise, or fall, from row to
 * row without exception. Undefined where none is left.
 * @param strict whether rows without a predicted value count as exceptions
 */
export function sorted(
  rule: ContinueRule,
  runs: readonly Run[],
  order: RowOrder,
  strict: boolean,
): ContinueRule | undefined {
  if (isRunningOffset(rule))
    return !strict || (order === 'index' && runs.every(countsItself)) ? rule : undefined
  const combined = combinations(rule)
  if (combined.length > mostCombinations) return strict ? undefined : rule
  const good = combined.filter((one) => risesOrFalls(one, runs, strict))
  if (good.length === 0) return undefined
  const parts = rule.parts.map((held, at) =>
    held.filter((one) => good.some((choice) => choice.parts[at]?.[0] === one)),
  )
  return { ...rule, parts }
}

/** Every way to take one explanation a part. */
function combinations(rule: ContinueRule): readonly ContinueRule[] {
  let found: readonly (readonly Explanation[])[] = [[]]
  for (const held of rule.parts) {
    if (found.length * held.length > mostCombinations)
      return Array.from({ length: mostCombinations + 1 }, () => rule)
    found = found.flatMap((chosen) => held.map((one) => [...chosen, one]))
  }
  return found.map((chosen) => ({ ...rule, parts: chosen.map((one) => [one]) }))
}

function risesOrFalls(rule: ContinueRule, runs: readonly Run[], strict: boolean): boolean {
  let direction = 0
  for (const run of runs) {
    let before: string | undefined
    for (const known of run.rows) {
      const value = predicted(rule, known)
      if (value === undefined && strict) return false
      if (value === undefined) continue
      const step = before === undefined ? 0 : Math.sign(compareValues(value, before))
      if (before !== undefined && (step === 0 || step === -direction)) return false
      if (step !== 0) direction = step
      before = value
    }
  }
  return true
}

/** The `index` of each page is its place in the listing, so it does not depend on where a batch begins. */
const countsItself = (run: Run): boolean =>
  run.start && run.rows.every((known, at) => numberOf(memberOf(known?.subject.item, 'index')) === at + 1)
