/**
 * Parts and reverses of a listing that was recorded as a whole: `*prefix`, `*to` and `*dir=descending` where its rows
 * are proven to be in the order of their names, `*start`, `*end` and `*dir=newer` in the order of their times.
 */
import type { WikiFacts } from '../../request/derive.ts'
import type { Listing } from '../joining/listing.ts'
import type { Listings } from '../joining/listings.ts'
import { predictedPosition } from '../joining/rule-check.ts'
import type { RecordedRow, RowRun, RunPosition } from '../joining/run-layout.ts'
import { isAllLinks, isTimed } from '../reading/driver.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { digitsOfTime } from '../rules/explanation.ts'
import { compareUtf8 } from '../rules/row-order.ts'
import {
  type AscendingRun,
  boundsOf,
  firstNotLess,
  nameSpelling,
  type RowBounds,
  runsByName,
  sortKeysIn,
} from './by-name.ts'

/** A listing with only the rows that the request wants, and its start there. */
export interface ListingWindow {
  readonly listing: Listing
  readonly position: RunPosition
}

export function windowFor(
  request: ListingRequest,
  listings: Listings,
  facts: WikiFacts,
): ListingWindow | undefined {
  const listing = request.broader === undefined ? undefined : listings.find(request.broader)
  if (listing === undefined || listing.conflicts.length > 0 || listing.disordered) return undefined
  const timed = isTimed(request.driver)
  const bounds = timed ? timeBounds(request) : boundsOf(request, nameSpelling(listing, facts))
  // Descending lists of all links may be sorted ascending all the same (reading/driver.ts).
  if (bounds?.descending === true && isAllLinks(request.driver)) return undefined
  const runs = bounds && (timed ? runsByTime(listing) : runsByName(listing, bounds.descending))
  if (runs === undefined || bounds === undefined) return undefined
  for (const { run, keys } of runs) {
    const rows = rowsWithin(run, keys, bounds)
    if (rows === undefined) continue
    const ordered = bounds.descending ? rows.toReversed() : rows
    const part: RowRun = { rows: ordered, continues: new Map(), start: true, end: true }
    const at = startWithin(request, listing, part)
    if (at !== undefined)
      return { listing: { ...listing, runs: [part], positions: new Map() }, position: { run: 0, at } }
  }
  return undefined
}

/** The rows between the bounds; undefined where the run does not prove that it has all of them. */
function rowsWithin(
  run: RowRun,
  names: readonly string[],
  bounds: RowBounds,
): readonly RecordedRow[] | undefined {
  const low = highest(bounds.low, bounds.prefix)
  const from = low === undefined ? 0 : firstNotLess(names, low)
  const beyond = (name: string): boolean =>
    (bounds.high !== undefined && compareUtf8(name, bounds.high) > 0) ||
    (bounds.prefix !== undefined && !name.startsWith(bounds.prefix))
  let to = from
  while (to < names.length && !beyond(names[to] ?? '')) to += 1
  if ((from === 0 && !run.start) || (to === names.length && !run.end)) return undefined
  const rows = run.rows.slice(from, to)
  const known = rows.filter((row) => row !== undefined)
  return known.length === rows.length ? known : undefined
}

const highest = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined ? b : b === undefined || compareUtf8(a, b) >= 0 ? a : b

function startWithin({ cursor }: ListingRequest, { rule }: Listing, run: RowRun): number | undefined {
  const [value, second] = cursor.values()
  if (value === undefined) return 0
  return second === undefined ? predictedPosition({ rule, runs: [run] }, value)?.at : undefined
}

/** The runs with their oldest rows first (recorded are newest first); undefined where the rule does not sort by time. */
const runsByTime = (listing: Listing): readonly AscendingRun[] | undefined =>
  sortKeysIn(listing, ['digits-of-time'], -1)?.map((keys, at) => {
    const { rows = [], start = false, end = false } = listing.runs[at] ?? {}
    const run = { rows: rows.toReversed(), continues: new Map(), start: end, end: start }
    return { run, keys: keys.toReversed() }
  })

/** The wanted period, with both ends. Source: addTimestampWhereRange */
export function timeBounds({ params, driver }: ListingRequest): RowBounds | undefined {
  const [start, end, dir] = ['start', 'end', 'dir'].map((name) => params.get(driver.prefix + name))
  if (dir !== undefined && dir !== 'older' && dir !== 'newer') return undefined
  const [from, to] = [digitsOf(start), digitsOf(end)]
  if ((start !== undefined && from === undefined) || (end !== undefined && to === undefined)) return undefined
  const descending = dir !== 'newer'
  return { low: descending ? to : from, high: descending ? from : to, prefix: undefined, descending }
}

/** A timestamp as the database writes it; undefined for spellings that only the wiki reads. */
const digitsOf = (time = ''): string | undefined => (/^\d{14}$/.test(time) ? time : digitsOfTime(time))
