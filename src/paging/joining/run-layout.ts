/** Runs: what lies between places that batches have joined, row by row. */

import { type JsonTree, sameTree } from '../../json/json-tree.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { once } from '../get-or-create.ts'
import { type Batch, endPlace, type Place, startPlace } from '../reading/batch.ts'
import type { Row } from '../reading/row.ts'
import type { Conflict, Places } from './position-graph.ts'

/** A row at its place in a run, and the batch that showed it. */
export interface KnownRow {
  readonly row: Row
  readonly key: RequestKey
}

/** What the wiki sent for going on from a place. */
export interface Emitted {
  readonly values: ReadonlyMap<string, JsonTree>
  readonly key: RequestKey
}

export interface Run {
  /** By distance from the first place of the run; undefined where no batch shows the row in its order. */
  readonly rows: readonly (KnownRow | undefined)[]
  readonly emitted: ReadonlyMap<number, Emitted>
  /** True where the run begins with the first row of the listing, and where it ends with the last. */
  readonly start: boolean
  readonly end: boolean
}

/** Where a place lies. */
export interface Spot {
  readonly run: number
  readonly at: number
}

export interface Layout {
  readonly runs: readonly Run[]
  readonly places: ReadonlyMap<Place, Spot>
  readonly conflicts: readonly Conflict[]
}

/** Rows of each batch in the order assumed; undefined where it is unknown. */
export type Ordering = (batch: Batch) => readonly Row[] | undefined

interface Draft extends Run {
  readonly rows: (KnownRow | undefined)[]
  readonly emitted: Map<number, Emitted>
}

/** Puts every row of every batch at its place. */
export function layOut(places: Places, batches: readonly Batch[], ordering: Ordering): Layout {
  const spots = spotsOf(places)
  const conflicts = [...places.conflicts]
  const [start, end] = [spots.get(startPlace), spots.get(endPlace)]
  const lengths: number[] = []
  for (const { run, at } of spots.values()) lengths[run] = Math.max(lengths[run] ?? 0, at)
  const runs = lengths.map((length, run): Draft => {
    const rows = Array.from<KnownRow | undefined>({ length })
    return { rows, emitted: new Map(), start: start?.run === run, end: end?.run === run }
  })
  for (const batch of batches) {
    const { run, at } = spots.get(batch.at) ?? { run: -1, at: 0 }
    const draft = runs[run]
    if (draft !== undefined) conflicts.push(...putBatch(draft, batch, at, ordering(batch)))
  }
  const [before, behind] = [
    start && runs[start.run]?.rows.slice(0, start.at),
    end && runs[end.run]?.rows.slice(end.at),
  ]
  conflicts.push(...misplaced(places, startPlace, before), ...misplaced(places, endPlace, behind))
  return { runs, places: spots, conflicts }
}

/** Nothing lies before the start nor behind the end. */
function misplaced(places: Places, end: Place, beyond: Run['rows'] = []): readonly Conflict[] {
  const key = places.teller(end)
  const what = `rows lie beyond what one of them calls the ${end} of the listing`
  const other = beyond.find((one) => one !== undefined)?.key ?? key
  return key && other && beyond.length > 0 ? [{ between: [key, other], what }] : []
}

/** Distances within a group, counted from its first place. */
function spotsOf(places: Places): ReadonlyMap<Place, Spot> {
  const all = [...places.all()].map((place) => ({ place, ...places.find(place) }))
  const least = new Map<Place, number>()
  for (const { root, rows } of all) least.set(root, Math.min(least.get(root) ?? 0, rows))
  const order = new Map([...least.keys()].map((root, run) => [root, run]))
  const spots = new Map<Place, Spot>()
  for (const { place, root, rows } of all)
    spots.set(place, { run: order.get(root) ?? 0, at: rows - (least.get(root) ?? 0) })
  return spots
}

function putBatch(draft: Draft, batch: Batch, at: number, inOrder: readonly Row[] = []): readonly Conflict[] {
  const { key, cut } = batch
  const conflicts: Conflict[] = []
  const other = putRows(draft.rows, key, at, inOrder)
  if (other !== undefined)
    conflicts.push({ between: [other, key], what: 'they show different rows at the same place' })
  const values = cut.next?.values
  const emitted = values && once(draft.emitted, at + cut.rows.length, () => ({ values, key }))
  if (values !== undefined && emitted !== undefined && !sameValues(emitted.values, values))
    conflicts.push({ between: [emitted.key, key], what: 'they go on differently from the same place' })
  return conflicts
}

/** @returns who shows another row at one of these places */
function putRows(
  rows: Draft['rows'],
  key: RequestKey,
  at: number,
  inOrder: readonly Row[],
): RequestKey | undefined {
  for (const [nth, row] of inOrder.entries()) {
    const known = rows[at + nth]
    if (known === undefined) rows[at + nth] = { row, key }
    else if (!sameRow(known.row, row)) return known.key
  }
  return undefined
}

/** Pages that do not exist are numbered per answer, from -1: their numbers say nothing. */
const sameRow = (a: Row, b: Row): boolean =>
  sameTree(a.item, b.item) &&
  (a.page === b.page || (a.page !== undefined && b.page !== undefined && sameTree(a.page, b.page))) &&
  (a.slot === b.slot || (a.slot.startsWith('-') && b.slot.startsWith('-')))

const sameValues = (a: ReadonlyMap<string, JsonTree>, b: ReadonlyMap<string, JsonTree>): boolean =>
  a.size === b.size &&
  [...a].every(([name, value]) => {
    const other = b.get(name)
    return other !== undefined && sameTree(value, other)
  })
