/**
 * wikitape's own continue values, for positions where no rule predicts what the wiki would write. Each has a digest of
 * the listing, the position and the next row, so that none is valid after the recording changed there.
 */

import { writeCompact } from '../../json/write-json.ts'
import { digest } from '../../request/request-key.ts'
import type { Listing } from '../joining/listing.ts'
import type { RunPosition } from '../joining/run-layout.ts'
import type { ListingPosition } from '../reading/batch.ts'

const ownValuePattern = /^wikitape-(\d{1,9})-([0-9a-f]{20})$/

/** The value for continuing at that position; undefined where no row is known there. */
export function ownValue(listing: Listing, position: RunPosition): string | undefined {
  const seal = sealAt(listing, position)
  return seal === undefined ? undefined : `wikitape-${position.at}-${seal}`
}

/** True for a value of wikitape's own, valid or not. */
export const isOwnValue = (value: string): boolean => value.startsWith('wikitape-')

/** The position of a value of wikitape's own; undefined where it was made for another recording. */
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

/** The first position of each run: the same in every process that reads the same recordings. */
function anchorsOf(listing: Listing): ReadonlyMap<number, ListingPosition> {
  const first = [...listing.positions].filter(([, { at }]) => at === 0).sort(([a], [b]) => (a < b ? 1 : -1))
  return new Map(first.map(([position, { run }]) => [run, position]))
}
