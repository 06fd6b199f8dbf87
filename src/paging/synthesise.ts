/** Answers that nobody recorded, made of rows and frames that somebody did; or why there is none. */

import { type JsonTree, memberOf, numberOf } from '../json/json-tree.ts'
import type { Derivation, WikiFacts } from '../request/derive.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { Listing } from './joining/listing.ts'
import type { Listings } from './joining/listings.ts'
import type { Spot } from './joining/run-layout.ts'
import { locate } from './placing/locate.ts'
import { looksOwn } from './placing/own-value.ts'
import { windowFor } from './placing/part-of-whole.ts'
import { propsFit } from './reading/answer-chain.ts'
import { maxIn } from './reading/batch.ts'
import { forCaller, isCostly } from './reading/limit.ts'
import { type ListingRequest, readListingRequest } from './reading/listing-request.ts'
import type { Row } from './reading/row.ts'
import { beginsAt, putBeside } from './reading/sibling-members.ts'
import { isRanked, mayContradict } from './reading/unusable.ts'
import { pagesAsWritten } from './rules/row-order.ts'
import { frameFor } from './writing/answer-frame.ts'
import { fillFrame } from './writing/fill-frame.ts'
import { type Composed, innerAnswer, type Wish } from './writing/inner-answer.ts'
import { goesOn, nextValues } from './writing/next-values.ts'

/**
 * What an answer rests on: recorded batches alone; also what is known of the wiki's version; or it goes on by a continue
 * value that is wikitape's own rather than the wiki's.
 */
export type SynthesisBy = 'learned' | 'known' | 'own'

/** What a request for a part of a listing gets. */
export type Synthesis =
  | {
      readonly kind: 'synthesized'
      /** The answer, less `requestid`. */
      readonly body: JsonTree
      readonly headers: ReadonlyMap<string, string>
      /** The recorded batches that prove it. */
      readonly from: readonly RequestKey[]
      readonly by: SynthesisBy
    }
  | {
      readonly kind: 'outside'
      readonly listing: Listing
      readonly why: string
      readonly at: Spot | undefined
    }
  | {
      readonly kind: 'conflict'
      readonly between: readonly [RequestKey, RequestKey]
      readonly what: string
    }
  /** The listing is recorded, but how this request would be answered is not certain. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'not-a-listing'; readonly why: string }

const refuse = (why: string): Synthesis => ({ kind: 'refused', why })
const foreign = (why: string): Synthesis => ({ kind: 'not-a-listing', why })

/** Answers a request out of what is recorded of its listing. */
export function synthesise(derivation: Derivation, listings: Listings, facts: WikiFacts): Synthesis {
  const request = readListingRequest(derivation.canonical, derivation.asked, facts.lookup, listings.names)
  if (typeof request === 'string') return foreign(request)
  if (mayContradict(request, facts.site)) return foreign('this version may sort it otherwise than it goes on')
  if (isRanked(request.driver, facts.site))
    return foreign('another batch may hold results in another order where the database is not SQLite')
  const listing = listings.find(request.identity)
  const own =
    listing === undefined
      ? foreign('nothing of this listing is recorded')
      : fromListing(request, listing, facts)
  if (own.kind === 'synthesized' || own.kind === 'conflict') return own
  return fromWindow(request, listings, facts) ?? own
}

function fromListing(request: ListingRequest, listing: Listing, facts: WikiFacts): Synthesis {
  const [conflict] = listing.conflicts
  if (conflict !== undefined) return { kind: 'conflict', ...conflict }
  const { clash } = listing.frames
  if (clash !== undefined) return refuse(`${clash.what}: ${clash.between.join(', ')}`)
  if (listing.foreign) return refuse('its pages carry more than rows, which may depend on the batch')
  if (listing.disordered) return refuse('its rows do not come in the order that its continue values follow')
  const located = locate(request, listing, facts)
  if (typeof located === 'string') return { kind: 'outside', listing, why: located, at: undefined }
  return part(request, listing, located, facts)
}

/** From the recorded whole of which the request wants a part, or the reverse. */
function fromWindow(request: ListingRequest, listings: Listings, facts: WikiFacts): Synthesis | undefined {
  const window = request.alone ? windowFor(request, listings, facts) : undefined
  if (window === undefined || window.listing.frames.clash !== undefined) return undefined
  const said = part(request, window.listing, window.spot, facts)
  return said.kind === 'synthesized' && said.by !== 'own' ? said : undefined
}

/** The rows from one place on, as many as the limit allows. */
function part(asked: ListingRequest, listing: Listing, at: Spot, facts: WikiFacts): Synthesis {
  const request = ofCaller(asked, listing)
  const limit = limitIn(request, listing)
  if (limit === undefined)
    return refuse(`what limit=${request.limit.sent} allows this caller is not recorded`)
  const run = listing.runs[at.run]
  if (run === undefined) return refuse('no run at this place')
  const to = Math.min(at.at + limit, run.rows.length)
  const pages: Row[] = []
  const from = new Set<RequestKey>()
  for (let last: RequestKey | undefined, nth = at.at; nth < to; nth += 1) {
    const one = run.rows[nth]
    if (one === undefined)
      return { kind: 'outside', listing, why: 'rows inside were only seen in an unknown order', at }
    pages.push(one.row)
    if (one.key !== last) from.add(one.key)
    last = one.key
  }
  if (to < at.at + limit && !run.end)
    return { kind: 'outside', listing, why: 'the recording ends before', at }
  const fits = request.inner.size === 0 && propsFit(request, pages, listing.batches, facts.lookup)
  const wish = { request, listing, rows: pages, to: { run: at.run, at: to } }
  const said = fits ? compose(wish) : innerAnswer(wish, facts)
  if (typeof said === 'string') return refuse(said)
  const { body, headers, keys, own, known } = said
  for (const key of keys) from.add(key)
  return {
    kind: 'synthesized',
    body,
    headers,
    from: [...from],
    by: own ? 'own' : known === true ? 'known' : listing.by,
  }
}

/** The request with the limit that the same caller is recorded to have. */
function ofCaller(request: ListingRequest, { batches, driver }: Listing): ListingRequest {
  if (request.limit.rows !== undefined) return request
  const allowed = batches.map(({ request: { limit } }) => (limit.kind === 'number' ? (limit.rows ?? 0) : 0))
  const [ofMax] = batches.flatMap(({ cut }) => maxIn(cut, driver) ?? [])
  return { ...request, limit: forCaller(request.limit, Math.max(...allowed), ofMax) }
}

/** The number of rows that the limit allows; undefined where only the wiki knows. */
function limitIn(request: ListingRequest, { batches, driver }: Listing): number | undefined {
  const { rows } = request.limit
  const most = driver.description.parameters.get('limit')?.max
  // A wiki that does not say its maximum, or has a lower one for what is costly: only what was once allowed is known.
  if (rows === undefined || (most !== undefined && !isCostly(request))) return rows
  return batches.some((batch) => (batch.allowed ?? 0) >= rows) ? rows : undefined
}

function compose({ request, listing, rows, to }: Wish): Composed | string {
  const run = listing.runs[to.run]
  const more = run !== undefined && goesOn(run, to.at)
  const framed = frameFor(listing, request, more, rows.length === 0)
  if (framed === undefined) return whyNoFrame(request)
  const values = more ? nextValues(listing, run, to) : undefined
  if (more && values === undefined) return 'how to go on from there is not known'
  const written = listing.driver.kind === 'generator' ? pagesAsWritten(listing.wire, rows) : rows
  if (written === undefined) return 'the order of its pages on the wire is not proven'
  const frame = dressed(request, listing, rows, framed.frame)
  if (frame === undefined)
    return 'its pages carry more than rows, and on which of them is not proven for this batch'
  const next = values && { values: values.values, companion: framed.companion }
  const shown = rows.length === 0 && values?.key === undefined ? framed.key : values?.key
  return {
    body: fillFrame(frame, listing.driver, written, next, listing.followers),
    headers: framed.headers,
    keys: shown === undefined ? [] : [shown],
    own: values?.own === true,
  }
}

function whyNoFrame({ limit, driver }: ListingRequest): string {
  if (limit.kind !== 'over') return 'no recorded answer shows what stands around the rows of this one'
  const most = driver.description.parameters.get('limit')?.max
  const beyond = limit.sent === '0' ? 'less than a row' : `more than the wiki allows (${most})`
  return `limit=${limit.sent} is ${beyond}, and no recorded answer shows how it warns of that`
}

/** The frame with what a prop says of its pages beside the rows. */
function dressed(
  { cursor }: ListingRequest,
  { beside }: Listing,
  rows: readonly Row[],
  frame: JsonTree,
): JsonTree | undefined {
  if (beside === undefined) return frame
  // A value of wikitape's own stands for the one that names the first row's page.
  const [value = ''] = cursor.values()
  const begins = looksOwn(value) ? numberOf(memberOf(rows[0]?.page, 'pageid')) : beginsAt(cursor)
  return putBeside(frame, beside, begins)
}
