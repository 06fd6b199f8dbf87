/**
 * wikitape's own continue values, for places where no rule says what the wiki would write. Each carries a digest of
 * the listing, the place and the row behind it, so that none can be made up, and none survives a change of what is
 * recorded there.
 */

import { writeCompact } from '../../json/write-json.ts'
import { digest } from '../../request/request-key.ts'
import type { Listing } from '../joining/listing.ts'
import type { Spot } from '../joining/run-layout.ts'
import type { Place } from '../reading/batch.ts'

const shape = /^wikitape-(\d{1,9})-([0-9a-f]{20})$/

/** The value for going on from that place; undefined where no row is known behind it. */
export function ownValue(listing: Listing, spot: Spot): string | undefined {
  const seal = sealOf(listing, spot)
  return seal === undefined ? undefined : `wikitape-${spot.at}-${seal}`
}

/** True for everything that looks like a value of wikitape's own, valid or not. */
export const looksOwn = (value: string): boolean => value.startsWith('wikitape-')

/** The place that a value of wikitape's own stands for; undefined where it was not handed out for this recording. */
export function readOwnValue(listing: Listing, value: string): Spot | undefined {
  const [, count, seal] = shape.exec(value) ?? []
  if (count === undefined) return undefined
  return listing.runs
    .map((_, run) => ({ run, at: Number(count) }))
    .find((spot) => sealOf(listing, spot) === seal)
}

function sealOf(listing: Listing, { run, at }: Spot): string | undefined {
  const known = listing.runs[run]?.rows[at]
  if (known === undefined) return undefined
  const row = writeCompact(known.row.item, 'utf8')
  return digest(JSON.stringify([listing.identity, anchorsOf(listing).get(run), at, row]), 20)
}

/** The first place of each run by position, then by name: the same whenever the same recordings are read. */
function anchorsOf(listing: Listing): ReadonlyMap<number, Place> {
  const first = [...listing.places].filter(([, { at }]) => at === 0).sort(([a], [b]) => (a < b ? 1 : -1))
  return new Map(first.map(([place, { run }]) => [run, place]))
}
