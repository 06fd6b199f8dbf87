/** An answer with all rows of a batch, or with the last of them inside it. */
import { type JsonTree, memberOf, numberOf } from '../../json/json-tree.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { Listing } from '../joining/listing.ts'
import type { RunPosition } from '../joining/run-layout.ts'
import { isOwnValue } from '../placing/locate.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { batchStartOf, insertSiblings } from '../reading/page-members.ts'
import type { ListingRows } from '../reading/row.ts'
import { pagesInResponse } from '../rules/row-order.ts'
import { fillFrame, frameFor } from './answer-frame.ts'
import { continueText, finishedModules, followUpFrame, hasMore, nextValues } from './follow-up.ts'

export interface ComposedBatch {
  readonly body: JsonTree
  readonly headers: ReadonlyMap<string, string>
  readonly keys: readonly RequestKey[]
  /** True where it continues by a value of wikitape's own. */
  readonly own: boolean
  /** True where it relies on what is known of its props. */
  readonly known?: boolean
}

export interface ComposeInput {
  readonly request: ListingRequest
  readonly listing: Listing
  /** Those of the batch, in the order of the listing; of a generator whole pages. */
  readonly rows: ListingRows
  readonly to: RunPosition
}

/** @param lastPages in an answer inside the batch: its pages with the last rows of the prop */
export function composeBatch(input: ComposeInput, lastPages?: ListingRows): ComposedBatch | string {
  const { request, listing, rows, to } = input
  const more = hasMore(to)
  const [framed] = (lastPages === undefined ? [request] : batchRequests(request)).flatMap(
    (one) => frameFor(listing, one, more, rows.length === 0) ?? [],
  )
  if (framed === undefined) return whyNoFrame(request)
  const next = more ? nextValues(listing, to) : undefined
  if (more && next === undefined) return 'the next continue value is not known'
  const isPages = listing.driver.kind === 'generator'
  const written = lastPages ?? (isPages ? pagesInResponse(listing.pageOrders, rows) : rows)
  if (written === undefined) return 'the order of its pages in the response is not proven'
  const frame = lastPages ? followUpFrame(framed.frame, request) : withSiblingMembers(framed.frame, input)
  if (frame === undefined)
    return 'its pages have members besides the rows, and which pages have them in this batch is not proven'
  const continued = next && { values: next.values, companion: framed.companion }
  const isFrameSource = lastPages !== undefined || rows.length === 0
  return {
    body: fillFrame(frame, listing.driver, written, continued, listing.followers),
    headers: framed.headers,
    keys: [...(isFrameSource ? [framed.key] : []), ...(next ? [next.key] : [])],
    own: next?.own === true,
  }
}

function withSiblingMembers(
  frame: JsonTree,
  { request, listing: { siblings }, rows }: ComposeInput,
): JsonTree | undefined {
  // A value of wikitape's own replaces one that names the first row's page.
  const isOwn = isOwnValue([...request.cursor.values()][0] ?? '')
  const start = isOwn ? numberOf(memberOf(rows[0]?.page, 'pageid')) : batchStartOf(request.cursor)
  return siblings === undefined ? frame : insertSiblings(frame, siblings, start)
}

/** The requests for the batch as a whole, of which the last answer inside it has the frame. */
function batchRequests(request: ListingRequest): readonly ListingRequest[] {
  if (request.inner.size === 0 || request.dialect === 'raw') return [request]
  const begun = { ...request, inner: new Map<string, string>() }
  if (request.cursor.size > 0)
    return [{ ...begun, companion: continueText(request.cursor.keys(), finishedModules(request)) }]
  return [
    { ...begun, companion: '' },
    { ...begun, companion: undefined, dialect: 'none' },
  ]
}

export const noFrameReason = 'no recorded answer shows the members around the rows of this one'

function whyNoFrame({ limit, driver }: ListingRequest): string {
  if (limit.kind !== 'over') return noFrameReason
  const max = driver.description.parameters.get('limit')?.max
  const beyond = limit.sent === '0' ? 'less than a row' : `more than the wiki allows (${max})`
  return `limit=${limit.sent} is ${beyond}, and no recorded answer shows how it warns of that`
}
