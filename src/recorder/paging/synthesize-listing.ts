/** The answer to a request for one listing: composed of recorded rows and frames, or why there is none. */
import type { WikiFacts } from '../request/derive.ts'
import { resultSize } from '../wiki/answers/result-size.ts'
import { withoutParams } from '../wiki/parameters/request-params.ts'
import { fromFiltered, fromListing, fromWhole, restOfListing } from './answer-from.ts'
import { fromAlike } from './from-alike.ts'
import type { Listing } from './joining/listing.ts'
import type { Listings } from './joining/listings.ts'
import { countDoubt, driverOf, unstableReason } from './reading/driver.ts'
import { withoutMaximum } from './reading/limits.ts'
import { type ListingRequest, readListingRequest } from './reading/listing-request.ts'
import { type LateFilter, lateFilterIn, moduleDoubt } from './reading/module-doubts.ts'
import type { ModuleRequest } from './reading/modules-apart.ts'
import { splitAnswer } from './reading/split-answer.ts'
import { isSettled, notAListing, refuse, type Synthesis, tooLarge } from './synthesis.ts'

/** What of a request decides how it is answered. */
type ListingParams = Pick<ModuleRequest, 'params' | 'sentValues'>

/** The answer to a request for one listing. */
export function synthesizeListing(
  { params, sentValues }: ListingParams,
  listings: Listings,
  facts: WikiFacts
): Synthesis {
  const sent = readListingRequest(params, sentValues, facts.lookup, listings.names)
  if (typeof sent === 'string') return notAListing(sent)
  const request = forCaller(sent, listings)
  const unstable = unstableReason(request.driver, request.params, facts.site)
  if (unstable !== undefined) return notAListing(unstable)
  const listing = listings.find(request.identity)
  const doubt = moduleDoubt(request.params, facts)
  if (doubt !== undefined) return listing ? refuse(doubt) : notAListing(doubt)
  const late = lateFilterIn(request.params, facts)
  const direct = late
    ? pastFilter(late, request, listings, facts)
    : throughout(request, listing, listings, facts)
  const found = isSettled(direct)
    ? direct
    : (fromAlike(request, listings, facts) ?? direct)
  const isCut =
    found.kind === 'synthesized' && resultSize(found.body) > listings.maxSize()
  return isCut ? refuse(tooLarge) : found
}

function throughout(
  request: ListingRequest,
  listing: Listing | undefined,
  listings: Listings,
  facts: WikiFacts
): Synthesis {
  const direct = listing
    ? fromListing(request, listing, facts)
    : notAListing(
        countDoubt(request.params, request.driver) ??
          'nothing of this listing is recorded'
      )
  return isSettled(direct) ? direct : (fromWhole(request, listings, facts) ?? direct)
}

/** Where rows are left out after the limit has counted them. */
function pastFilter(
  late: LateFilter,
  request: ListingRequest,
  listings: Listings,
  facts: WikiFacts
): Synthesis {
  const listing = listings.find(request.identity)
  const rest =
    listing && !listing.frames.clash ? restOfListing(request, listing, true) : undefined
  const found =
    rest ??
    fromFiltered(request, listings, facts) ??
    fromNothing(request, late, listings, facts)
  return found ?? (listing ? refuse(late.why) : notAListing(late.why))
}

/** Of no rows none is left out. */
function fromNothing(
  { params, sentValues }: ListingParams,
  { param, isPlain }: LateFilter,
  listings: Listings,
  facts: WikiFacts
): Synthesis | undefined {
  if (!isPlain) return undefined
  const unfiltered = { params: withoutParams(params, param), sentValues }
  const found = synthesizeListing(unfiltered, listings, facts)
  const driver = driverOf(unfiltered.params, facts.lookup)
  if (found.kind !== 'synthesized' || typeof driver === 'string') return undefined
  const answer = splitAnswer(found.body, driver)
  const isEmpty = typeof answer !== 'string' && answer.rows.length === 0 && !answer.next
  return isEmpty ? found : undefined
}

/** Recordings may show that everybody has more than the general maximum. */
export function forCaller(request: ListingRequest, listings: Listings): ListingRequest {
  const counts =
    request.limit.kind !== 'number' || [...request.params.values()].includes('max')
  if (!counts || request.mayExceed || !listings.exceedMaximum()) return request
  return { ...request, limit: withoutMaximum(request.limit), mayExceed: true }
}
