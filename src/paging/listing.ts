/** A listing: recorded batches joined by their continue values into runs of rows whose order and extent are proven. */
import { itemsOf, memberAt, memberOf, membersOf, sameTree } from '../json/tree.ts'
import type { RequestKey } from '../request/key.ts'
import { contradictsItself } from './all-links.ts'
import { type Batch, endPlace, isFull, type Place } from './batch.ts'
import { type BesideRows, pageMembers, takeBeside } from './beside-rows.ts'
import type { Row } from './frame.ts'
import { countingRule, isInjective, joinOffsets, joinPredicted, sorted, usableRule } from './learning.ts'
import type { Driver } from './listing-request.ts'
import { namesFirstPages } from './named-first.ts'
import { asPageRows, fillsPages, isPagewise } from './pagewise.ts'
import { type Conflict, Places } from './places.ts'
import {
  asWritten,
  isGrouped,
  isOrdered,
  type RowOrder,
  rowOrders,
  rowsInOrder,
  type WireOrder,
  wireOrders,
} from './row-order.ts'
import type { ContinueRule } from './rule.ts'
import { type Layout, layOut, type Ordering, type Run, type Spot } from './run.ts'
import { collectFrames, type Frames } from './shape.ts'

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

/** A rule learned from other listings of the module, for one that has too few boundaries itself. */
export interface SharedRule {
  readonly rule: ContinueRule
  readonly param: string
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
    param: paramOf(batches, shared),
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

interface Joined extends Layout {
  readonly rule: ContinueRule | undefined
  readonly disordered: boolean
  readonly unclear: readonly RequestKey[]
}

/** All batches joined under one assumption on the order of rows; undefined where nothing proves the assumption. */
function proven(
  batches: readonly Batch[],
  order: RowOrder,
  shared: SharedRule | undefined,
): Joined | undefined {
  const ordered = new Map(batches.map((batch) => [batch, rowsInOrder(batch, order)] as const))
  if ([...ordered.values()].includes(undefined)) return undefined
  const counted = batches.every((batch) => isPagewise(batch.request))
  const plain = counted || batches.every((batch) => batch.request.driver.kind === 'list' && !isGrouped(batch))
  const assumed = { trusted: true, order, strict: !plain, counted }
  const joined = join(batches, (batch) => ordered.get(batch), shared, assumed)
  if (plain) return joined
  const named = order === 'wire' && joined.rule === undefined && namesFirstPages(batches)
  const proof = (joined.rule !== undefined || named) && !joined.disordered
  return proof && joined.unclear.length === 0 && joined.conflicts.length === 0 ? joined : undefined
}

/** Only rows whose order cannot be mistaken; the other batches say how far their ends lie apart. */
function certain(batches: readonly Batch[], shared: SharedRule | undefined): Joined {
  const trusted = batches[0]?.request.driver.kind !== 'generator'
  const ordering: Ordering = (batch) => (isOrdered(batch) ? batch.cut.rows : undefined)
  const assumed = { trusted, order: 'wire', strict: false, counted: false } as const
  const joined = join(batches, ordering, shared, assumed)
  // Pages that are numbered, but not by their place in the listing, are numbered by their place in the batch.
  const numbered =
    !trusted && batches.some(({ cut }) => cut.rows.some((row) => memberOf(row.item, 'index') !== undefined))
  return numbered ? { ...joined, disordered: true } : joined
}

/** What is assumed while batches are joined. */
interface Assumption {
  /** Whether each row is one item, so that a last batch short of its limit hides nothing. */
  readonly trusted: boolean
  readonly order: RowOrder
  /** Whether every row must show that the rule sorts them. */
  readonly strict: boolean
  /** Whether rows follow each other by their number, whatever their continue values say of them. */
  readonly counted: boolean
}

function join(
  batches: readonly Batch[],
  ordering: Ordering,
  shared: SharedRule | undefined,
  { trusted, order, strict, counted: byNumber }: Assumption,
): Joined {
  const { placed, unclear } = sift(batches, trusted)
  const places = new Places()
  for (const { at, to, cut, key } of placed) if (to !== undefined) places.join(at, to, cut.rows.length, key)
  const counted = countingRule(placed)
  if (counted !== undefined) joinOffsets(places, counted.name, placed)
  const early = layOut(places, placed, ordering)
  const learned = counted?.rule ?? usableRule(early, placed, shared?.rule)
  if (learned === undefined) return { ...early, rule: undefined, unclear, disordered: false }
  const rule = byNumber ? learned : sorted(learned, early.runs, order, strict)
  // A value that several rows share names none of them: then there is no rule. Otherwise it tells another order.
  if (rule === undefined) return { ...early, rule, unclear, disordered: isInjective(learned, early.runs) }
  if (counted !== undefined) return { ...early, rule, unclear, disordered: false }
  const again = joinPredicted(places, early, rule, paramOf(batches, shared))
  const layout = again ? layOut(places, placed, ordering) : early
  return { ...layout, rule, unclear, disordered: false }
}

/** Batches that hide no rows, as far as they show; one that does puts short last batches in doubt too. */
function sift(
  batches: readonly Batch[],
  trusted: boolean,
): { readonly placed: readonly Batch[]; readonly unclear: readonly RequestKey[] } {
  const uneven = batches.some((batch) => batch.to !== endPlace && !isFull(batch))
  const clear = (batch: Batch): boolean => {
    if (isFull(batch)) return batch.to !== undefined
    return batch.to === endPlace && ((trusted && !uneven) || batch.cut.rows.length === 0)
  }
  const placed: Batch[] = []
  const unclear: RequestKey[] = []
  for (const batch of batches) {
    if (clear(batch)) placed.push(batch)
    else unclear.push(batch.key)
  }
  return { placed, unclear }
}

/** The name of the one continuation parameter; undefined where none or several were seen. */
function paramOf(batches: readonly Batch[], shared: SharedRule | undefined): string | undefined {
  const names = new Set(batches.flatMap((batch) => [...(batch.cut.next?.values.keys() ?? [])]))
  const [name, second] = names
  return second === undefined ? (name ?? shared?.param) : undefined
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
