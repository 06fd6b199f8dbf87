/** Listings in the order of time: where a moment lies among their rows. */

import type { Listing } from '../joining/listing.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { digitsOfTime, predictText } from '../rules/rule.ts'
import type { Ascending, Bounds } from './by-name.ts'

/**
 * The runs with their oldest rows first, where the continue rule begins with the time of the row: then the whole rule
 * has been seen to sort the rows. Undefined where it does not.
 */
export function byTime(listing: Listing): readonly Ascending[] | undefined {
  const { rule, runs } = listing
  const [first = []] = rule?.parts ?? []
  const timed = first.every(
    (one) => one.kind === 'member' && one.of === 'item' && one.as === 'digits-of-time',
  )
  if (rule === undefined || first.length === 0 || !timed) return undefined
  const times = { ...rule, parts: [first] }
  const found: Ascending[] = []
  for (const run of runs) {
    const keys: string[] = []
    for (const known of run.rows) {
      const time = known && predictText(times, known.row)
      const before = keys.at(-1)
      // Listings are recorded newest first.
      if (time === undefined || (before !== undefined && before < time)) return undefined
      keys.push(time)
    }
    const turned = { rows: run.rows.toReversed(), emitted: new Map(), start: run.end, end: run.start }
    found.push({ run: turned, keys: keys.toReversed() })
  }
  return found
}

/** The times between which rows are wanted, both included (`addTimestampWhereRange`). */
export function timesOf({ params, driver }: ListingRequest): Bounds | undefined {
  const [start, end, dir] = ['start', 'end', 'dir'].map((name) => params.get(driver.prefix + name))
  if (dir !== undefined && dir !== 'older' && dir !== 'newer') return undefined
  const [from, to] = [digitsOf(start), digitsOf(end)]
  if ((start !== undefined && from === undefined) || (end !== undefined && to === undefined)) return undefined
  const descending = dir !== 'newer'
  return { low: descending ? to : from, high: descending ? from : to, prefix: undefined, descending }
}

/** A moment as the database writes it; undefined in the spellings that only the wiki understands. */
const digitsOf = (time = ''): string | undefined => (/^\d{14}$/.test(time) ? time : digitsOfTime(time))
