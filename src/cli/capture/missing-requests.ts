/** What to ask a wiki so that a listing is recorded whole, or every continue value in it is the wiki's own. */
import type { Listing } from '../../paging/joining/listing.ts'
import { asSent } from '../../paging/reading/batch.ts'
import type { Cursor } from '../../paging/reading/listing-request.ts'

/** Parameters of a request to send to the wiki. */
export type Ask = ReadonlyMap<string, string>

/**
 * The requests that go on where the recording breaks off; asked and recorded again and again they close all gaps.
 * Empty where the listing is complete.
 */
export function asksToComplete(listing: Listing): readonly Ask[] {
  const { runs } = listing
  if (ofSomebody(listing)) return []
  const begins = runs.some((run) => run.start) ? [] : [askAt(listing, new Map(), undefined)]
  const goOn = runs.flatMap((run) => {
    const emitted = run.end ? undefined : run.emitted.get(run.rows.length)
    return emitted === undefined ? [] : [askAt(listing, asSent(emitted), undefined)]
  })
  return [...begins, ...goOn]
}

/**
 * The request that begins a walk at limit 1, so that every continue value is the wiki's own; undefined where all of
 * them are recorded.
 */
export function askForBoundaries(listing: Listing): Ask | undefined {
  if (ofSomebody(listing)) return undefined
  const known = listing.runs.every((run) => run.rows.every((_, at) => at === 0 || run.emitted.has(at)))
  return known ? undefined : askAt(listing, new Map(), '1')
}

/** Only the client that was logged in there, or had written before, could ask for more of it. */
const ofSomebody = ({ batches }: Listing): boolean =>
  batches.some(({ request }) => request.params.has('as user') || request.params.has('after writes'))

/** A recorded request of the listing, from another place and with another limit. */
function askAt({ batches, driver, frames }: Listing, cursor: Cursor, limit: string | undefined): Ask {
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
