/** Two versions of `noise.json` or `drift.accept.json` into one: entry by entry. */
import { mergeByName, type ThreeWayMerge } from '../../cassette/merge/three-way-merge.ts'
import { type NoiseEntry, type NoiseProfile, noiseEntryId } from '../noise/noise-filter.ts'
import type { Acceptance } from './finding.ts'

type DriftFileEntries<T> = readonly T[]

/** What is known to vary: how often it was seen to do so is a note, and never a contradiction. */
export function mergeNoiseProfiles(
  base: NoiseProfile | undefined,
  ours: NoiseProfile,
  theirs: NoiseProfile,
): NoiseProfile {
  const named = ({ entries }: NoiseProfile): ReadonlyMap<string, NoiseEntry> =>
    new Map(entries.map((one) => [noiseEntryId(one), one]))
  const { merged } = mergeByName(base && named(base), named(ours), named(theirs), {
    same: (a, b) => a.support === b.support,
  })
  return { entries: [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one) }
}

/** Entries with one fingerprint that give other reasons, or another last day, contradict each other. */
export const mergeAcceptances = (
  base: DriftFileEntries<Acceptance> | undefined,
  ours: DriftFileEntries<Acceptance>,
  theirs: DriftFileEntries<Acceptance>,
): ThreeWayMerge<Acceptance> => {
  const named = (entries: DriftFileEntries<Acceptance>): ReadonlyMap<string, Acceptance> =>
    new Map(entries.map((one) => [one.fingerprint, one]))
  return mergeByName(base && named(base), named(ours), named(theirs), {
    same: (a, b) => a.reason === b.reason && a.expires === b.expires && a.about === b.about,
  })
}
