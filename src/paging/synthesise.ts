/** Answers that nobody recorded, made of rows and frames that somebody did; or why there is none. */
import type { JsonTree } from '../json/tree.ts'
import { jsonString } from '../json/tree.ts'
import type { Derivation, WikiFacts } from '../request/derive.ts'
import type { RequestKey } from '../request/key.ts'
import { splitValues } from '../wiki/params.ts'
import { propsFit } from './assemble.ts'
import { fillFrame } from './fill-frame.ts'
import type { Next, Row } from './frame.ts'
import type { Listing } from './listing.ts'
import { type ListingRequest, readListingRequest } from './listing-request.ts'
import type { Listings } from './listings.ts'
import { locate } from './locate.ts'
import { ownValue } from './own-value.ts'
import { asWritten } from './row-order.ts'
import { predict } from './rule.ts'
import type { KnownRow, Run, Spot } from './run.ts'
import { frameFor } from './shape.ts'
import { windowFor } from './window.ts'

/** What a request for a part of a listing gets. */
export type Synthesis =
  | {
      readonly kind: 'synthesized'
      /** The answer, less `requestid`. */
      readonly body: JsonTree
      readonly headers: ReadonlyMap<string, string>
      /** The recorded batches that prove it. */
      readonly from: readonly RequestKey[]
      /** True where the continue value is wikitape's own rather than the wiki's. */
      readonly ownValue: boolean
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
  | { readonly kind: 'not-a-listing'; readonly why: string }

const refuse = (why: string): Synthesis => ({ kind: 'not-a-listing', why })

/** Answers a request out of what is recorded of its listing. */
export function synthesise(derivation: Derivation, listings: Listings, facts: WikiFacts): Synthesis {
  const reading = readListingRequest(derivation.canonical, derivation.asked, facts.lookup, listings.names)
  if (!reading.ok) return refuse(reading.why)
  const { request } = reading
  if (request.inner.size > 0) return refuse('it goes on inside a batch of a generator')
  const listing = listings.find(request.identity)
  const own =
    listing === undefined
      ? refuse('nothing of this listing is recorded')
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
  return said.kind === 'synthesized' && !said.ownValue ? said : undefined
}

/** The rows from one place on, as many as the limit allows. */
function part(request: ListingRequest, listing: Listing, at: Spot, facts: WikiFacts): Synthesis {
  const limit = limitIn(request, listing)
  if (limit === undefined)
    return refuse(`what limit=${request.limit.sent} allows this caller is not recorded`)
  const run = listing.runs[at.run]
  if (run === undefined) return refuse('no run at this place')
  const to = Math.min(at.at + limit, run.rows.length)
  const known = run.rows.slice(at.at, to)
  const rows = known.filter((one) => one !== undefined)
  if (rows.length < known.length)
    return { kind: 'outside', listing, why: 'rows inside were only seen in an unknown order', at }
  if (to < at.at + limit && !run.end)
    return { kind: 'outside', listing, why: 'the recording ends before', at }
  const inner = rows.map((one) => one.row)
  if (!propsFit(request, inner, listing.batches, facts.lookup))
    return refuse('its props would go on inside of this batch')
  return compose(request, listing, rows, { run: at.run, at: to }, facts)
}

/** The number of rows that the limit allows; undefined where only the wiki knows. */
function limitIn(request: ListingRequest, listing: Listing): number | undefined {
  const { rows } = request.limit
  const most = request.driver.description.parameters.get('limit')?.max
  // A wiki that does not say its maximum, or has a lower one for what is costly: only what was once allowed is known.
  const recordedOnly = most === undefined || isCostly(request)
  if (rows === undefined || !recordedOnly) return rows
  return listing.batches.some((batch) => (batch.allowed ?? 0) >= rows) ? rows : undefined
}

/** Text of revisions is given for fewer of them at once than their names. */
function isCostly({ params, driver }: ListingRequest): boolean {
  const value = (name: string): string | undefined => params.get(driver.prefix + name)
  const wanted = splitValues(value('prop') ?? '')
  return (
    costly.some((name) => value(name) !== undefined) ||
    wanted.some((one) => one === 'content' || one === 'parsetree')
  )
}

const costly: readonly string[] = ['parse', 'diffto', 'difftotext', 'expandtemplates', 'generatexml']

function compose(
  request: ListingRequest,
  listing: Listing,
  rows: readonly KnownRow[],
  to: Spot,
  facts: WikiFacts,
): Synthesis {
  const run = listing.runs[to.run]
  const more = run !== undefined && !(run.end && to.at === run.rows.length)
  const framed = frameFor(
    { ...listing.frames, noneIs: listing.frames.noneIs ?? noneOn(facts) },
    request,
    more,
    rows.length === 0,
    listing.param ?? describedParam(listing),
  )
  if (framed === undefined) return refuse('no recorded answer shows what stands around the rows of this one')
  const values = more ? nextValues(listing, run, to) : undefined
  if (more && values === undefined) return refuse('how to go on from there is not known')
  const written = pagesAsWritten(
    listing,
    rows.map((one) => one.row),
  )
  if (written === undefined) return refuse('the order of its pages on the wire is not proven')
  const next = values && { values: values.values, companion: framed.companion }
  return {
    kind: 'synthesized',
    body: fillFrame(framed.frame, listing.driver, written, next, listing.followers),
    headers: framed.headers,
    from: sources(rows, framed.key, values?.key),
    ownValue: values?.own === true,
  }
}

/** From 1.26 on a request without either parameter is one with `continue`. */
function noneOn({ site }: WikiFacts): 'continue' | undefined {
  const [, major = '0', minor = '0'] = /^MediaWiki (\d+)\.(\d+)/.exec(site?.generator ?? '') ?? []
  return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 26) ? 'continue' : undefined
}

interface NextValues {
  readonly values: Next['values']
  readonly key: RequestKey | undefined
  readonly own: boolean
}

/** As the wiki wrote it there, else as the rule says, else a value of wikitape's own. */
function nextValues(listing: Listing, run: Run, to: Spot): NextValues | undefined {
  const emitted = run.emitted.get(to.at)
  if (emitted !== undefined) return { values: emitted.values, key: emitted.key, own: false }
  const known = run.rows[to.at]
  const param = listing.param ?? describedParam(listing)
  if (known === undefined || param === undefined) return undefined
  const offset = run.start ? to.at : undefined
  const said = listing.rule && predict(listing.rule, known.subject, offset)
  if (said !== undefined) return { values: new Map([[param, said]]), key: known.key, own: false }
  const own = ownValue(listing, to)
  return own === undefined
    ? undefined
    : { values: new Map([[param, jsonString(own)]]), key: known.key, own: true }
}

/** Where no recorded batch shows the parameter, it is the one that the module describes. */
function describedParam({ driver }: Listing): string | undefined {
  const name = ['continue', 'offset'].find((one) => driver.description.parameters.has(one))
  return name && driver.prefix + name
}

/** The pages of a generator as one answer would write them; undefined where recorded batches allow several orders. */
function pagesAsWritten(listing: Listing, rows: readonly Row[]): readonly Row[] | undefined {
  if (listing.driver.kind !== 'generator') return rows
  // One page stands in any order; but where it does not exist, its number is still that of the answer.
  if (rows.length < 2) return asWritten(rows, 'rows')
  const [first, ...others] = listing.wire.map((order) => asWritten(rows, order))
  const same = others.every((other) => other?.every((row, at) => row.item === first?.[at]?.item))
  return same ? first : undefined
}

function sources(
  rows: readonly KnownRow[],
  frame: RequestKey,
  next: RequestKey | undefined,
): readonly RequestKey[] {
  const keys = new Set(rows.map((one) => one.key))
  if (next !== undefined) keys.add(next)
  return [...(keys.size === 0 ? [frame] : keys)]
}
