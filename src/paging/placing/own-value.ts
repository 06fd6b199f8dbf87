/**
 * wikitape's own continue values, for places where no rule says what the wiki would write. Each carries a digest of
 * the listing, the place and the row behind it, so that none can be made up, and none survives a change of what is
 * recorded there.
 */

import { writeCompact } from '../../json/write-json.ts'
import { digest } from '../../request/request-key.ts'
import type { Listing } from '../joining/listing.ts'
import type { RunPosition } from '../joining/run-layout.ts'
import type { ListingPosition } from '../reading/batch.ts'

const ownValuePattern = /^wikitape-(\d{1,9})-([0-9a-f]{20})$/

/** The value for going on from that place; undefined where no row is known behind it. */
export function ownValue(listing: Listing, position: RunPosition): string | undefined {
  const seal = sealAt(listing, position)
  return seal === undefined ? undefined : `wikitape-${position.at}-${seal}`
}

/** True for everything that looks like a value of wikitape's own, valid or not. */
export const isOwnValue = (value: string): boolean => value.startsWith('wikitape-')

/** The place that a value of wikitape's own stands for; undefined where it was not handed out for this recording. */
export function readOwnValue(listing: Listing, value: string): RunPosition | undefined {
  const [, count, seal] = ownValuePattern.exec(value) ?? []
  if (count === undefined) return undefined
  return listing.runs
    .map((_, run) => ({ run, at: Number(count) }))
    .find((position) => sealAt(listing, position) === seal)
}

function sealAt(listing: Listing, { run, at }: RunPosition): string | undefined {
  const recorded = listing.runs[run]?.rows[at]
  if (recorded === undefined) return undefined
  const row = writeCompact(recorded.row.item, 'utf8')
  return digest(JSON.stringify([listing.identity, anchorsOf(listing).get(run), at, row]), 20)
}

/** The first place of each run by position, then by name: the same whenever the same recordings are read. */
function anchorsOf(listing: Listing): ReadonlyMap<number, ListingPosition> {
  const first = [...listing.positions].filter(([, { at }]) => at === 0).sort(([a], [b]) => (a < b ? 1 : -1))
  return new Map(first.map(([position, { run }]) => [run, position]))
}
