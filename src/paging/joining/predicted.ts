/** A rule applied to runs: the value it predicts for each row says whether it sorts them, joins them, and finds places in them. */

import { memberOf, numberOf } from '../../json/tree.ts'
import { cursorPlace, cursorValue } from '../reading/batch.ts'
import { compareValues, type RowOrder } from '../rules/row-order.ts'
import {
  type ContinueRule,
  type Explanation,
  isRunningOffset,
  namesTitle,
  predictText,
} from '../rules/rule.ts'
import type { Places } from './places.ts'
import type { Layout, Run, Spot } from './run.ts'

const predictions = new WeakMap<Run, { readonly rule: ContinueRule; readonly values: Predicted }>()

type Predicted = readonly (string | undefined)[]

/** The continue value of each row as the rule says, as a client sends it back. */
function predictedIn(run: Run, rule: ContinueRule): Predicted {
  const held = predictions.get(run)
  if (held?.rule === rule) return held.values
  const values = run.rows.map((known) => (known === undefined ? undefined : predictText(rule, known.row)))
  predictions.set(run, { rule, values })
  return values
}

/** A value that two rows of one run share cannot say which of them to go on from. */
export function isInjective(rule: ContinueRule, runs: readonly Run[]): boolean {
  return runs.every((run) => {
    const values = predictedIn(run, rule).filter((value) => value !== undefined)
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
  const [only, second] = layout.runs
  // A single run learns nothing new where every recorded place lies at the row that it names.
  if (only !== undefined && second === undefined && agrees(only, layout.places, rule, param)) return false
  const anchors = new Map([...layout.places].map(([place, spot]) => [spot.run, { place, at: spot.at }]))
  let joined = false
  for (const [index, run] of layout.runs.entries()) {
    const anchor = anchors.get(index)
    if (anchor === undefined) continue
    for (const [at, value] of predictedIn(run, rule).entries()) {
      const known = run.rows[at]
      if (known === undefined || value === undefined) continue
      places.join(anchor.place, cursorPlace([[param, value]]), at - anchor.at, known.key)
      joined = true
    }
  }
  return joined
}

/** True where each recorded place lies at the row whose continue value it is. */
function agrees(run: Run, places: Layout['places'], rule: ContinueRule, param: string): boolean {
  const values = predictedIn(run, rule)
  for (const [place, { at }] of places) {
    const value = cursorValue(place, param)
    if (value !== undefined && values[at] !== value) return false
  }
  return true
}

/** The row that a continue value names which no recorded batch shows, as the rule writes it. */
export function predictedSpot(
  { rule, runs }: Pick<Layout, 'runs'> & { readonly rule: ContinueRule | undefined },
  value: string,
): Spot | undefined {
  if (rule === undefined || isRunningOffset(rule)) return undefined
  for (const [run, one] of runs.entries()) {
    const at = placeIn(predictedIn(one, rule), value, titlesOf(rule))
    if (at >= 0) return { run, at }
  }
  return undefined
}

/** Values rise or fall from row to row as a rule, so that most are found by halving; -1 where there is none. */
function placeIn(values: Predicted, wanted: string, titles: readonly boolean[]): number {
  const [first, last] = [values[0], values.at(-1)]
  const direction = first === undefined || last === undefined ? 1 : compareValues(last, first, titles)
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    const order = compareValues(values[middle] ?? '', wanted, titles)
    if (direction < 0 ? order > 0 : order < 0) low = middle + 1
    else high = middle
  }
  return values[low] === wanted ? low : values.indexOf(wanted)
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
  if (combined.length > mostCombinations) return strict || !isInjective(rule, runs) ? undefined : rule
  const good = combined.filter((one) => risesOrFalls(one, runs, strict))
  const [only, second] = good
  if (only === undefined || second === undefined) return only
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

/** True where the values rise, or fall, from row to row without exception. */
export function risesOrFalls(rule: ContinueRule, runs: readonly Run[], strict: boolean): boolean {
  const titles = titlesOf(rule)
  let direction = 0
  for (const run of runs) {
    let before: string | undefined
    for (const value of predictedIn(run, rule)) {
      if (value === undefined && strict) return false
      if (value === undefined) continue
      const step = before === undefined ? 0 : Math.sign(compareValues(value, before, titles))
      if (before !== undefined && (step === 0 || step === -direction)) return false
      if (step !== 0) direction = step
      before = value
    }
  }
  return true
}

/** Which parts of the values are names. */
const titlesOf = (rule: ContinueRule): readonly boolean[] =>
  rule.parts.map(([one]) => one !== undefined && namesTitle(one))

/** The `index` of each page is its place in the listing, so it does not depend on where a batch begins. */
export const countsItself = (run: Run): boolean =>
  run.start && run.rows.every((known, at) => numberOf(memberOf(known?.row.item, 'index')) === at + 1)
