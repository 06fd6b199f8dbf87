/** Listings in the order of time: where a timestamp lies among their rows. */

import type { Listing } from '../joining/listing.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { digitsOfTime } from '../rules/explanation.ts'
import { type AscendingRun, type RowBounds, sortKeysIn } from './by-name.ts'

/** The runs with their oldest rows first (recorded are newest first); undefined where the rule does not sort by time. */
export const runsByTime = (listing: Listing): readonly AscendingRun[] | undefined =>
  sortKeysIn(listing, ['digits-of-time'], -1)?.map((keys, at) => {
    const { rows = [], start = false, end = false } = listing.runs[at] ?? {}
    const run = { rows: rows.toReversed(), continues: new Map(), start: end, end: start }
    return { run, keys: keys.toReversed() }
  })

/** The wanted period, with both ends. Source: addTimestampWhereRange */
export function timeBounds({ params, driver }: ListingRequest): RowBounds | undefined {
  const [start, end, dir] = ['start', 'end', 'dir'].map((name) => params.get(driver.prefix + name))
  if (dir !== undefined && dir !== 'older' && dir !== 'newer') return undefined
  const [from, to] = [digitsOf(start), digitsOf(end)]
  if ((start !== undefined && from === undefined) || (end !== undefined && to === undefined)) return undefined
  const descending = dir !== 'newer'
  return { low: descending ? to : from, high: descending ? from : to, prefix: undefined, descending }
}

/** A timestamp as the database writes it; undefined for spellings that only the wiki reads. */
const digitsOf = (time = ''): string | undefined => (/^\d{14}$/.test(time) ? time : digitsOfTime(time))
