/**
 * Noise: what differs without meaning by rules of our own, and by profiles: fields that vary by themselves, learned by asking one wiki repeatedly, stored in `noise.json`. Only
 * values are learned, never structure: a noisy timestamp that becomes null is drift. A filter takes out what they explain.
 */
import { mergeByName } from '../../recorder/cassette/merge/merge-manifest.ts'
import { type JsonTree, textOf } from '../../recorder/json/json-tree.ts'
import { isPlainObject, type PlainObject } from '../../recorder/json/plain-json.ts'
import { dataFile } from '../../recorder/knowledge/data-file.ts'
import { groupBy } from '../../recorder/text/group-by.ts'
import { type Change, fieldOf, newChange, pathOf, templateOf } from '../changes/change.ts'
import { hasTrait, isKind, type Kind, kinds } from '../changes/kinds.ts'
import { typeOf } from '../members/sample-shape.ts'
import { lexicalClassOf } from '../trees/value-classes.ts'

export interface NoiseEntry {
  readonly scope: string
  /** Template of the path, e.g. `query.pages[*].touched`. */
  readonly place: string
  readonly kind: Kind
  /** Class of the value each time; a value of another class is not noise. */
  readonly lexical: string
  /** In how many repeats it varied, of how many: `2/2`. */
  readonly support: string
}

/** `noise.json`, committed beside the cassettes. */
export interface NoiseProfile {
  readonly entries: readonly NoiseEntry[]
  /** What else people wrote into the file; into an entry they may as well. */
  readonly notes?: PlainObject
}

type EntryName = Pick<NoiseEntry, 'scope' | 'place' | 'kind'>

/** Tells entries apart; the class of value is no part of it. */
const noiseEntryId = ({ scope, place, kind }: EntryName) => `${kind} ${scope} ${place}`

/** Learns from a wiki compared with itself. @param repeats the changes of each repeat against the first recording */
export function learnNoise(repeats: readonly (readonly Change[])[]): NoiseProfile {
  const seen = repeats.flatMap((changes, repeat) =>
    changes.filter(isLearnable).map(({ scope, path, kind, before }) => {
      const place = templateOf(path)
      return { entry: { scope, place, kind, lexical: valueClassOf(before) }, repeat }
    })
  )
  const entries = [...groupBy(seen, ({ entry }) => noiseEntryId(entry)).values()].map(
    (group) => ({
      ...group[0].entry,
      support: `${new Set(group.map(({ repeat }) => repeat)).size}/${repeats.length}`
    })
  )
  return { entries: entries.sort(byEntryId) }
}

/** Two versions of `noise.json` merged; without a base the entries of both. Never conflicts: where both changed the same, ours stays. */
export function mergeNoiseProfiles(
  base: NoiseProfile | undefined,
  ours: NoiseProfile,
  theirs: NoiseProfile
): NoiseProfile {
  const named = ({ entries }: NoiseProfile) =>
    new Map(entries.map((one) => [noiseEntryId(one), one]))
  const { merged } = mergeByName(
    base && named(base),
    named(ours),
    named(theirs),
    (a, b) => JSON.stringify(a) === JSON.stringify(b),
    (_name, _base, one, other) => ({ ...other, ...one })
  )
  const notes = { ...theirs.notes, ...ours.notes }
  return { entries: [...merged.values()].sort(byEntryId), notes }
}

const byEntryId = (a: NoiseEntry, b: NoiseEntry) =>
  noiseEntryId(a) < noiseEntryId(b) ? -1 : 1

/** A single value that stayed of one class; a person has to look at everything else. */
function isLearnable(change: Change) {
  const before = valueClassOf(change.before)
  const after = valueClassOf(change.after)
  if (!hasTrait(change.kind, 'value') || before !== after || before === 'container')
    return false
  return builtInRule(change, templateOf(change.path)) === undefined
}

/** Fields that are stable on one side and vary on the other. */
export function stabilityChanges(a: NoiseProfile, b: NoiseProfile): readonly Change[] {
  const changes = (kind: Kind, own: NoiseProfile, other: NoiseProfile) =>
    own.entries.flatMap(({ scope, place, lexical, support }) => {
      if (other.entries.some((one) => scope === one.scope && place === one.place))
        return []
      const note = `${lexical}, varied in ${support}`
      return [newChange(kind, pathOf(place), { scope, note, mark: place })]
    })
  return [...changes('stability.lost', b, a), ...changes('stability.gained', a, b)]
}

/** Reads a parsed `noise.json`; a string says what is wrong with it. */
export function decodeNoiseProfile(value: unknown): NoiseProfile | string {
  const { noise: list, ...notes } = isPlainObject(value) ? value : {}
  if (!Array.isArray(list)) return 'expected an object with an array under "noise"'
  const entries = list.flatMap((one) => decodeEntry(one) ?? [])
  return entries.length < list.length
    ? 'expected scope, place, kind, lexical and support in each entry of "noise"'
    : { entries, notes }
}

function decodeEntry(value: unknown) {
  if (!isPlainObject(value)) return undefined
  const { scope, place, kind, lexical, support = '' } = value
  const texts = [scope, place, kind, lexical, support]
  const isEntry = texts.every((one) => typeof one === 'string') && isKind(String(kind))
  return isEntry ? ({ ...value, support } as unknown as NoiseEntry) : undefined
}

/** The text of `noise.json`: sorted, final newline. */
export const encodeNoiseProfile = ({ entries, notes }: NoiseProfile): string =>
  `${JSON.stringify({ ...notes, noise: entries.map((one) => Object.fromEntries(Object.entries(one).sort())) }, undefined, 2)}\n`

export interface SuppressedChanges extends EntryName {
  /** `built-in: …`, `learned`. */
  readonly rule: string
  readonly count: number
}

/** Tells the changes that a built-in rule or the profile explains from the others, and counts them. */
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
    const { count } = this.#counts.get(id) ?? { count: 0 }
    this.#counts.set(id, { rule, kind, scope, place, count: count + 1 })
    return true
  }

  suppressed(): readonly SuppressedChanges[] {
    return [...this.#counts.values()].sort(
      (a, b) => b.count - a.count || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
    )
  }

  staleEntries(): readonly NoiseEntry[] {
    return this.#profile.entries.filter((one) => !this.#matched.has(one))
  }

  #ruleFor(change: Change, place: string) {
    const { kind, scope, before, after } = change
    const builtIn = builtInRule(change, place)
    if (builtIn !== undefined) return `built-in: ${builtIn}`
    const entry = this.#entries.get(noiseEntryId({ scope, place, kind }))
    if (!entry || [before, after].some((value) => valueClassOf(value) !== entry.lexical))
      return undefined
    this.#matched.add(entry)
    return 'learned'
  }
}

interface NoiseTable {
  /** Each a name, and patterns of the texts of a change. */
  readonly rules: readonly ({ readonly name: string } & Partial<ChangeTexts>)[]
}

const rules = (dataFile('noise-rules') as NoiseTable).rules.map(({ name, ...texts }) => ({
  name,
  patterns: Object.entries(texts).map(
    ([of, pattern]) => [of as keyof ChangeTexts, new RegExp(pattern)] as const
  )
}))

type ChangeTexts = ReturnType<typeof textsOf>

const textsOf = ({ kind, axis, scope, path, before, after }: Change, place: string) => ({
  kind: kind as string,
  traits: kinds[kind].traits ?? '',
  axis: axis as string,
  scope,
  field: fieldOf(path),
  place,
  classes: [before, after].map((one) => lexicalClassOf(textOf(one) ?? '')).join()
})

/** Name of the built-in rule that explains a change; no profile has to list what it covers. */
export function builtInRule(change: Change, place: string): string | undefined {
  const texts = textsOf(change, place)
  return rules.find(({ patterns }) =>
    patterns.every(([of, pattern]) => pattern.test(texts[of]))
  )?.name
}

/** The class of a single value; `container` for what must never be learned. */
export function valueClassOf(tree: JsonTree | undefined): string {
  if (tree?.kind === 'string') return lexicalClassOf(tree.value)
  return tree?.kind === 'literal' ? typeOf(tree) : 'container'
}
