/** Where in the recorded runs a request begins. */

import type { WikiFacts } from '../../request/derive.ts'
import type { Listing } from '../joining/listing.ts'
import { predictedPosition } from '../joining/rule-check.ts'
import type { RunPosition } from '../joining/run-layout.ts'
import { namePosition, positionOf } from '../reading/batch.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { startInOrder } from './by-name.ts'
import { isOwnValue, readOwnValue } from './own-value.ts'

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
