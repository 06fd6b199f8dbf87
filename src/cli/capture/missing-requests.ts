/** What to ask a wiki so that a listing is recorded whole, or every continue value in it is the wiki's own. */
import type { Listing } from '../../paging/joining/listing.ts'
import { cursorFrom } from '../../paging/reading/batch.ts'
import type { ContinueCursor } from '../../paging/reading/listing-request.ts'

/** Parameters of a request to send to the wiki. */
export type MissingRequest = ReadonlyMap<string, string>

/**
 * The requests that go on where the recording breaks off; asked and recorded again and again they close all gaps.
 * Empty where the listing is complete.
 */
export function requestsToComplete(listing: Listing): readonly MissingRequest[] {
  const { runs } = listing
  if (isSessionBound(listing)) return []
  const begins = runs.some((run) => run.start) ? [] : [requestAt(listing, new Map(), undefined)]
  const goOn = runs.flatMap((run) => {
    const emitted = run.end ? undefined : run.continues.get(run.rows.length)
    return emitted === undefined ? [] : [requestAt(listing, cursorFrom(emitted), undefined)]
  })
  return [...begins, ...goOn]
}

/**
 * The request that begins a walk at limit 1, so that every continue value is the wiki's own; undefined where all of
 * them are recorded.
 */
export function boundaryWalkRequest(listing: Listing): MissingRequest | undefined {
  if (isSessionBound(listing)) return undefined
  const allRecorded = listing.runs.every((run) =>
    run.rows.every((_, at) => at === 0 || run.continues.has(at)),
  )
  return allRecorded ? undefined : requestAt(listing, new Map(), '1')
}

/** Only the client that was logged in there, or had written before, could ask for more of it. */
const isSessionBound = ({ batches }: Listing): boolean =>
  batches.some(({ request }) => request.params.has('as user') || request.params.has('after writes'))

/** A recorded request of the listing, from another place and with another limit. */
function requestAt(
  { batches, driver, frames }: Listing,
  cursor: ContinueCursor,
  limit: string | undefined,
): MissingRequest {
  const [{ request }] = batches
  const drop = new Set([
    ...request.cursor.keys(),
    ...request.inner.keys(),
    `${driver.prefix}from`,
    'continue',
  ])
  const params = new Map([...request.params].filter(([name]) => !drop.has(name) && !name.includes(' ')))
  params.set('format', 'json')
  if (limit !== undefined) params.set(`${driver.prefix}limit`, limit)
  const [companion = ''] = frames.companions
  if (request.dialect === 'continue') params.set('continue', cursor.size === 0 ? '' : companion)
  return new Map([...params, ...cursor])
}
