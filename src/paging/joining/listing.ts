/** A listing: recorded batches joined by their continue values into runs of rows whose order and extent are proven. */

import { itemsOf, memberAt, membersOf, sameTree } from '../../json/tree.ts'
import type { RequestKey } from '../../request/key.ts'
import type { Batch, Place } from '../reading/batch.ts'
import { type BesideRows, pageMembers, takeBeside } from '../reading/beside-rows.ts'
import type { Driver } from '../reading/driver.ts'
import { asPageRows, fillsPages, isPagewise } from '../reading/page-fills.ts'
import type { Row } from '../reading/row.ts'
import { contradictsItself } from '../rules/all-links.ts'
import { asWritten, rowOrders, type WireOrder, wireOrders } from '../rules/row-order.ts'
import type { ContinueRule } from '../rules/rule.ts'
import { collectFrames, type Frames } from './frames.ts'
import { certain, type Joined, proven, recordedParam, type SharedRule } from './join.ts'
import type { Conflict } from './places.ts'
import type { Layout, Run, Spot } from './run.ts'

export interface Listing {
  readonly identity: string
  readonly driver: Driver
  readonly batches: readonly Batch[]
  readonly runs: readonly Run[]
  readonly places: ReadonlyMap<Place, Spot>
  readonly rule: ContinueRule | undefined
  /** Recorded batches that cannot all be true. */
  readonly conflicts: readonly Conflict[]
  /** Batches in which rows are hidden or stand in an unknown order, so that nothing can be cut there. */
  readonly unclear: readonly RequestKey[]
  /** True where the continue values name rows in another order than the rows come in: then they do not say where to go on. */
  readonly disordered: boolean
  /** How the pages of a generator are ordered in an answer: every order that all recorded batches allow. */
  readonly wire: readonly WireOrder[]
  /** The one continuation parameter of the listing, where a recorded batch shows it. */
  readonly param: string | undefined
  readonly formatVersion: string
  readonly frames: Frames
  /** Members of a page that come behind the rows of a prop module. */
  readonly followers: ReadonlySet<string>
  /** True for a prop that says more of a page than its rows (`extracts`), or may do so. */
  readonly foreign: boolean
  /** What a prop says of its pages beside their rows, where recorded batches tell on which pages it does. */
  readonly beside: BesideRows | undefined
}

/** Joins the batches of one listing, in whatever order they were recorded. */
export function joinListing(recorded: readonly [Batch, ...Batch[]], shared?: SharedRule): Listing {
  const [{ request }] = recorded
  const { batches, beside, foreign } = withRows(recorded)
  const orders = rowOrders(batches)
  const joined = firstDefined(orders, (order) => proven(batches, order, shared)) ?? certain(batches, shared)
  return {
    identity: request.identity,
    driver: request.driver,
    batches,
    ...joined,
    disordered: joined.disordered || contradictsItself(batches),
    wire: request.driver.kind === 'generator' ? ordersOnWire(batches, joined) : ['rows'],
    param: recordedParam(batches, shared),
    formatVersion: request.formatVersion,
    frames: collectFrames(batches),
    foreign,
    beside,
    followers: new Set(batches.flatMap((batch) => [...batch.cut.followers])),
  }
}

interface Prepared {
  readonly batches: readonly [Batch, ...Batch[]]
  readonly beside: BesideRows | undefined
  readonly foreign: boolean
}

/** What a prop says of its pages taken apart into rows and what stands beside them, as far as that is certain. */
function withRows(recorded: readonly [Batch, ...Batch[]]): Prepared {
  const [{ request }] = recorded
  if (fillsPages(request)) {
    const filled = isPagewise(request) ? asPageRows(recorded) : undefined
    return { batches: filled ?? recorded, beside: undefined, foreign: filled === undefined }
  }
  const foreign = hasForeign(recorded)
  const taken = foreign && request.alone ? takeBeside(recorded) : undefined
  return taken === undefined
    ? { batches: recorded, beside: undefined, foreign }
    : { ...taken, foreign: false }
}

function firstDefined<T, U>(values: readonly T[], get: (value: T) => U | undefined): U | undefined {
  for (const value of values) {
    const found = get(value)
    if (found !== undefined) return found
  }
  return undefined
}

/** Every order that gives back, from rows known one by one, each recorded batch as it was written. */
function ordersOnWire(batches: readonly Batch[], joined: Joined): readonly WireOrder[] {
  const told = batches.flatMap((batch) => {
    const rows = rowsBetween(joined, batch)
    return rows === undefined ? [] : [{ rows, written: batch.cut.rows }]
  })
  return wireOrders.filter((order) =>
    told.every(({ rows, written }) => {
      const again = asWritten(rows, order)
      return (
        again?.length === written.length &&
        again.every(({ item, slot }, at) => {
          const other = written[at]
          return other !== undefined && slot === other.slot && sameTree(item, other.item)
        })
      )
    }),
  )
}

/** The rows of a recorded batch as they stand in its run; undefined where some are not known in their order. */
export function rowsBetween(
  { places, runs }: Pick<Layout, 'places' | 'runs'>,
  batch: Pick<Batch, 'at' | 'to'>,
): readonly Row[] | undefined {
  const at = places.get(batch.at)
  const to = batch.to === undefined ? undefined : places.get(batch.to)
  if (at === undefined || to === undefined || at.run !== to.run) return undefined
  const rows = runs[at.run]?.rows.slice(at.at, to.at) ?? []
  const known = rows.flatMap((one) => (one === undefined ? [] : [one.row]))
  return known.length === rows.length ? known : undefined
}

/** Whether a prop may have put something else than rows on its pages. */
function hasForeign(batches: readonly Batch[]): boolean {
  const [first] = batches
  if (first?.request.driver.kind !== 'prop') return false
  if (!first.request.alone) return batches.every((batch) => batch.cut.rows.length === 0)
  return batches.some(({ cut }) =>
    itemsOf(memberAt(cut.frame, 'query', 'pages')).some((page) =>
      membersOf(page).some((member) => !pageMembers.has(member.key)),
    ),
  )
}
