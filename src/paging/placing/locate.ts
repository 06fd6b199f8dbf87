/** Where in the recorded runs a request begins. */

import type { WikiFacts } from '../../request/derive.ts'
import type { Listing } from '../joining/listing.ts'
import { predictedSpot } from '../joining/rule-check.ts'
import type { Spot } from '../joining/run-layout.ts'
import { fromPlace, placeOf } from '../reading/batch.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { startInOrder } from './by-name.ts'
import { looksOwn, readOwnValue } from './own-value.ts'

/** The place that the request begins at, or why it is not known. */
export function locate(request: ListingRequest, listing: Listing, facts: WikiFacts): Spot | string {
  const [value, second] = request.cursor.values()
  if (value !== undefined && second === undefined && looksOwn(value))
    return readOwnValue(listing, value) ?? 'this continue value was not handed out for what is recorded here'
  const spot = listing.places.get(placeOf(request))
  if (value !== undefined) {
    const at = spot ?? namedPlace(request, listing) ?? startAtName(request, listing, facts)
    if (at === undefined) return 'no recorded batch begins or ends at this continue value'
    return behindStart(request, listing, at, facts)
      ? at
      : 'the start asked for lies behind the continue value'
  }
  return spot ?? startAtName(request, listing, facts) ?? 'no recorded batch begins here'
}

/** A continue value that nobody recorded, but that the wiki would write for a recorded row. */
function namedPlace({ cursor }: ListingRequest, listing: Listing): Spot | undefined {
  const value = listing.param === undefined || cursor.size !== 1 ? undefined : cursor.get(listing.param)
  return value === undefined ? undefined : predictedSpot(listing, value)
}

/** The title asked for, or the value of modules that go on by their start (`aufrom`), where the order of the rows is proven. */
function startAtName(request: ListingRequest, listing: Listing, facts: WikiFacts): Spot | undefined {
  const { cursor, from, driver } = request
  const sent = cursor.size === 1 ? cursor.get(`${driver.prefix}from`) : undefined
  const name = cursor.size === 0 ? from : sent
  return name === undefined ? undefined : startInOrder(listing, name, facts)
}

/** A continue value only means the same with another start where that start lies before it. */
function behindStart(request: ListingRequest, listing: Listing, spot: Spot, facts: WikiFacts): boolean {
  if (request.from === undefined || request.from === '') return true
  const start = listing.places.get(fromPlace(request.from)) ?? startInOrder(listing, request.from, facts)
  return start !== undefined && start.run === spot.run && start.at <= spot.at
}
