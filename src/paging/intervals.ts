/** The unbroken parts of a listing that are recorded, and the gaps between them. */

import { memberOf, textOf } from '../json/tree.ts'
import { writeCompact } from '../json/write.ts'
import type { KnownRow, Run } from './joining/run.ts'
import { compareUtf8 } from './rules/row-order.ts'

/** Rows without a hole between them. */
export interface Interval {
  readonly items: number
  readonly first: string
  readonly last: string
  /** True where nothing lies before it, and where nothing lies behind it. */
  readonly fromStart: boolean
  readonly toEnd: boolean
}

/** Rows that nobody recorded: behind one row and before another, or up to an end of the listing. */
export interface Gap {
  readonly after: string | undefined
  readonly before: string | undefined
}

/** The unbroken parts of all runs, in the order of the listing as far as it is known. */
export const intervalsIn = (runs: readonly Run[]): readonly Interval[] =>
  runs.flatMap(intervalsOf).sort(byPlace)

function intervalsOf(run: Run): readonly Interval[] {
  const found: Interval[] = []
  if (run.rows.length === 0 && run.start && run.end)
    return [{ items: 0, first: '', last: '', fromStart: true, toEnd: true }]
  let from = 0
  for (let at = 0; at <= run.rows.length; at += 1) {
    if (at < run.rows.length && run.rows[at] !== undefined) continue
    const rows = run.rows.slice(from, at)
    const [first, last] = [rows[0], rows.at(-1)]
    if (first !== undefined && last !== undefined) {
      found.push({
        items: rows.length,
        first: label(first),
        last: label(last),
        fromStart: run.start && from === 0,
        toEnd: run.end && at === run.rows.length,
      })
    }
    from = at + 1
  }
  return found
}

/** What a person knows a row by. */
function label({ row }: KnownRow): string {
  for (const name of ['title', 'name', '*', 'category', 'user', 'propname']) {
    const text = textOf(memberOf(row.item, name))
    if (text !== undefined) {
      const time = textOf(memberOf(row.item, 'timestamp'))
      return time === undefined ? text : `${text} (${time})`
    }
  }
  const text = textOf(row.item) ?? writeCompact(row.item, 'utf8')
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const byPlace = (a: Interval, b: Interval): number =>
  Number(b.fromStart) - Number(a.fromStart) ||
  Number(a.toEnd) - Number(b.toEnd) ||
  compareUtf8(a.first, b.first)

/** What lies between intervals, and beyond the first and the last. */
export function gapsBetween(intervals: readonly Interval[]): readonly Gap[] {
  const gaps: Gap[] = []
  const [first] = intervals
  if (first === undefined) return [{ after: undefined, before: undefined }]
  if (!first.fromStart) gaps.push({ after: undefined, before: first.first })
  for (const [at, one] of intervals.entries()) {
    const next = intervals[at + 1]
    if (next !== undefined) gaps.push({ after: one.last, before: next.first })
    else if (!one.toEnd) gaps.push({ after: one.last, before: undefined })
  }
  return gaps
}
