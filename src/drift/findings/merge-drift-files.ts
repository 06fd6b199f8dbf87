/** Two versions of `noise.json` or `drift.accept.json` merged into one, entry by entry. */
import { mergeByName, type ThreeWayMerge } from '../../cassette/merge/merge-manifest.ts'
import { type NoiseEntry, type NoiseProfile, noiseEntryId } from '../noise/noise-profile.ts'
import { encodeAcceptances } from './acceptances.ts'
import type { Acceptance } from './finding.ts'

/** Never conflicts: in how many repeats a field varied is a note. */
export function mergeNoiseProfiles(
  base: NoiseProfile | undefined,
  ours: NoiseProfile,
  theirs: NoiseProfile,
): NoiseProfile {
  const named = ({ entries }: NoiseProfile): ReadonlyMap<string, NoiseEntry> =>
    new Map(entries.map((one) => [noiseEntryId(one), one]))
  const same = (a: NoiseEntry, b: NoiseEntry): boolean => a.support === b.support
  const { merged } = mergeByName(base && named(base), named(ours), named(theirs), same)
  return { entries: [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one) }
}

/** Entries of one fingerprint conflict where their reason or last day differs. */
export function mergeAcceptances(
  base: readonly Acceptance[] | undefined,
  ours: readonly Acceptance[],
  theirs: readonly Acceptance[],
): ThreeWayMerge<Acceptance> {
  const named = (entries: readonly Acceptance[]): ReadonlyMap<string, Acceptance> =>
    new Map(entries.map((one) => [one.fingerprint, one]))
  const same = (a: Acceptance, b: Acceptance): boolean => encodeAcceptances([a]) === encodeAcceptances([b])
  return mergeByName(base && named(base), named(ours), named(theirs), same)
}
