/** Two versions of `noise.json` or `drift.accept.json` into one: entry by entry. */
import { type MergedNames, mergeNames } from '../../cassette/merge/three-way-merge.ts'
import { entryId, type NoiseEntry, type NoiseProfile } from '../noise/noise-filter.ts'
import type { Acceptance } from './finding.ts'

type Entries<T> = readonly T[]

/** What is known to vary: how often it was seen to do so is a note, and never a contradiction. */
export function mergeProfiles(
  base: NoiseProfile | undefined,
  ours: NoiseProfile,
  theirs: NoiseProfile,
): NoiseProfile {
  const named = ({ entries }: NoiseProfile): ReadonlyMap<string, NoiseEntry> =>
    new Map(entries.map((one) => [entryId(one), one]))
  const { merged } = mergeNames(base && named(base), named(ours), named(theirs), {
    same: (a, b) => a.support === b.support,
  })
  return { entries: [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one) }
}

/** Entries with one fingerprint that give other reasons, or another last day, contradict each other. */
export const mergeAcceptances = (
  base: Entries<Acceptance> | undefined,
  ours: Entries<Acceptance>,
  theirs: Entries<Acceptance>,
): MergedNames<Acceptance> => {
  const named = (entries: Entries<Acceptance>): ReadonlyMap<string, Acceptance> =>
    new Map(entries.map((one) => [one.fingerprint, one]))
  return mergeNames(base && named(base), named(ours), named(theirs), {
    same: (a, b) => a.reason === b.reason && a.expires === b.expires && a.about === b.about,
  })
}
