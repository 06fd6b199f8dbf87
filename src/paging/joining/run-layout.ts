/** Runs: the rows between positions that batches have joined, compared with the order of pages in a response. */
import { type JsonTree, jsonObject, sameTree } from '../../json/json-tree.ts'
import type { PageOrder } from '../../knowledge/listing-facts.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { type Batch, endPosition, type ListingPosition, startPosition } from '../reading/batch.ts'
import type { ListingRow, ListingRows } from '../reading/row.ts'
import { inResponseOrder, pageOrders } from '../rules/row-order.ts'
import type { BatchConflict, PositionGraph } from './position-graph.ts'

export interface RecordedRow {
  readonly row: ListingRow
  readonly key: RequestKey
}

export interface RecordedContinue {
  readonly values: ReadonlyMap<string, JsonTree>
  readonly key: RequestKey
}

export interface RowRun {
  /** Undefined where no batch shows the row in its order. */
  readonly rows: readonly (RecordedRow | undefined)[]
  readonly continues: ReadonlyMap<number, RecordedContinue>
  readonly start: boolean
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
  /** Recorded batches that cannot all be true. */
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
  const before = start && runs[start.run]?.rows.slice(0, start.at)
  const behind = end && runs[end.run]?.rows.slice(end.at)
  conflicts.push(...misplaced(graph, startPosition, before), ...misplaced(graph, endPosition, behind))
  return { runs, positions, conflicts }
}

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
  if (values && recorded && !sameTree(jsonObject([...recorded.values]), jsonObject([...values])))
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

/** Every order that turns the rows of the listing into the recorded batches. */
export function responseOrders(batches: readonly Batch[], joined: RunLayout): readonly PageOrder[] {
  const known = batches.flatMap((batch) => {
    const rows = rowsBetween(joined, batch)
    return rows === undefined ? [] : [{ rows, recorded: batch.answer.rows }]
  })
  return pageOrders.filter((order) =>
    known.every(({ rows, recorded: written }) => sameRows(inResponseOrder(rows, order), written)),
  )
}

export const sameRows = (ours: ListingRows | undefined, theirs: ListingRows): boolean =>
  ours?.length === theirs.length &&
  ours.every(({ item, slot }, at) => {
    const other = theirs[at]
    return other !== undefined && slot === other.slot && sameTree(item, other.item)
  })

/** The rows of a batch in the order of the listing; undefined where some are not known. */
export function rowsBetween(
  { positions, runs }: RunLayout,
  batch: Pick<Batch, 'startsAt' | 'continuesAt'>,
): ListingRows | undefined {
  const at = positions.get(batch.startsAt)
  const to = batch.continuesAt === undefined ? undefined : positions.get(batch.continuesAt)
  if (at === undefined || to === undefined || at.run !== to.run) return undefined
  const rows = runs[at.run]?.rows.slice(at.at, to.at) ?? []
  const known = rows.flatMap((one) => (one === undefined ? [] : [one.row]))
  return known.length === rows.length ? known : undefined
}
