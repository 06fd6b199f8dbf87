/** Fields that were the same each time on one side and vary on the other. */
import { type Change, newChange } from '../changes/change.ts'
import type { Kind } from '../changes/kinds.ts'
import { pathOf } from '../changes/path.ts'
import type { NoiseEntry, NoiseProfile } from './noise-filter.ts'

export function stabilityChanges(a: NoiseProfile, b: NoiseProfile): readonly Change[] {
  const missing = (from: NoiseProfile, entry: NoiseEntry): boolean =>
    !from.entries.some((one) => one.scope === entry.scope && one.place === entry.place)
  return [
    ...b.entries
      .filter((entry) => missing(a, entry))
      .map((entry) => stabilityChange('stability.lost', entry)),
    ...a.entries
      .filter((entry) => missing(b, entry))
      .map((entry) => stabilityChange('stability.gained', entry)),
  ]
}

const stabilityChange = (kind: Kind, { scope, place, lexical, support }: NoiseEntry): Change =>
  newChange(kind, pathOf(place), { scope, note: `${lexical}, varied in ${support}`, mark: place })
