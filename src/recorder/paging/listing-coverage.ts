/** The coverage of a listing: which rows are recorded, and the gaps. */
import { textAt, textOf } from '../json/json-tree.ts'
import { writeCompact } from '../json/write-json.ts'
import type { RequestKey } from '../request/request-key.ts'
import { readableQuery } from '../text/percent-decoding.ts'
import { writeQuery } from '../wiki/parameters/request-params.ts'
import type { Listing } from './joining/listing.ts'
import type { BatchConflict } from './joining/position-graph.ts'
import type { RecordedRow, RowRun } from './joining/run-layout.ts'
import { identityParams } from './reading/listing-request.ts'
import { describeRule } from './rules/continue-rule.ts'
import { compareUtf8 } from './rules/row-order.ts'

export interface Coverage {
  /** The request, without limit and continuation. */
  readonly listing: string
  readonly items: number
  readonly batches: number
  readonly intervals: readonly Interval[]
  readonly gaps: readonly Gap[]
  readonly complete: boolean
  readonly rule:
    | {
        readonly words: string
        readonly boundaries: number
        readonly by: 'learned' | 'known'
      }
    | undefined
  readonly against: string | undefined
  readonly conflicts: readonly BatchConflict[]
  readonly unclear: readonly RequestKey[]
}

export function coverageOf(listing: Listing): Coverage {
  // In the order of the listing, as far as that is known.
  const intervals = listing.runs.flatMap(intervalsOf).sort(byPosition)
  const gaps = gapsBetween(intervals)
  const { rule, by, contradiction: against, conflicts, unclear } = listing
  const params = identityParams(listing.identity).filter(
    ([name]) => !name.endsWith(' in order')
  )
  return {
    listing: readableQuery(writeQuery(params)),
    items: intervals.reduce((sum, one) => sum + one.items, 0),
    batches: listing.batches.length,
    intervals,
    gaps,
    complete: gaps.length === 0 && conflicts.length === 0,
    rule: rule && { words: describeRule(rule), boundaries: rule.boundaries, by },
    against,
    conflicts,
    unclear
  }
}

/** Rows without a gap between them. */
export interface Interval {
  readonly items: number
  readonly first: string
  readonly last: string
  readonly fromStart: boolean
  readonly toEnd: boolean
}

/** Rows that are not recorded: between two rows, or up to an end of the listing. */
export interface Gap {
  readonly after: string | undefined
  readonly before: string | undefined
}

function intervalsOf({ rows, start, end }: RowRun) {
  if (rows.length === 0 && start && end)
    return [{ items: 0, first: '', last: '', fromStart: true, toEnd: true }]
  const holes = [-1, ...rows.flatMap((row, at) => (row ? [] : [at])), rows.length]
  return holes.slice(1).flatMap((to, nth) => {
    const from = (holes[nth] ?? -1) + 1
    const first = rows[from]
    const last = rows[to - 1]
    if (from === to || !first || !last) return []
    const ends = { fromStart: start && from === 0, toEnd: end && to === rows.length }
    return [{ items: to - from, first: label(first), last: label(last), ...ends }]
  })
}

function label({ row: { item } }: RecordedRow) {
  const [name] = ['title', 'name', '*', 'category', 'user', 'propname'].flatMap(
    (one) => textAt(item, one) ?? []
  )
  const time = textAt(item, 'timestamp')
  if (name !== undefined) return time === undefined ? name : `${name} (${time})`
  const text = textOf(item) ?? writeCompact(item, 'utf8')
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const byPosition = (a: Interval, b: Interval) =>
  Number(b.fromStart) - Number(a.fromStart) ||
  Number(a.toEnd) - Number(b.toEnd) ||
  compareUtf8(a.first, b.first)

function gapsBetween(intervals: readonly Interval[]) {
  const befores = [...intervals.map(({ first }) => first), undefined]
  const gaps = befores.map((before, at) => ({ after: intervals[at - 1]?.last, before }))
  return gaps.slice(
    intervals[0]?.fromStart ? 1 : 0,
    intervals.at(-1)?.toEnd ? intervals.length : gaps.length
  )
}
