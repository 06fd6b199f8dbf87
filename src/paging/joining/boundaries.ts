/** Rules applied to what was recorded: learning them from boundaries, and joining runs by the values they predict. */
import type { JsonTree } from '../../json/tree.ts'
import { type Batch, sentBack, startPlace } from '../reading/batch.ts'
import { isOfOnePage } from '../reading/listing-request.ts'
import { isPagewise } from '../reading/page-fills.ts'
import { learnRule } from '../rules/learn.ts'
import { type Boundary, type ContinueRule, countingRuleOf, isRunningOffset, predict } from '../rules/rule.ts'
import type { Places } from './places.ts'
import type { Layout } from './run.ts'

/** A parameter that counts rows, where its name says so and every batch adds exactly its rows to it. */
export function countingRule(
  batches: readonly Batch[],
): { readonly name: string; readonly rule: ContinueRule } | undefined {
  const ends = batches.filter((batch) => batch.cut.next !== undefined)
  const [name, second] = new Set(ends.flatMap((batch) => [...(batch.cut.next?.values.keys() ?? [])]))
  const byNumber = name?.endsWith('offset') === true || ends.every(({ request }) => isPagewise(request))
  if (name === undefined || second !== undefined || !byNumber) return undefined
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
  const [batch] = batches
  const own = learnRule(boundaries, batch !== undefined && isOfOnePage(batch.request))
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
    const subject = layout.runs[spot.run]?.rows[spot.at]?.row
    return subject === undefined ? [] : [...next.values.values()].map((value) => ({ value, subject }))
  })
}
