/**
 * Parts and reverses of a listing that was recorded as a whole: `*prefix`, `*to` and `*dir=descending` where its rows
 * are proven to be in the order of their names, `*start`, `*end` and `*dir=newer` in the order of their times.
 */

import type { WikiFacts } from '../../request/derive.ts'
import { timestampDigits } from '../../wiki/parameters/timestamps.ts'
import type { Listing } from '../joining/listing.ts'
import { predictedPosition } from '../joining/rule-check.ts'
import type { RowRun, RunPosition } from '../joining/run-layout.ts'
import { namePosition } from '../reading/batch.ts'
import { isAllLinks, isTimed } from '../reading/driver.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { partsOf } from '../rules/continue-rule.ts'
import { compareUtf8 } from '../rules/row-order.ts'
import {
  firstNotLess,
  isRecordedIn,
  type NameSpelling,
  nameSpelling,
  nameSpellings,
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
  const isTurned = bounds.descending !== outer.descending
  if (isTurned && hasOtherBounds(request)) return undefined
  const runs = isTimed(driver)
    ? runsByTime(listing)
    : runsBetweenNames(listing, bounds, spelling)
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

/** True of bounds besides names (`aistart` of files by time): from where to where they go depends on the direction. */
const hasOtherBounds = ({ driver, params }: ListingRequest) =>
  !isTimed(driver) &&
  [...driver.description.parameters.keys()].some(
    (name) => /^(?:start|end)/.test(name) && params.has(driver.prefix + name)
  )

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
    (text) => text && (timed ? timestampDigits(text) : startKey(text, spelling))
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
function runsBetweenNames(
  listing: Listing,
  { descending }: RowBounds,
  spelling: NameSpelling
): readonly SortedRun[] | undefined {
  if (!listing.driver.description.parameters.has('from')) return undefined
  const { params, driver } = listing.batches[0].request
  const wasDescending = params.get(`${driver.prefix}dir`) === 'descending'
  const runs = wasDescending
    ? sortedRuns(listing, nameSpellings, -1)
    : runsByName(listing)
  const isUnique = runs?.every(({ keys }) =>
    keys.every((name, at) => at === 0 || name !== keys[at - 1])
  )
  if (!isUnique && descending !== wasDescending) return undefined
  const starts = startsOf(listing, spelling)
  return runs?.map((sorted) => {
    const whole = withNextName(sorted, wasDescending ? -1 : 1)
    const start = starts.get(sorted.run)
    return wasDescending
      ? { ...reversed(whole), last: start }
      : { ...whole, first: start }
  })
}

/** The first title that each run was started by, in the spelling of the database. */
function startsOf(listing: Listing, spelling: NameSpelling) {
  const starts = new Map<RowRun, string>()
  for (const { request } of listing.batches) {
    const { startName = '', cursor } = request
    const position = listing.positions.get(namePosition(startName))
    const key = startName === '' ? undefined : startKey(startName, spelling)
    const isFirst = cursor.size === 0 && position?.at === 0 && !isAllLinks(listing.driver)
    if (isFirst && key !== undefined) starts.set(position.run, key)
  }
  return starts
}

/** With the row that it continues by, of which only the name is known. */
function withNextName({ run, keys }: SortedRun, direction: 1 | -1): SortedRun {
  const [value, second] = run.continues.get(keys.length)?.values.values() ?? []
  const name = value && partsOf(value)[0]
  const last = keys.at(-1) ?? name
  if (name === undefined || last === undefined || second || run.end) return { run, keys }
  if (direction * compareUtf8(last, name) > 0) return { run, keys }
  return { run: { ...run, rows: [...run.rows, undefined] }, keys: [...keys, name] }
}

function reversed({ run, keys }: SortedRun): SortedRun {
  const { rows, start, end } = run
  const continues = [...run.continues].map(
    ([at, value]) => [rows.length - 1 - at, value] as const
  )
  return {
    keys: keys.toReversed(),
    run: {
      rows: rows.toReversed(),
      continues: new Map(continues),
      start: end,
      end: start
    }
  }
}

/** The rows between the bounds, in the order requested; undefined where the run does not prove where they begin. */
function rowsWithin(
  { run, keys, first, last }: SortedRun,
  bounds: RowBounds
): RowRun | undefined {
  const { low = '', high, prefix = '' } = bounds
  const lowest = compareUtf8(low, prefix) < 0 ? prefix : low
  const from = firstNotLess(keys, lowest)
  const isBeyond = (name: string) =>
    (high !== undefined && compareUtf8(name, high) > 0) || !name.startsWith(prefix)
  let to = from
  while (to < keys.length && !isBeyond(keys[to] ?? '')) to += 1
  // No name is both as great as that and within the bounds.
  const isNothing = isBeyond(lowest)
  const isWithinStart = first !== undefined && compareUtf8(first, lowest) <= 0
  const isWithinEnd =
    last !== undefined &&
    compareUtf8(last, lowest) >= 0 &&
    (last === high || isBeyond(last))
  const hasFirst = isNothing || from > 0 || run.start || isWithinStart
  const hasLast = isNothing || to < keys.length || run.end || isWithinEnd
  if (!(bounds.descending ? hasLast : hasFirst)) return undefined
  const part: RowRun = {
    rows: run.rows.slice(from, to),
    // Of other rows the value is known from the row.
    continues: new Map(
      [...run.continues].flatMap(([at, value]) =>
        at < to && run.rows[at] === undefined ? [[at - from, value] as const] : []
      )
    ),
    start: hasFirst,
    end: hasLast
  }
  const { run: ordered } = bounds.descending
    ? reversed({ run: part, keys: [] })
    : { run: part }
  return { ...ordered, start: true }
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
