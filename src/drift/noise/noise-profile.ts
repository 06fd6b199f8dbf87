/** Noise profiles: learned from asking one wiki repeatedly, kept in `noise.json`. */
import type { Change } from '../changes/change.ts'
import { type Kind, kinds } from '../changes/kinds.ts'
import { templateOf } from '../changes/path.ts'
import {
  builtInRule,
  type NoiseEntry,
  type NoiseProfile,
  noiseEntryId,
  valueClassOf,
  valueKinds,
} from './noise-filter.ts'

/**
 * Learns from comparing one wiki with itself.
 * @param repeats the changes of each repeat against the first recording
 */
export function learnNoise(repeats: readonly (readonly Change[])[]): NoiseProfile {
  const seen = new Map<string, { readonly entry: NoiseEntry; readonly repeats: Set<number> }>()
  for (const [at, changes] of repeats.entries()) {
    for (const change of changes.filter(isLearnable)) {
      const place = templateOf(change.path)
      const entry = {
        scope: change.scope,
        place,
        kind: change.kind,
        lexical: valueClassOf(change.before),
        support: '',
      }
      const id = noiseEntryId(entry)
      const known = seen.get(id) ?? { entry, repeats: new Set<number>() }
      known.repeats.add(at)
      seen.set(id, known)
    }
  }
  const entries = [...seen.values()].map(({ entry, repeats: at }) => ({
    ...entry,
    support: `${at.size}/${repeats.length}`,
  }))
  return { entries: entries.sort(byEntryId) }
}

/** What either profile knows: what varies seldom is not forgotten because it did not vary this time. */
export function joinNoiseProfiles(known: NoiseProfile, learned: NoiseProfile): NoiseProfile {
  const byId = new Map([...known.entries, ...learned.entries].map((one) => [noiseEntryId(one), one]))
  return { entries: [...byId.values()].sort(byEntryId) }
}

const byEntryId = (a: NoiseEntry, b: NoiseEntry): number => (noiseEntryId(a) < noiseEntryId(b) ? -1 : 1)

/** A single value that stayed of one sort; everything else has to be looked at by a person. */
function isLearnable(change: Change): boolean {
  const [before, after] = [valueClassOf(change.before), valueClassOf(change.after)]
  if (!valueKinds.has(change.kind) || before !== after || before === 'container') return false
  return builtInRule(change, templateOf(change.path)) === undefined
}

export type NoiseProfileReading =
  | { readonly ok: true; readonly profile: NoiseProfile }
  | { readonly ok: false; readonly message: string }

/** Reads a parsed `noise.json`. */
export function decodeNoiseProfile(value: unknown): NoiseProfileReading {
  const list = isObject(value) ? value['noise'] : undefined
  if (!Array.isArray(list)) return { ok: false, message: 'expected an object with an array under "noise"' }
  const entries = list.flatMap((one) => decodeEntry(one) ?? [])
  if (entries.length < list.length) {
    return { ok: false, message: 'expected scope, place, kind, lexical and support in each entry of "noise"' }
  }
  return { ok: true, profile: { entries } }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function decodeEntry(value: unknown): NoiseEntry | undefined {
  if (!isObject(value)) return undefined
  const { scope, place, kind, lexical, support } = value
  if (typeof scope !== 'string' || typeof place !== 'string' || typeof lexical !== 'string') return undefined
  if (typeof kind !== 'string' || !isKind(kind)) return undefined
  return { scope, place, kind, lexical, support: typeof support === 'string' ? support : '' }
}

const isKind = (text: string): text is Kind => Object.hasOwn(kinds, text)

/** The text of `noise.json`: sorted, final newline. */
export const encodeNoiseProfile = (profile: NoiseProfile): string =>
  `${JSON.stringify({ noise: profile.entries }, ['noise', 'kind', 'lexical', 'place', 'scope', 'support'], 2)}\n`
