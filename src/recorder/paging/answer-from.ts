/** The answer to a request out of one recorded listing, or why that does not prove it. */
import { itemsAt, type JsonTree } from '../json/json-tree.ts'
import { hasQuirk } from '../knowledge/module-quirks.ts'
import type { WikiFacts } from '../request/derive.ts'
import { valuesOf } from '../wiki/parameters/request-params.ts'
import type { Listing } from './joining/listing.ts'
import type { Listings } from './joining/listings.ts'
import { listingEnd, type RunPosition } from './joining/run-layout.ts'
import { locate } from './placing/locate.ts'
import { positionInPart } from './placing/part-of-whole.ts'
import { propsFit } from './reading/answer-chain.ts'
import { type Batch, endPosition, positionOf, reportedMax } from './reading/batch.ts'
import { differTogether } from './reading/driver.ts'
import { limitForCaller, limitRangeOf } from './reading/limits.ts'
import type { ListingRequest } from './reading/listing-request.ts'
import type { ListingRows } from './reading/row.ts'
import { refuse, type Synthesis } from './synthesis.ts'
import { composeBatch } from './writing/compose-batch.ts'
import { innerAnswer } from './writing/inner-answer.ts'

/**
 * The rest of a listing, in whatever order its rows are: a recorded batch that ended with the listing holds it, and so does
 * any with more room. @param isFiltered rows were left out after the limit had counted them
 */
export function restOfListing(
  sent: ListingRequest,
  listing: Listing,
  isFiltered = false
): Synthesis | undefined {
  const request = withCallerLimit(sent, listing)
  const limit = allowedLimit(request, listing) ?? 0
  const from = positionOf(request)
  const batch = listing.batches.find(
    ({ startsAt, continuesAt, answers, ...one }) =>
      startsAt === from &&
      one.request.startName === request.startName &&
      continuesAt === endPosition &&
      !answers &&
      limit >= countedRows(one, listing, isFiltered)
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

/** No fewer rows than its limit has counted. */
function countedRows(
  { allowedRows, answer: { rows } }: Pick<Batch, 'allowedRows' | 'answer'>,
  { driver }: Listing,
  isFiltered: boolean
) {
  // Of a generator several rows may be one page.
  const isMore = isFiltered || (driver.kind === 'generator' && rows.length > 0)
  return isMore ? (allowedRows ?? Number.POSITIVE_INFINITY) : rows.length
}

/** From the recorded listing of which the request wants a part or the reverse. */
export function fromWhole(
  request: ListingRequest,
  listings: Listings,
  facts: WikiFacts
): Synthesis | undefined {
  for (const listing of wholesOf(request, listings, facts)) {
    const answer = partOf(request, listing, facts)
    if (answer) return answer
  }
  return undefined
}

/** From one batch that ended, with no more room than the request has: the wiki left out rows after its limit had counted them. */
export function fromFiltered(
  request: ListingRequest,
  listings: Listings,
  facts: WikiFacts
): Synthesis | undefined {
  for (const { batches } of wholesOf(request, listings, facts))
    for (const batch of batches) {
      const isEnd = batch.continuesAt === endPosition && !batch.answers
      const listing = isEnd ? listings.joinAlone(batch) : undefined
      const limit = listing && allowedLimit(withCallerLimit(request, listing), listing)
      if (!listing || (limit ?? 0) < countedRows(batch, listing, true)) continue
      const answer = partOf(request, listing, facts)
      if (answer) return answer
    }
  return undefined
}

/** The listings of which the request may want a part: of a generator's pages each prop says all. */
function wholesOf(request: ListingRequest, listings: Listings, { lookup }: WikiFacts) {
  const { driver, params, additions, isBare, broader = request.identity } = request
  const isLimited = valuesOf(params, 'prop').some((name) =>
    lookup(`query+${name}`)?.parameters.has('limit')
  )
  const isOfPages =
    driver.kind === 'generator' &&
    additions.every((name) => name === 'prop') &&
    !isLimited
  return driver.kind !== 'prop' && (isBare || isOfPages) ? listings.broader(broader) : []
}

function partOf(request: ListingRequest, listing: Listing, facts: WikiFacts) {
  const position = positionInPart(listing, request, facts)
  const answer = position && answerFrom(request, listing, position, facts)
  return answer?.kind === 'synthesized' && answer.by !== 'own' ? answer : undefined
}

/** Out of its own listing, or of one that is the same for it. */
export function fromListing(
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

/** The answer with the rows from one position on, as many as the limit allows. */
export function answerFrom(
  sent: ListingRequest,
  listing: Listing,
  start: RunPosition,
  facts: WikiFacts
): Synthesis {
  const { run, at } = start
  if (!hasOnlyRows(listing) && !listing.batches.some((one) => isOfSameRows(one, sent)))
    return refuse(otherMembers)
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

const otherMembers =
  'beside its rows are members that may be about all of them, of which this request wants a part'

/** True where a recorded request begins with the same row, and ends with the same. */
const isOfSameRows = ({ request }: Batch, { identity, startName }: ListingRequest) =>
  request.identity === identity && request.startName === startName

/** False for a list beside whose rows its module says something else, as `list=search` how many there are. */
const hasOnlyRows = ({ batches, driver }: Listing): boolean =>
  driver.kind !== 'list' ||
  batches.every(
    ({ request, answer }) => !request.isBare || itemsAt(answer.frame, 'query').length <= 1
  )

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
