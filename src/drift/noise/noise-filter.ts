/** The filter that takes out changes without meaning: built-in rules and the learned profile. */
import type { Change } from '../changes/change.ts'
import type { Kind } from '../changes/kinds.ts'
import { templateOf } from '../changes/path.ts'
import { builtInRule, valueClassOf } from './built-in-noise.ts'
import { type NoiseEntry, type NoiseProfile, noiseEntryId } from './noise-profile.ts'

export interface SuppressedChanges {
  /** `built-in: …`, `learned`. */
  readonly rule: string
  readonly kind: Kind
  readonly scope: string
  readonly place: string
  readonly count: number
}

/** Tells the changes that a rule explains from the others, and counts them. */
export class NoiseFilter {
  readonly #profile: NoiseProfile
  readonly #entries: ReadonlyMap<string, NoiseEntry>
  readonly #matched = new Set<NoiseEntry>()
  readonly #counts = new Map<string, SuppressedChanges>()

  constructor(profile: NoiseProfile) {
    this.#profile = profile
    this.#entries = new Map(profile.entries.map((entry) => [noiseEntryId(entry), entry]))
  }

  suppresses(change: Change): boolean {
    const { kind, scope } = change
    const place = templateOf(change.path)
    const rule = this.#ruleFor(change, place)
    if (rule === undefined) return false
    const id = [rule, kind, scope, place].join('\u0000')
    this.#counts.set(id, { rule, kind, scope, place, count: (this.#counts.get(id)?.count ?? 0) + 1 })
    return true
  }

  suppressed(): readonly SuppressedChanges[] {
    return [...this.#counts.values()].sort(
      (a, b) => b.count - a.count || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1),
    )
  }

  staleEntries(): readonly NoiseEntry[] {
    return this.#profile.entries.filter((one) => !this.#matched.has(one))
  }

  #ruleFor(change: Change, place: string): string | undefined {
    const { kind, scope, before, after } = change
    const builtIn = builtInRule(change, place)
    if (builtIn !== undefined) return `built-in: ${builtIn}`
    const entry = this.#entries.get(noiseEntryId({ scope, place, kind }))
    const isLearned = [before, after].every((value) => valueClassOf(value) === entry?.lexical)
    if (entry === undefined || !isLearned) return undefined
    this.#matched.add(entry)
    return 'learned'
  }
}
