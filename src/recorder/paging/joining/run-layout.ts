/**
 * Runs: the rows between positions that batches have joined, compared with the order of pages in a response.
 */

import {
  type JsonTree,
  jsonArray,
  jsonObject,
  sameTree,
  textAt
} from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { getOrAdd, groupBy, mapAll } from '../../text/group-by.ts'
import {
  type Batch,
  endPosition,
  type ListingPosition,
  startPosition
} from '../reading/batch.ts'
import type { ListingRow, ListingRows } from '../reading/row.ts'
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
  readonly run: RowRun
  /** Rows from the start of the run. */
  readonly at: number
}

/** Behind the last row. */
export const listingEnd: RunPosition = {
  run: { rows: [], continues: new Map(), start: false, end: true },
  at: 0
}

export interface RunLayout {
  readonly runs: readonly RowRun[]
  readonly positions: ReadonlyMap<ListingPosition, RunPosition>
  /** Recorded batches that cannot all be true. */
  readonly conflicts: readonly BatchConflict[]
}

/** The rows of a batch in the assumed order; undefined where that is unknown. */
export type Ordering = (batch: Batch) => ListingRows | undefined

interface RunDraft extends RowRun {
  readonly rows: (RecordedRow | undefined)[]
  readonly continues: Map<number, RecordedContinue>
}

interface DraftPosition extends RunPosition {
  readonly run: RunDraft
}

export function layOut(
  graph: PositionGraph,
  batches: readonly Batch[],
  ordering: Ordering
): RunLayout {
  const positions = new Map<ListingPosition, DraftPosition>()
  const offsets = [...graph.all()].map((position) => ({
    position,
    ...graph.find(position)
  }))
  // Each group of positions is a run; indices count from its first position.
  const runs = [...groupBy(offsets, ({ root }) => root).values()].map((group) => {
    const first = group.reduce((least, { rows }) => Math.min(least, rows), 0)
    const last = group.reduce((most, { rows }) => Math.max(most, rows), 0)
    const isIn = (end: ListingPosition) => group.some(({ position }) => position === end)
    const rows = Array.from<RecordedRow | undefined>({ length: last - first })
    const run = {
      rows,
      continues: new Map(),
      start: isIn(startPosition),
      end: isIn(endPosition)
    }
    for (const { position, rows: offset } of group)
      positions.set(position, { run, at: offset - first })
    return run
  })
  const conflicts = [...graph.conflicts]
  for (const batch of batches) {
    const position = positions.get(batch.startsAt)
    if (position) conflicts.push(...putBatch(position, batch, ordering(batch)))
  }
  const start = positions.get(startPosition)
  const end = positions.get(endPosition)
  const before = start?.run.rows.slice(0, start.at)
  const behind = end?.run.rows.slice(end.at)
  conflicts.push(
    ...misplaced(graph, startPosition, before),
    ...misplaced(graph, endPosition, behind)
  )
  return { runs, positions, conflicts }
}

function misplaced(
  graph: PositionGraph,
  end: ListingPosition,
  beyond: RowRun['rows'] = []
): readonly BatchConflict[] {
  const key = graph.source(end)
  const what = `rows lie beyond what one of them calls the ${end} of the listing`
  const other = beyond.find((one) => one !== undefined)?.key ?? key
  return key && other && beyond.length > 0 ? [{ between: [key, other], what }] : []
}

function putBatch(
  { run, at }: DraftPosition,
  { key, answer }: Batch,
  rows: ListingRows = []
) {
  const conflicts: BatchConflict[] = []
  for (const [nth, row] of rows.entries()) {
    const known = run.rows[at + nth]
    if (known && !sameRow(known.row, row)) {
      conflicts.push({
        between: [known.key, key],
        what: 'they show different rows at the same place'
      })
      break
    }
    run.rows[at + nth] = known ?? { row, key }
  }
  const values = answer.next?.values
  const recorded =
    values && getOrAdd(run.continues, at + answer.rows.length, () => ({ values, key }))
  if (
    values &&
    recorded &&
    !sameTree(jsonObject([...recorded.values]), jsonObject([...values]))
  )
    conflicts.push({
      between: [recorded.key, key],
      what: 'they continue differently from the same place'
    })
  return conflicts
}

/** Rows that two recordings have at different places: something changed between them, so that their numbers do not fit. */
export function repeatedRows({
  runs
}: Pick<RunLayout, 'runs'>): readonly BatchConflict[] {
  const known = runs.flatMap(({ rows }) => rows.flatMap((one) => one ?? []))
  const titled = new Set(known.map(({ row, key }) => `${key} ${titleIn(row)}`))
  // A list that names a page once has one row a page, whatever else the row says.
  const isOnePerPage = titled.size === known.length
  const seen = new Map<string, RequestKey>()
  const what = 'they show one row at two places'
  return known.flatMap(({ row, key }) => {
    const { page, item } = row
    const text = writeCompact(jsonArray(page ? [page, item] : [item]), 'utf8')
    const name = (isOnePerPage ? titleIn(row) : undefined) ?? text
    const other = getOrAdd(seen, name, () => key)
    return other === key ? [] : [{ between: [other, key], what }]
  })
}

const titleIn = ({ item, page }: ListingRow) => (page ? undefined : textAt(item, 'title'))

/** Pages that do not exist are numbered from -1 in each answer, so their numbers are ignored. */
const sameRow = (a: ListingRow, b: ListingRow) =>
  sameTree(a.item, b.item) &&
  (a.page === b.page ||
    (a.page !== undefined && b.page !== undefined && sameTree(a.page, b.page))) &&
  (a.slot === b.slot || (a.slot.startsWith('-') && b.slot.startsWith('-')))

export const sameRows = (ours: ListingRows | undefined, theirs: ListingRows): boolean =>
  ours?.length === theirs.length &&
  ours.every(({ item, slot }, at) => {
    const other = theirs[at]
    return other !== undefined && slot === other.slot && sameTree(item, other.item)
  })

/** The rows of a batch in the order of the listing; undefined where some are not known. */
export function rowsBetween(
  { positions }: RunLayout,
  { startsAt, continuesAt = '' }: Pick<Batch, 'startsAt' | 'continuesAt'>
): ListingRows | undefined {
  const at = positions.get(startsAt)
  const to = positions.get(continuesAt)
  if (!at || !to || at.run !== to.run) return undefined
  return mapAll(at.run.rows.slice(at.at, to.at), (one) => one?.row)
}
