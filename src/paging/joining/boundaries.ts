/** Recorded continue values: the rows that they continue from, and whether they count rows. */
import { type Batch, cursorValue, startPosition } from '../reading/batch.ts'
import { isPagewise } from '../reading/page-limited-props.ts'
import { type Boundary, type ContinueRule, parseRule } from '../rules/continue-rule.ts'
import type { PositionGraph } from './position-graph.ts'
import type { RunLayout } from './run-layout.ts'

/** The name of the only continuation parameter; undefined where none or several are recorded. */
export function recordedParam(batches: readonly Batch[]): string | undefined {
  const names = new Set(batches.flatMap((batch) => [...(batch.answer.next?.values.keys() ?? [])]))
  const [name, second] = names
  return second === undefined ? name : undefined
}

/** The parameter that counts rows: its name says so, and every batch adds exactly its rows to it. */
export function countingRule(
  batches: readonly Batch[],
): { readonly name: string; readonly rule: ContinueRule } | undefined {
  const ends = batches.filter((batch) => batch.answer.next !== undefined)
  const name = recordedParam(ends)
  const byNumber = name?.endsWith('offset') === true || ends.every(({ request }) => isPagewise(request))
  if (name === undefined || !byNumber) return undefined
  const counts = ends.every(({ request: { cursor }, answer, continuesAt }) => {
    const before = cursor.size === 0 ? 0 : countIn(cursor.get(name))
    return before !== undefined && countAt(continuesAt ?? '', name) === before + answer.rows.length
  })
  const numeric = ends.every((batch) => batch.answer.next?.values.get(name)?.kind === 'literal')
  return counts ? { name, rule: parseRule(['#'], numeric, ends.length) } : undefined
}

const countIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
const countAt = (position: string, name: string): number | undefined => countIn(cursorValue(position, name))

export function joinOffsets(graph: PositionGraph, name: string, batches: readonly Batch[]): void {
  for (const batch of batches) {
    for (const position of [batch.startsAt, batch.continuesAt ?? batch.startsAt]) {
      const count = countAt(position, name)
      if (count !== undefined) graph.join(startPosition, position, count, batch.key)
    }
  }
}

/** Continue values with the rows that they continue from, where these are known. */
export function boundariesOf(layout: RunLayout, batches: readonly Batch[]): readonly Boundary[] {
  return batches.flatMap(({ answer: { next }, continuesAt }) => {
    const values = next?.values
    const { run, at = 0 } = layout.positions.get(continuesAt ?? '') ?? {}
    const row = run?.rows[at]?.row
    return values?.size === 1 && row ? [...values.values()].map((value) => ({ value, row })) : []
  })
}
