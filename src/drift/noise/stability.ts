/** Fields that are stable on one side and vary on the other. */
import { type Change, newChange } from '../changes/change.ts'
import type { Kind } from '../changes/kinds.ts'
import { pathOf } from '../changes/path.ts'
import type { NoiseEntry, NoiseProfile } from './noise-profile.ts'

export function stabilityChanges(a: NoiseProfile, b: NoiseProfile): readonly Change[] {
  const without = (own: NoiseProfile, other: NoiseProfile): readonly NoiseEntry[] =>
    own.entries.filter(
      (entry) => !other.entries.some(({ scope, place }) => scope === entry.scope && place === entry.place),
    )
  return [
    ...without(b, a).map((entry) => stabilityChange('stability.lost', entry)),
    ...without(a, b).map((entry) => stabilityChange('stability.gained', entry)),
  ]
}

const stabilityChange = (kind: Kind, { scope, place, lexical, support }: NoiseEntry): Change =>
  newChange(kind, pathOf(place), { scope, note: `${lexical}, varied in ${support}`, mark: place })
