/** Where in the recorded runs a request begins; own continue values, for positions where no rule predicts the wiki's. */
import { writeCompact } from '../../json/write-json.ts'
import type { WikiFacts } from '../../request/derive.ts'
import { digest } from '../../request/request-key.ts'
import type { Listing } from '../joining/listing.ts'
import { predictedPosition } from '../joining/rule-check.ts'
import type { RunPosition } from '../joining/run-layout.ts'
import { namePosition, positionOf } from '../reading/batch.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { startInOrder } from './by-name.ts'

/** The position that the request begins at, or why it is not known. */
export function locate(request: ListingRequest, listing: Listing, facts: WikiFacts): RunPosition | string {
  const [value, second] = request.cursor.values()
  if (value !== undefined && second === undefined && isOwnValue(value))
    return (
      readOwnValue(listing, value) ??
      'wikitape made this continue value, and the recordings have changed since; start the listing again'
    )
  const position = listing.positions.get(positionOf(request))
  if (value !== undefined) {
    const at = position ?? positionByRule(request, listing) ?? startAtName(request, listing, facts)
    if (at === undefined) return 'no recorded batch begins or ends at this continue value'
    return isAfterStart(request, listing, at, facts)
      ? at
      : 'the requested start lies after the continue value'
  }
  return position ?? startAtName(request, listing, facts) ?? 'no recorded batch begins here'
}

/** The row for which the wiki would write that continue value, which is not recorded. */
function positionByRule({ cursor }: ListingRequest, listing: Listing): RunPosition | undefined {
  const value = listing.param === undefined || cursor.size !== 1 ? undefined : cursor.get(listing.param)
  return value === undefined ? undefined : predictedPosition(listing, value)
}

/** The first row from a title on: the requested start, or a continue value that is a start (`aufrom`). */
function startAtName(request: ListingRequest, listing: Listing, facts: WikiFacts): RunPosition | undefined {
  const { cursor, startName, driver } = request
  const sent = cursor.size === 1 ? cursor.get(`${driver.prefix}from`) : undefined
  const name = cursor.size === 0 ? startName : sent
  return name === undefined ? undefined : startInOrder(listing, name, facts)
}

/** A request with a start and a continue value: usable only if the start is not behind the value. */
function isAfterStart(request: ListingRequest, listing: Listing, at: RunPosition, facts: WikiFacts): boolean {
  if (request.startName === undefined || request.startName === '') return true
  const start =
    listing.positions.get(namePosition(request.startName)) ?? startInOrder(listing, request.startName, facts)
  return start !== undefined && start.run === at.run && start.at <= at.at
}

/** wikitape's own values: each has a digest of the listing, the position and the next row, so that none outlives a change of these. */
const ownValuePattern = /^wikitape-(\d{1,9})-([0-9a-f]{20})$/

/** The value for continuing at that position; undefined where no row is known there. */
export function ownValue(listing: Listing, position: RunPosition): string | undefined {
  const seal = sealAt(listing, position)
  return seal === undefined ? undefined : `wikitape-${position.at}-${seal}`
}

/** True for a value of wikitape's own, valid or not. */
export const isOwnValue = (value: string): boolean => value.startsWith('wikitape-')

/** The position of a value of wikitape's own; undefined where it was made for another recording. */
export function readOwnValue(listing: Listing, value: string): RunPosition | undefined {
  const [, count, seal] = ownValuePattern.exec(value) ?? []
  if (count === undefined) return undefined
  return listing.runs
    .map((run) => ({ run, at: Number(count) }))
    .find((position) => sealAt(listing, position) === seal)
}

function sealAt(listing: Listing, { run, at }: RunPosition): string | undefined {
  const recorded = run.rows[at]
  if (recorded === undefined) return undefined
  // The run's first position is the same in every process that reads the same recordings.
  const [anchor] = [...listing.positions]
    .flatMap(([name, position]) => (position.run === run && position.at === 0 ? [name] : []))
    .sort()
  return digest(JSON.stringify([listing.identity, anchor, at, writeCompact(recorded.row.item, 'utf8')]), 20)
}
