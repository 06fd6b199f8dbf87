/** Runs: the rows between positions that batches have joined. */

import { type JsonTree, sameTree } from '../../json/json-tree.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { type Batch, endPosition, type ListingPosition, startPosition } from '../reading/batch.ts'
import type { ListingRow, ListingRows } from '../reading/row.ts'
import type { BatchConflict, PositionGraph } from './position-graph.ts'

export interface RecordedRow {
  readonly row: ListingRow
  readonly key: RequestKey
}

/** The continue values that the wiki sent at a position. */
export interface RecordedContinue {
  readonly values: ReadonlyMap<string, JsonTree>
  readonly key: RequestKey
}

export interface RowRun {
  /** Undefined where no batch shows the row in its order. */
  readonly rows: readonly (RecordedRow | undefined)[]
  readonly continues: ReadonlyMap<number, RecordedContinue>
  /** True where the run begins with the first row of the listing. */
  readonly start: boolean
  /** True where it ends with the last row. */
  readonly end: boolean
}

export interface RunPosition {
  readonly run: number
  /** Rows from the start of the run. */
  readonly at: number
}

export interface RunLayout {
  readonly runs: readonly RowRun[]
  readonly positions: ReadonlyMap<ListingPosition, RunPosition>
  readonly conflicts: readonly BatchConflict[]
}

/** The rows of a batch in the assumed order; undefined where that is unknown. */
export type RowOrdering = (batch: Batch) => ListingRows | undefined

interface RunDraft extends RowRun {
  readonly rows: (RecordedRow | undefined)[]
  readonly continues: Map<number, RecordedContinue>
}

export function layOut(graph: PositionGraph, batches: readonly Batch[], ordering: RowOrdering): RunLayout {
  const positions = runPositions(graph)
  const conflicts = [...graph.conflicts]
  const [start, end] = [positions.get(startPosition), positions.get(endPosition)]
  const lengths: number[] = []
  for (const { run, at } of positions.values()) lengths[run] = Math.max(lengths[run] ?? 0, at)
  const runs = lengths.map((length, run): RunDraft => {
    const rows = Array.from<RecordedRow | undefined>({ length })
    return { rows, continues: new Map(), start: start?.run === run, end: end?.run === run }
  })
  for (const batch of batches) {
    const { run, at } = positions.get(batch.startsAt) ?? { run: -1, at: 0 }
    const draft = runs[run]
    if (draft !== undefined) conflicts.push(...putBatch(draft, batch, at, ordering(batch)))
  }
  const [before, behind] = [
    start && runs[start.run]?.rows.slice(0, start.at),
    end && runs[end.run]?.rows.slice(end.at),
  ]
  conflicts.push(...misplaced(graph, startPosition, before), ...misplaced(graph, endPosition, behind))
  return { runs, positions, conflicts }
}

/** A conflict where rows lie before the start or after the end. */
function misplaced(
  graph: PositionGraph,
  end: ListingPosition,
  beyond: RowRun['rows'] = [],
): readonly BatchConflict[] {
  const key = graph.source(end)
  const what = `rows lie beyond what one of them calls the ${end} of the listing`
  const other = beyond.find((one) => one !== undefined)?.key ?? key
  return key && other && beyond.length > 0 ? [{ between: [key, other], what }] : []
}

/** Each group of positions is a run; indices count from its first position. */
function runPositions(graph: PositionGraph): ReadonlyMap<ListingPosition, RunPosition> {
  const all = [...graph.all()].map((position) => ({ position, ...graph.find(position) }))
  const least = new Map<ListingPosition, number>()
  for (const { root, rows } of all) least.set(root, Math.min(least.get(root) ?? 0, rows))
  const order = new Map([...least.keys()].map((root, run) => [root, run]))
  const positions = new Map<ListingPosition, RunPosition>()
  for (const { position, root, rows } of all)
    positions.set(position, { run: order.get(root) ?? 0, at: rows - (least.get(root) ?? 0) })
  return positions
}

function putBatch(run: RunDraft, batch: Batch, at: number, rows: ListingRows = []): readonly BatchConflict[] {
  const { key, answer } = batch
  const conflicts: BatchConflict[] = []
  const other = putRows(run, key, at, rows)
  if (other !== undefined)
    conflicts.push({ between: [other, key], what: 'they show different rows at the same place' })
  const values = answer.next?.values
  const recorded = values && getOrAdd(run.continues, at + answer.rows.length, () => ({ values, key }))
  if (values !== undefined && recorded !== undefined && !sameValues(recorded.values, values))
    conflicts.push({ between: [recorded.key, key], what: 'they continue differently from the same place' })
  return conflicts
}

/** @returns the recording that shows another row at one of these positions */
function putRows(run: RunDraft, key: RequestKey, at: number, rows: ListingRows): RequestKey | undefined {
  for (const [nth, row] of rows.entries()) {
    const known = run.rows[at + nth]
    if (known === undefined) run.rows[at + nth] = { row, key }
    else if (!sameRow(known.row, row)) return known.key
  }
  return undefined
}

/** Pages that do not exist are numbered from -1 in each answer, so their numbers are ignored. */
const sameRow = (a: ListingRow, b: ListingRow): boolean =>
  sameTree(a.item, b.item) &&
  (a.page === b.page || (a.page !== undefined && b.page !== undefined && sameTree(a.page, b.page))) &&
  (a.slot === b.slot || (a.slot.startsWith('-') && b.slot.startsWith('-')))

const sameValues = (a: ReadonlyMap<string, JsonTree>, b: ReadonlyMap<string, JsonTree>): boolean =>
  a.size === b.size &&
  [...a].every(([name, value]) => {
    const other = b.get(name)
    return other !== undefined && sameTree(value, other)
  })
