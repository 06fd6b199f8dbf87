/** What to ask a wiki so that a listing is recorded whole, or every continue value in it is the wiki's own. */
import type { Listing } from './joining/listing.ts'
import { asSent } from './reading/batch.ts'

/** Parameters of a request to send to the wiki. */
export type Ask = ReadonlyMap<string, string>

/**
 * The requests that go on where the recording breaks off; asked and recorded again and again they close all gaps.
 * Empty where the listing is complete.
 */
export function asksToComplete(listing: Listing): readonly Ask[] {
  const { runs } = listing
  if (ofSomebody(listing)) return []
  const asks: Ask[] = []
  if (!runs.some((run) => run.start)) asks.push(askAt(listing, new Map(), undefined))
  for (const run of runs) {
    const emitted = run.emitted.get(run.rows.length)
    if (run.end || emitted === undefined) continue
    asks.push(askAt(listing, asSent(emitted), undefined))
  }
  return asks
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
function askAt(listing: Listing, cursor: ReadonlyMap<string, string>, limit: string | undefined): Ask {
  const { batches, driver, frames } = listing
  const model = batches[0]?.request
  const drop = new Set([
    ...(model?.cursor.keys() ?? []),
    ...(model?.inner.keys() ?? []),
    `${driver.prefix}from`,
    'continue',
  ])
  const params = new Map(
    [...(model?.params ?? [])].filter(([name]) => !drop.has(name) && !name.includes(' ')),
  )
  params.set('format', 'json')
  if (limit !== undefined) params.set(`${driver.prefix}limit`, limit)
  if (model?.dialect === 'continue') {
    const [companion = ''] = frames.companions
    params.set('continue', cursor.size === 0 ? '' : companion)
  }
  for (const [name, value] of cursor) params.set(name, value)
  return params
}
