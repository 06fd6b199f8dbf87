/** What recorded batches tell of continue values: which rows they go on from, and whether they count these. */
import { type Batch, cursorValue, startPlace } from '../reading/batch.ts'
import { isPagewise } from '../reading/page-limited-props.ts'
import { type Boundary, type ContinueRule, ruleOf } from '../rules/continue-rule.ts'
import type { Places } from './position-graph.ts'
import type { Layout } from './run-layout.ts'

/** The name of the one continuation parameter; undefined where none or several were seen. */
export function recordedParam(batches: readonly Batch[]): string | undefined {
  const names = new Set(batches.flatMap((batch) => [...(batch.cut.next?.values.keys() ?? [])]))
  const [name, second] = names
  return second === undefined ? name : undefined
}

/** A parameter that counts rows, where its name says so and every batch adds exactly its rows to it. */
export function countingRule(
  batches: readonly Batch[],
): { readonly name: string; readonly rule: ContinueRule } | undefined {
  const ends = batches.filter((batch) => batch.cut.next !== undefined)
  const name = recordedParam(ends)
  const byNumber = name?.endsWith('offset') === true || ends.every(({ request }) => isPagewise(request))
  if (name === undefined || !byNumber) return undefined
  const counts = ends.every(({ request: { cursor }, cut, to }) => {
    const before = cursor.size === 0 ? 0 : countIn(cursor.get(name))
    return before !== undefined && to !== undefined && countAt(to, name) === before + cut.rows.length
  })
  const numeric = ends.every((batch) => batch.cut.next?.values.get(name)?.kind === 'literal')
  return counts ? { name, rule: ruleOf(['#'], numeric, ends.length) } : undefined
}

const countIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
const countAt = (place: string, name: string): number | undefined => countIn(cursorValue(place, name))

/** With a running offset, every continue value says how far behind the start it lies. */
export function joinOffsets(places: Places, name: string, batches: readonly Batch[]): void {
  for (const batch of batches) {
    for (const place of [batch.at, batch.to ?? batch.at]) {
      const count = countAt(place, name)
      if (count !== undefined) places.join(startPlace, place, count, batch)
    }
  }
}

/** Continue values with the rows that they go on from, where those are known. */
export function boundariesOf(layout: Layout, batches: readonly Batch[]): readonly Boundary[] {
  return batches.flatMap(({ cut, to }) => {
    const values = cut.next?.values
    const spot = to === undefined ? undefined : layout.places.get(to)
    if (values === undefined || spot === undefined || values.size !== 1) return []
    const subject = layout.runs[spot.run]?.rows[spot.at]?.row
    return subject === undefined ? [] : [...values.values()].map((value) => ({ value, subject }))
  })
}
