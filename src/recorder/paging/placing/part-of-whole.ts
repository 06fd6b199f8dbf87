/**
 * Parts and reverses of a listing that was recorded as a whole: `*prefix`, `*to` and `*dir=descending` where its rows
 * are proven to be in the order of their names, `*start`, `*end` and `*dir=newer` in the order of their times.
 */
import type { WikiFacts } from '../../request/derive.ts'
import type { Listing } from '../joining/listing.ts'
import { predictedPosition } from '../joining/rule-check.ts'
import type { RowRun, RunPosition } from '../joining/run-layout.ts'
import { isAllLinks, isTimed } from '../reading/driver.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { digitsOfTime } from '../rules/explanation.ts'
import { compareUtf8 } from '../rules/row-order.ts'
import {
  firstNotLess,
  isRecordedIn,
  type NameSpelling,
  nameSpelling,
  runsByName,
  type SortedRun,
  sortedRuns,
  startKey
} from './locate.ts'

/** The start of a request in a run of only the rows that it wants; undefined where these are not proven. */
export function positionInPart(
  listing: Listing,
  request: ListingRequest,
  facts: WikiFacts
): RunPosition | undefined {
  const { driver, cursor } = request
  if (listing.conflicts.length > 0 || listing.disordered || listing.frames.clash)
    return undefined
  const spelling = nameSpelling(listing, facts)
  const bounds = boundsOf(request, spelling)
  const [{ request: recorded }] = listing.batches
  const outer = boundsOf({ ...recorded, startName: undefined }, spelling)
  // Descending lists of all links may be sorted ascending all the same (reading/driver.ts).
  if (!bounds || (bounds.descending && isAllLinks(driver))) return undefined
  if (!outer || !isWithin(bounds, outer)) return undefined
  const runs = isTimed(driver) ? runsByTime(listing) : runsBetweenNames(listing, bounds)
  for (const sorted of runs ?? []) {
    const part = rowsWithin(sorted, bounds)
    if (!part) continue
    const [value, second] = cursor.values()
    if (value === undefined) return { run: part, at: 0 }
    const position =
      second === undefined
        ? predictedPosition({ ...listing, runs: [part] }, value)
        : undefined
    if (position) return position
  }
  return undefined
}

/** The part of a listing that a request wants, and its direction; keys are in the spelling of the database. */
interface RowBounds {
  readonly low: string | undefined
  readonly high: string | undefined
  readonly prefix: string | undefined
  readonly descending: boolean
}

/** True where the rows of a listing with the outer bounds have all those within the others. */
function isWithin(bounds: RowBounds, outer: RowBounds) {
  const { low = '', high, prefix = '' } = bounds
  const isBelow =
    outer.high === undefined || (high !== undefined && compareUtf8(high, outer.high) <= 0)
  return (
    isBelow &&
    compareUtf8(low, outer.low ?? '') >= 0 &&
    prefix.startsWith(outer.prefix ?? '')
  )
}

/** Both ends are in the part. Undefined where the bounds are not certain. Source: addTimestampWhereRange */
export function boundsOf(
  { params, driver, startName }: ListingRequest,
  spelling: NameSpelling
): RowBounds | undefined {
  const timed = isTimed(driver)
  const sent = (name: string) => params.get(driver.prefix + name)
  const [up, down] = timed ? ['newer', 'older'] : ['ascending', 'descending']
  const dir = sent('dir') ?? (timed ? down : up)
  const texts = timed
    ? [sent('start'), sent('end')]
    : [startName, sent('to'), sent('prefix')]
  const keys = texts.map(
    (text) => text && (timed ? digitsOf(text) : startKey(text, spelling))
  )
  if (
    (dir !== up && dir !== down) ||
    texts.some((text, at) => text !== undefined && !keys[at])
  )
    return undefined
  const [start, end, prefix] = keys
  const descending = dir === down
  return {
    prefix,
    low: descending ? end : start,
    high: descending ? start : end,
    descending
  }
}

/** Undefined where names do not sort the rows, or where some are equal: the reverse of these is not known. */
function runsBetweenNames(listing: Listing, { descending }: RowBounds) {
  const runs = listing.driver.description.parameters.has('from')
    ? runsByName(listing)
    : undefined
  const isUnique = runs?.every(({ keys }) =>
    keys.every((name, at) => at === 0 || name !== keys[at - 1])
  )
  return isUnique || !descending ? runs : undefined
}

/** The rows between the bounds, in the order requested; undefined where the run does not prove where they begin. */
function rowsWithin({ run, keys }: SortedRun, bounds: RowBounds): RowRun | undefined {
  const { low = '', high, prefix = '' } = bounds
  const from = firstNotLess(keys, compareUtf8(low, prefix) < 0 ? prefix : low)
  const beyond = (name: string) =>
    (high !== undefined && compareUtf8(name, high) > 0) || !name.startsWith(prefix)
  let to = from
  while (to < keys.length && !beyond(keys[to] ?? '')) to += 1
  const hasFirst = from > 0 || run.start
  const hasLast = to < keys.length || run.end
  if (!(bounds.descending ? hasLast : hasFirst)) return undefined
  const rows = run.rows.slice(from, to)
  if (rows.includes(undefined)) return undefined
  const ordered = bounds.descending ? rows.toReversed() : rows
  return {
    rows: ordered,
    continues: new Map(),
    start: true,
    end: bounds.descending ? hasFirst : hasLast
  }
}

/** The runs with their oldest rows first; undefined unless they were recorded newest first, and sorted by time. */
function runsByTime(listing: Listing): readonly SortedRun[] | undefined {
  if (!isRecordedIn(listing, 'older')) return undefined
  return sortedRuns(listing, ['digits-of-time'], -1)?.map(
    ({ run: { rows, start, end }, keys }) => ({
      run: { rows: rows.toReversed(), continues: new Map(), start: end, end: start },
      keys: keys.toReversed()
    })
  )
}

/** A timestamp as the database writes it; undefined for spellings that only the wiki reads. */
const digitsOf = (time: string) => (/^\d{14}$/.test(time) ? time : digitsOfTime(time))
