/** Runs: what lies between places that batches have joined, row by row. */

import { type JsonTree, sameTree } from '../../json/tree.ts'
import type { RequestKey } from '../../request/key.ts'
import { type Batch, endPlace, type Place, startPlace } from '../reading/batch.ts'
import type { Row } from '../reading/row.ts'
import type { Conflict, Places } from './places.ts'

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

interface Draft {
  readonly rows: (KnownRow | undefined)[]
  readonly emitted: Map<number, Emitted>
  start: boolean
  end: number | undefined
}

/** Puts every row of every batch at its place. */
export function layOut(places: Places, batches: readonly Batch[], ordering: Ordering): Layout {
  const spots = spotsOf(places)
  const drafts: Draft[] = []
  const conflicts = [...places.conflicts]
  for (const batch of batches) {
    const at = spots.get(batch.at)
    if (at === undefined) continue
    drafts[at.run] ??= { rows: [], emitted: new Map(), start: false, end: undefined }
    const draft = drafts[at.run]
    if (draft !== undefined) conflicts.push(...putBatch(draft, batch, at.at, ordering(batch)))
  }
  for (const [place, { run, at }] of spots) {
    const draft = drafts[run]
    if (draft === undefined) continue
    draft.rows.length = Math.max(draft.rows.length, at)
    if (place === startPlace) draft.start = true
    if (place === endPlace) draft.end = at
  }
  conflicts.push(...misplacedEnds(places, spots, drafts))
  const runs = drafts.map(({ rows, emitted, start, end }) => ({
    rows: Array.from(rows),
    emitted,
    start,
    end: end !== undefined,
  }))
  return { runs, places: spots, conflicts }
}

/** Distances within a group, counted from its first place. */
function spotsOf(places: Places): Map<Place, Spot> {
  const least = new Map<Place, number>()
  const found: (readonly [Place, Place, number])[] = []
  for (const place of [...places.all()]) {
    const { root, rows } = places.find(place)
    found.push([place, root, rows])
    least.set(root, Math.min(least.get(root) ?? 0, rows))
  }
  const order = runOrder(places, [...least.keys()])
  return new Map(
    found.map(([place, root, rows]) => [
      place,
      { run: order.get(root) ?? 0, at: rows - (least.get(root) ?? 0) },
    ]),
  )
}

/** The run that holds the start comes first, the one that holds the end last. */
function runOrder(places: Places, roots: readonly Place[]): ReadonlyMap<Place, number> {
  const rank = (root: Place): number =>
    places.has(startPlace) && places.find(startPlace).root === root
      ? 0
      : places.has(endPlace) && places.find(endPlace).root === root
        ? 2
        : 1
  return new Map([...roots].sort((a, b) => rank(a) - rank(b)).map((root, at) => [root, at]))
}

function putBatch(
  draft: Draft,
  batch: Batch,
  at: number,
  rows: readonly Row[] | undefined,
): readonly Conflict[] {
  const conflicts: Conflict[] = []
  let place = at
  for (const row of rows ?? []) {
    const held = draft.rows[place]
    if (held === undefined) {
      draft.rows[place] = { row, key: batch.key }
    } else if (!sameRow(held.row, row)) {
      conflicts.push({ between: [held.key, batch.key], what: 'they show different rows at the same place' })
      break
    }
    place += 1
  }
  const { next, rows: all } = batch.cut
  if (next === undefined) return conflicts
  const held = draft.emitted.get(at + all.length)
  if (held === undefined) draft.emitted.set(at + all.length, { values: next.values, key: batch.key })
  else if (!sameValues(held.values, next.values))
    conflicts.push({ between: [held.key, batch.key], what: 'they go on differently from the same place' })
  return conflicts
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

/** Nothing lies before the start nor behind the end. */
function misplacedEnds(
  places: Places,
  spots: ReadonlyMap<Place, Spot>,
  drafts: readonly (Draft | undefined)[],
): readonly Conflict[] {
  const conflicts: Conflict[] = []
  const start = spots.get(startPlace)
  const end = spots.get(endPlace)
  const teller = (place: Place, other: RequestKey | undefined): void => {
    const key = places.teller(place)
    if (key === undefined) return
    const what = `rows lie beyond what one of them calls the ${place} of the listing`
    conflicts.push({ between: [key, other ?? key], what })
  }
  if (start !== undefined && start.at > 0) teller(startPlace, drafts[start.run]?.rows[0]?.key)
  const last = end === undefined ? undefined : drafts[end.run]?.rows
  if (end !== undefined && last !== undefined && last.length > end.at) teller(endPlace, last.at(-1)?.key)
  return conflicts
}
