/**
 * A rule and runs: recorded continue values with the rows that they continue from teach it; the values that it predicts
 * for rows show whether it sorts the rows, join runs, and find positions.
 */
import { numberAt } from '../../json/json-tree.ts'
import type { RowOrder } from '../../knowledge/listing-facts.ts'
import { getOrAdd } from '../../text/group-by.ts'
import {
  type Batch,
  cursorPosition,
  cursorValue,
  startPosition
} from '../reading/batch.ts'
import { isPagewise } from '../reading/page-members.ts'
import {
  type Boundary,
  type ContinueRule,
  isRunningOffset,
  parseRule,
  predictText
} from '../rules/continue-rule.ts'
import type { Explanation } from '../rules/explanation.ts'
import { compareValues } from '../rules/row-order.ts'
import type { PositionGraph } from './position-graph.ts'
import type { RowRun, RunLayout, RunPosition } from './run-layout.ts'

/** The continue value that the rule predicts for each row, as a client sends it back. */
type PredictedValues = readonly (string | undefined)[]

const predictions = new WeakMap<RowRun, WeakMap<ContinueRule, PredictedValues>>()

const predictedIn = (run: RowRun, rule: ContinueRule) =>
  getOrAdd(
    getOrAdd(predictions, run, () => new WeakMap()),
    rule,
    // Offsets count from the listing's first row, so only the run that begins there knows them.
    () =>
      run.rows.map(
        (known, at) => known && predictText(rule, known.row, run.start ? at : undefined)
      )
  )

/** True where no two rows of a run share a value, so that each value names one row. */
export const isInjective = (rule: ContinueRule, runs: readonly RowRun[]): boolean =>
  runs.every((run) => {
    const values = predictedIn(run, rule).filter((value) => value !== undefined)
    return new Set(values).size === values.length
  })

/** Joins runs that share a row: one predicted value. @returns false where nothing was to join: the layout stays valid */
export function joinByRule(
  graph: PositionGraph,
  layout: RunLayout,
  rule: ContinueRule,
  param: string | undefined
): boolean {
  const [only, second] = layout.runs
  if (param === undefined) return false
  if (only && !second) {
    const values = predictedIn(only, rule)
    // A single run gains nothing where every recorded position is at the row that it names.
    const agrees = ([position, { at }]: readonly [string, RunPosition]) =>
      (cursorValue(position, param) ?? values[at]) === values[at]
    if ([...layout.positions].every(agrees)) return false
  }
  const anchors = new Map(
    [...layout.positions].map(([name, { run, at }]) => [run, { name, at }])
  )
  for (const [run, anchor] of anchors) {
    for (const [at, known] of run.rows.entries()) {
      const value = known && predictText(rule, known.row)
      if (known && value !== undefined)
        graph.join(
          anchor.name,
          cursorPosition([[param, value]]),
          at - anchor.at,
          known.key
        )
    }
  }
  return true
}

export function predictedPosition(
  { rule, runs }: Pick<RunLayout, 'runs'> & { readonly rule: ContinueRule | undefined },
  value: string
): RunPosition | undefined {
  for (const run of runs) {
    const at = rule ? predictedIn(run, rule).lastIndexOf(value) : -1
    if (at >= 0) return { run, at }
  }
  return undefined
}

const maxCombinations = 48

/** With only explanations that sort the rows, if any. @param mustShowOrder rows without a predicted value are exceptions */
export function sortingRule(
  rule: ContinueRule,
  runs: readonly RowRun[],
  order: RowOrder,
  mustShowOrder: boolean
): ContinueRule | undefined {
  if (isRunningOffset(rule)) {
    // The `index` of each page is its position in the listing, not in a batch.
    const hasIndex = ({ start, rows }: RowRun) =>
      start && rows.every((known, at) => numberAt(known?.row.item, 'index') === at + 1)
    const isShown = order === 'index' && runs.every(hasIndex)
    return isShown || !mustShowOrder ? rule : undefined
  }
  const combined = combinations(rule)
  // Too many choices to test: the rule stays if its values are unique.
  if (!combined) return mustShowOrder || !isInjective(rule, runs) ? undefined : rule
  const good = combined.filter((one) => risesOrFalls(one, runs, mustShowOrder))
  const [only, second] = good
  if (!only || !second) return only
  const parts = rule.parts.map((explanations, at) =>
    explanations.filter((one) => good.some((choice) => choice.parts[at]?.[0] === one))
  )
  return { ...rule, parts }
}

/** Every choice of one explanation a part; undefined where there are too many. */
function combinations(rule: ContinueRule) {
  let found: readonly (readonly Explanation[])[] = [[]]
  for (const explanations of rule.parts) {
    found = found.flatMap((chosen) => explanations.map((one) => [...chosen, one]))
    if (found.length > maxCombinations) return undefined
  }
  return found.map((chosen) => ({ ...rule, parts: chosen.map((one) => [one]) }))
}

export function risesOrFalls(
  rule: ContinueRule,
  runs: readonly RowRun[],
  mustShowOrder: boolean
): boolean {
  let direction = 0
  for (const run of runs) {
    const values = predictedIn(run, rule).filter((value) => value !== undefined)
    if (mustShowOrder && values.length < run.rows.length) return false
    for (let at = 1; at < values.length; at += 1) {
      const step = Math.sign(compareValues(values[at] ?? '', values[at - 1] ?? '', rule))
      if (step === 0 || step === -direction) return false
      direction = step
    }
  }
  return true
}

/** The name of the only continuation parameter; undefined where none or several are recorded. */
export function recordedParam(batches: readonly Batch[]): string | undefined {
  const names = new Set(
    batches.flatMap((batch) => [...(batch.answer.next?.values.keys() ?? [])])
  )
  const [name, second] = names
  return second === undefined ? name : undefined
}

/** The parameter that counts rows: its name says so, and every batch adds exactly its rows to it. */
export function countingRule(
  batches: readonly Batch[]
): { readonly name: string; readonly rule: ContinueRule } | undefined {
  const ends = batches.filter((batch) => batch.answer.next !== undefined)
  const name = recordedParam(ends)
  const byNumber =
    name?.endsWith('offset') === true || ends.every(({ request }) => isPagewise(request))
  if (name === undefined || !byNumber) return undefined
  const counts = ends.every(({ request: { cursor }, answer, continuesAt }) => {
    const before = cursor.size === 0 ? 0 : countIn(cursor.get(name))
    return (
      before !== undefined &&
      countAt(continuesAt ?? '', name) === before + answer.rows.length
    )
  })
  const numeric = ends.every(
    (batch) => batch.answer.next?.values.get(name)?.kind === 'literal'
  )
  return counts ? { name, rule: parseRule(['#'], numeric, ends.length) } : undefined
}

const countIn = (text: string | undefined) =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
const countAt = (position: string, name: string) => countIn(cursorValue(position, name))

export function joinOffsets(
  graph: PositionGraph,
  name: string,
  batches: readonly Batch[]
): void {
  for (const batch of batches) {
    for (const position of [batch.startsAt, batch.continuesAt ?? batch.startsAt]) {
      const count = countAt(position, name)
      if (count !== undefined) graph.join(startPosition, position, count, batch.key)
    }
  }
}

/** Continue values with the rows that they continue from, where these are known. */
export function boundariesOf(
  layout: RunLayout,
  batches: readonly Batch[]
): readonly Boundary[] {
  return batches.flatMap(({ answer: { next }, continuesAt }) => {
    const values = next?.values
    const { run, at = 0 } = layout.positions.get(continuesAt ?? '') ?? {}
    const row = run?.rows[at]?.row
    return values?.size === 1 && row
      ? [...values.values()].map((value) => ({ value, row }))
      : []
  })
}
