/** The requests that complete a recorded listing, or that make every continue value in it the wiki's own. */
import type { Listing } from '../../paging/joining/listing.ts'
import { cursorFrom } from '../../paging/reading/batch.ts'
import type { ContinueCursor } from '../../paging/reading/listing-request.ts'

/** Parameters of a request. */
export type MissingRequest = ReadonlyMap<string, string>

/** Continues where the recording breaks off; sent again and again they close all gaps. Empty for a complete listing. */
export function requestsToComplete(listing: Listing): readonly MissingRequest[] {
  const { runs } = listing
  if (isSessionBound(listing)) return []
  const begins = runs.some((run) => run.start) ? [] : [requestAt(listing, new Map(), undefined)]
  const continues = runs.flatMap((run) => {
    const emitted = run.end ? undefined : run.continues.get(run.rows.length)
    return emitted === undefined ? [] : [requestAt(listing, cursorFrom(emitted), undefined)]
  })
  return [...begins, ...continues]
}

/** The start of a walk with limit 1, which records every continue value; undefined if all of them are recorded. */
export function boundaryWalkRequest(listing: Listing): MissingRequest | undefined {
  if (isSessionBound(listing)) return undefined
  const isRecorded = listing.runs.every((run) => run.rows.every((_, at) => at === 0 || run.continues.has(at)))
  return isRecorded ? undefined : requestAt(listing, new Map(), '1')
}

/** Only the client that was logged in there, or had written before, could send more requests of it. */
const isSessionBound = ({ batches }: Listing): boolean =>
  batches.some(({ request }) => request.params.has('as user') || request.params.has('after writes'))

/** A recorded request of the listing, with another start and another limit. */
function requestAt(
  { batches, driver, frames }: Listing,
  cursor: ContinueCursor,
  limit: string | undefined,
): MissingRequest {
  const [{ request }] = batches
  const from = `${driver.prefix}from`
  const drop = new Set([...request.cursor.keys(), ...request.inner.keys(), from, 'continue'])
  const params = new Map([...request.params].filter(([name]) => !drop.has(name) && !name.includes(' ')))
  params.set('format', 'json')
  if (limit !== undefined) params.set(`${driver.prefix}limit`, limit)
  const [companion = ''] = frames.companions
  if (request.dialect === 'continue') params.set('continue', cursor.size === 0 ? '' : companion)
  return new Map([...params, ...cursor])
}
