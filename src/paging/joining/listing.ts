/** A listing: recorded batches joined by their continue values into runs of rows whose order and extent are proven. */

import type { JsonTree } from '../../json/json-tree.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import type { Batch, Place } from '../reading/batch.ts'
import type { Driver } from '../reading/driver.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { asPageRows, fillsPages, isPagewise } from '../reading/page-limited-props.ts'
import { type BesideRows, besideIn, pagesOf, takeBeside } from '../reading/sibling-members.ts'
import { contradictsItself } from '../reading/unusable.ts'
import { type ContinueRule, isAmbiguous } from '../rules/continue-rule.ts'
import type { KnownListing } from '../rules/known-rules.ts'
import { rowOrders, type WireOrder } from '../rules/row-order.ts'
import { recordedParam } from './boundaries.ts'
import { type Joined, joinCertain, joinKnown, joinProven } from './join-batches.ts'
import type { Conflict } from './position-graph.ts'
import { collectFrames, type Frames } from './recorded-frames.ts'
import { ordersOnWire } from './response-order.ts'
import type { Run, Spot } from './run-layout.ts'

export interface Listing {
  readonly identity: string
  readonly driver: Driver
  readonly batches: readonly [Batch, ...Batch[]]
  readonly runs: readonly Run[]
  readonly places: ReadonlyMap<Place, Spot>
  readonly rule: ContinueRule | undefined
  /** Whether recorded batches alone prove how it goes on, or what is known of the wiki's version does. */
  readonly by: 'learned' | 'known'
  /** What in the recording speaks against what is known, so that it is left aside. */
  readonly against: string | undefined
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
  readonly frames: Frames
  /** Members of a page that come behind the rows of a prop module. */
  readonly followers: ReadonlySet<string>
  /** True for a prop that says more of a page than its rows (`extracts`), or may do so. */
  readonly foreign: boolean
  /** What a prop says of its pages beside their rows, where recorded batches tell on which pages it does. */
  readonly beside: BesideRows | undefined
}

/** What is known of such a listing of the wiki's version, with the pages of its first batch; asked only where it is needed. */
export type Known = (request: ListingRequest, pages: readonly JsonTree[]) => KnownListing | undefined

/** Joins the batches of one listing, in whatever order they were recorded. */
export function joinListing(
  recorded: readonly [Batch, ...Batch[]],
  site: SiteFacts | undefined,
  known: Known,
): Listing {
  const [{ request }] = recorded
  const { identity, driver } = request
  const { batches, beside, foreign } = withRows(recorded)
  const orders = rowOrders(batches)
  const own = orders.reduce<Joined | undefined>(
    (found, order) => found ?? joinProven(batches, order),
    undefined,
  )
  const open = own?.rule === undefined || isAmbiguous(own.rule)
  const version = open ? known(request, pagesOf(recorded[0])) : undefined
  const tried = version && joinKnown(batches, version)
  // What no row shows is better learned, as far as that goes.
  const believed = typeof tried === 'object' && (tried.rule ?? own?.rule) === tried.rule ? tried : undefined
  const joined = believed ?? own ?? joinCertain(batches)
  const pages = believed && version?.pages
  return {
    identity,
    driver,
    batches,
    ...joined,
    by: believed === undefined ? 'learned' : 'known',
    against: typeof tried === 'string' ? tried : undefined,
    disordered: joined.disordered || contradictsItself(batches),
    wire:
      driver.kind === 'generator'
        ? ordersOnWire(batches, joined).filter((order) => pages?.includes(order) ?? true)
        : ['rows'],
    param: recordedParam(batches) ?? version?.param,
    frames: collectFrames(batches, site),
    foreign,
    beside,
    followers: new Set(batches.flatMap((batch) => [...batch.cut.followers])),
  }
}

type Prepared = Pick<Listing, 'batches' | 'beside' | 'foreign'>

/** What a prop says of its pages taken apart into rows and what stands beside them, as far as that is certain. */
function withRows(recorded: readonly [Batch, ...Batch[]]): Prepared {
  const [{ request }] = recorded
  if (fillsPages(request)) {
    const filled = isPagewise(request) ? asPageRows(recorded) : undefined
    return { batches: filled ?? recorded, beside: undefined, foreign: filled === undefined }
  }
  const foreign = hasForeign(recorded)
  const taken = foreign && request.alone ? takeBeside(recorded) : undefined
  return taken ? { ...taken, foreign: false } : { batches: recorded, beside: undefined, foreign }
}

/** Whether a prop may have put something else than rows on its pages. */
function hasForeign(batches: readonly [Batch, ...Batch[]]): boolean {
  const [{ request }] = batches
  if (request.driver.kind !== 'prop') return false
  if (!request.alone) return batches.every((batch) => batch.cut.rows.length === 0)
  return batches.some((batch) => pagesOf(batch).some((page) => besideIn(page).length > 0))
}
