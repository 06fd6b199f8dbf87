/** The answer to a request for one listing: composed of recorded rows and frames, or why there is none. */
import type { JsonTree } from '../json/json-tree.ts'
import { hasQuirk } from '../knowledge/module-quirks.ts'
import type { WikiFacts } from '../request/derive.ts'
import type { RequestKey } from '../request/request-key.ts'
import { resultSize } from '../wiki/answers/result-size.ts'
import type { Listing } from './joining/listing.ts'
import type { Listings } from './joining/listings.ts'
import type { BatchConflict } from './joining/position-graph.ts'
import { listingEnd, type RunPosition } from './joining/run-layout.ts'
import { locate } from './placing/locate.ts'
import { positionInPart } from './placing/part-of-whole.ts'
import { propsFit } from './reading/answer-chain.ts'
import { endPosition, positionOf, reportedMax } from './reading/batch.ts'
import { differTogether, unstableReason } from './reading/driver.ts'
import { limitForCaller, limitRangeOf, withoutMaximum } from './reading/limits.ts'
import { type ListingRequest, readListingRequest } from './reading/listing-request.ts'
import { requestDoubt } from './reading/module-doubts.ts'
import type { ModuleRequest } from './reading/modules-apart.ts'
import type { ListingRows } from './reading/row.ts'
import { composeBatch } from './writing/compose-batch.ts'
import { innerAnswer } from './writing/inner-answer.ts'

/** What proves an answer: `learned` batches, `known` facts of the version too; `own`: it continues by an own value. */
export type SynthesisBasis = 'learned' | 'known' | 'own'

export interface SynthesizedListing {
  readonly kind: 'synthesized'
  /** The answer, without `requestid`. */
  readonly body: JsonTree
  readonly headers: ReadonlyMap<string, string>
  readonly from: readonly RequestKey[]
  readonly by: SynthesisBasis
}

export type Synthesis =
  | SynthesizedListing
  | { readonly kind: 'outside'; readonly listing: Listing; readonly why: string }
  | ({ readonly kind: 'conflict' } & BatchConflict)
  /** The listing is recorded, but how this request would be answered is not certain. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'not-a-listing'; readonly why: string }

export const refuse = (why: string): Synthesis => ({ kind: 'refused', why })
const notAListing = (why: string): Synthesis => ({ kind: 'not-a-listing', why })

export const tooLarge = 'its answer may be larger than the wiki makes'

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
  const doubt = requestDoubt(request.params, facts)
  if (doubt !== undefined) return listing ? refuse(doubt) : notAListing(doubt)
  const direct = listing
    ? fromListing(request, listing, facts)
    : notAListing('nothing of this listing is recorded')
  if (direct.kind === 'conflict') return direct
  const found =
    direct.kind === 'synthesized'
      ? direct
      : (fromWhole(request, listings, facts) ?? direct)
  const isCut =
    found.kind === 'synthesized' && resultSize(found.body) > listings.maxSize()
  return isCut ? refuse(tooLarge) : found
}

/** Recordings may show that everybody has more than the general maximum. */
export function forCaller(request: ListingRequest, listings: Listings): ListingRequest {
  const counts =
    request.limit.kind !== 'number' || [...request.params.values()].includes('max')
  if (!counts || request.mayExceed || !listings.exceedMaximum()) return request
  return { ...request, limit: withoutMaximum(request.limit), mayExceed: true }
}

function fromListing(
  request: ListingRequest,
  listing: Listing,
  facts: WikiFacts
): Synthesis {
  const [conflict] = listing.conflicts
  if (conflict) return { kind: 'conflict', ...conflict }
  const { clash } = listing.frames
  if (clash) return refuse(`${clash.what}: ${clash.between.join(', ')}`)
  if (listing.hasOtherMembers)
    return refuse(
      'its pages have members besides the rows, which may depend on the batch'
    )
  if (listing.disordered)
    return refuse('its rows do not come in the order that its continue values follow')
  const position = locate(request, listing, facts)
  const answer =
    typeof position === 'string'
      ? undefined
      : answerFrom(request, listing, position, facts)
  if (answer?.kind === 'synthesized') return answer
  const rest = restOfListing(request, listing)
  if (rest) return rest
  return answer ?? { kind: 'outside', listing, why: String(position) }
}

/**
 * The rest of a listing, in whatever order its rows are: a recorded batch that ended with the listing holds it, and so does
 * any with more room.
 */
function restOfListing(sent: ListingRequest, listing: Listing): Synthesis | undefined {
  const request = withCallerLimit(sent, listing)
  const limit = allowedLimit(request, listing)
  const from = positionOf(request)
  const isGenerator = listing.driver.kind === 'generator'
  const batch = listing.batches.find(
    ({ startsAt, continuesAt, answers, ...one }) =>
      startsAt === from &&
      one.request.startName === request.startName &&
      continuesAt === endPosition &&
      !answers &&
      // Of a generator several rows may be one page.
      (limit ?? 0) >=
        (isGenerator
          ? (one.allowedRows ?? Number.POSITIVE_INFINITY)
          : one.answer.rows.length)
  )
  // What the limit of an unknown module counts is not known.
  const isKnown = hasQuirk('own-class', listing.driver.module)
  if (!batch || request.inner.size > 0 || !isKnown) return undefined
  const { rows } = batch.answer
  const composed = composeBatch({ request, listing, rows, to: listingEnd, isWhole: true })
  if (typeof composed === 'string') return undefined
  const { body, headers, keys } = composed
  const found = [...new Set([batch.key, ...keys])]
  return { kind: 'synthesized', body, headers, from: found, by: 'learned' }
}

/** From the recorded listing of which the request wants a part or the reverse. */
function fromWhole(
  request: ListingRequest,
  listings: Listings,
  facts: WikiFacts
): Synthesis | undefined {
  if (!request.isBare || request.broader === undefined) return undefined
  for (const listing of listings.broader(request.broader)) {
    const position = positionInPart(listing, request, facts)
    const answer = position && answerFrom(request, listing, position, facts)
    if (answer?.kind === 'synthesized' && answer.by !== 'own') return answer
  }
  return undefined
}

/** The answer with the rows from one position on, as many as the limit allows. */
function answerFrom(
  sent: ListingRequest,
  listing: Listing,
  start: RunPosition,
  facts: WikiFacts
): Synthesis {
  const { run, at } = start
  const request = withCallerLimit(sent, listing)
  const limit = allowedLimit(request, listing)
  if (limit === undefined)
    return refuse(`what limit=${request.limit.sent} allows this caller is not recorded`)
  const to = Math.min(at + limit, run.rows.length)
  const recorded = run.rows.slice(at, to).filter((one) => one !== undefined)
  const outside = (why: string): Synthesis => ({ kind: 'outside', listing, why })
  if (recorded.length < to - at)
    return outside('its rows were only recorded in an unknown order')
  if (to < at + limit && !run.end) return outside('the recording ends before')
  const rows = recorded.map(({ row }) => row)
  const pagesOf = (some: ListingRows): readonly JsonTree[] => some.map(({ item }) => item)
  const whole = (): readonly (readonly JsonTree[])[] =>
    listing.batches.flatMap(({ answers, answer }) =>
      answers ? [] : [pagesOf(answer.rows)]
    )
  const isGenerator = request.driver.kind === 'generator'
  if (isGenerator && differTogether(request.params, pagesOf(rows), whole, facts.lookup))
    return refuse(
      'one of its props may say something else where the batch has more or fewer pages'
    )
  const fits =
    request.inner.size === 0 && propsFit(request, rows, listing.batches, facts.lookup)
  const input = { request, listing, rows, to: { run, at: to } }
  const composed = fits ? composeBatch(input) : innerAnswer(input, facts)
  if (typeof composed === 'string') return refuse(composed)
  const { body, headers, keys, own, known } = composed
  const from = [...new Set([...recorded.map(({ key }) => key), ...keys])]
  return {
    kind: 'synthesized',
    body,
    headers,
    from,
    by: own ? 'own' : known ? 'known' : listing.by
  }
}

export function withCallerLimit(
  request: ListingRequest,
  { batches, driver }: Listing
): ListingRequest {
  if (request.limit.rows !== undefined) return request
  const allowed = batches.map(({ request: { limit } }) =>
    limit.kind === 'number' ? (limit.rows ?? 0) : 0
  )
  const [ofMax] = batches.flatMap(({ answer }) => reportedMax(answer, driver) ?? [])
  return { ...request, limit: limitForCaller(request.limit, Math.max(...allowed), ofMax) }
}

/** The number of rows that the limit allows; undefined where only the wiki knows. */
function allowedLimit(
  request: ListingRequest,
  { batches, driver }: Listing
): number | undefined {
  const { rows } = request.limit
  // Without a known maximum only a limit that was once allowed is certain.
  if (rows === undefined || limitRangeOf(request.params, driver).max !== undefined)
    return rows
  return batches.some((batch) => (batch.allowedRows ?? 0) >= rows) ? rows : undefined
}
