/**
 * What differs without meaning: built-in rules, and a profile learned from asking one wiki twice. Only values are
 * ever learned, never structure: a noisy timestamp that becomes null is still told.
 */
import type { JsonTree } from '../../json/json-tree.ts'
import { numberOf, textOf } from '../../json/json-tree.ts'
import type { Change } from '../changes/change.ts'
import type { Kind } from '../changes/kinds.ts'
import { fieldOf, templateOf } from '../changes/path.ts'
import { lexicalClassOf } from '../trees/lexical-class.ts'

/** One field that varies by itself, in requests of one class. */
export interface NoiseEntry {
  readonly scope: string
  /** Template of the path, e.g. `query.pages[*].touched`. */
  readonly place: string
  readonly kind: Kind
  /** What sort of value it was each time; another sort is not noise. */
  readonly lexical: string
  /** In how many repeats it varied, of how many: `2/2`. */
  readonly support: string
}

/** `noise.json`, committed beside the cassettes. */
export interface NoiseProfile {
  readonly entries: readonly NoiseEntry[]
}

/** Numbers at a place that may differ by so much. */
export interface NumberTolerance {
  readonly place: string
  readonly absolute?: number
  readonly relative?: number
}

/** Changes of one sort that were suppressed, and by what. */
export interface SuppressedChanges {
  /** `built-in: …`, `learned`, `tolerance`. */
  readonly rule: string
  readonly kind: Kind
  readonly scope: string
  readonly place: string
  readonly count: number
}

export interface BuiltInNoiseRule {
  readonly name: string
  matches(change: Change, place: string): boolean
}

/** Kinds that say nothing but that a value is another. */
export const valueKinds: ReadonlySet<Kind> = new Set(['value.changed', 'html.text', 'text.changed'])

const fieldRule = (name: string, fields: readonly string[]): BuiltInNoiseRule => ({
  name,
  matches: (change) => valueKinds.has(change.kind) && fields.includes(fieldOf(change.path)),
})

const builtInRules: readonly BuiltInNoiseRule[] = [
  { name: 'order of members', matches: ({ kind }) => kind === 'key-order' },
  { name: 'parser reports and comments', matches: ({ kind }) => kind === 'html.comment' },
  {
    name: 'limit report data',
    matches: (_, place) => /(?:^|\.)limitreport(?:data|html)\b/.test(place),
  },
  fieldRule('clock and server', [
    'curtimestamp',
    'servedby',
    'requestid',
    'servertime',
    'starttimestamp',
    'host',
    'hostname',
  ]),
  fieldRule('page touched', ['touched']),
  { name: 'clock of siteinfo', matches: (_, place) => place === 'query.general.time' },
  { name: 'token', matches: (change) => valueKinds.has(change.kind) && bothAre(change, 'token') },
  {
    name: 'address of the caller',
    matches: (change, place) =>
      /(?:^|\.)(?:userinfo\.name|clientip)$/.test(place) && bothAre(change, 'IP address'),
  },
  {
    name: 'random list',
    matches: ({ kind, scope, axis }, place) =>
      /=(?:.*\|)?random\b/.test(scope) &&
      (axis === 'data' || kind === 'order.changed' || place.startsWith('continue')),
  },
  {
    name: 'name of the database, host or address of the wiki',
    matches: (change, place) =>
      valueKinds.has(change.kind) &&
      /^query\.general\.(?:wikiid|server|servername|base|logo|favicon|dbtype|dbversion|phpversion|phpsapi)$|cookieprefix$/.test(
        place,
      ),
  },
]

/** The rule of ours that explains a change; no profile has to name what it covers. */
export const builtInRule = (change: Change, place: string): BuiltInNoiseRule | undefined =>
  builtInRules.find((rule) => rule.matches(change, place))

const bothAre = (change: Change, lexicalClass: string): boolean =>
  lexicalClassOf(textOf(change.before) ?? '') === lexicalClass &&
  lexicalClassOf(textOf(change.after) ?? '') === lexicalClass

/** Takes out what built-in rules, tolerances and the profile explain; everything taken out is counted. */
export class NoiseFilter {
  readonly #profile: NoiseProfile
  readonly #tolerances: readonly NumberTolerance[]
  readonly #entries: ReadonlyMap<string, NoiseEntry>
  readonly #matched = new Set<NoiseEntry>()
  readonly #counts = new Map<string, SuppressedChanges>()

  constructor(profile: NoiseProfile, tolerances: readonly NumberTolerance[] = []) {
    this.#profile = profile
    this.#tolerances = tolerances
    this.#entries = new Map(profile.entries.map((entry) => [noiseEntryId(entry), entry]))
  }

  /** One by one: there may be very many. */
  *filter(changes: Iterable<Change>): IterableIterator<Change> {
    for (const change of changes) {
      const place = templateOf(change.path)
      const rule = suppressionRule(change, place, this.#entries, this.#matched, this.#tolerances)
      if (rule === undefined) yield change
      else countUp(this.#counts, rule, change, place)
    }
  }

  suppressed(): readonly SuppressedChanges[] {
    return sortSuppressed([...this.#counts.values()])
  }

  /** Entries of the profile that matched nothing. */
  staleEntries(): readonly NoiseEntry[] {
    return this.#profile.entries.filter((one) => !this.#matched.has(one))
  }
}

function suppressionRule(
  change: Change,
  place: string,
  entries: ReadonlyMap<string, NoiseEntry>,
  matched: Set<NoiseEntry>,
  tolerances: readonly NumberTolerance[],
): string | undefined {
  const known = builtInRule(change, place)
  if (known !== undefined) return `built-in: ${known.name}`
  if (tolerances.some((one) => one.place === place && isTolerable(change, one))) return 'tolerance'
  const entry = entries.get(noiseEntryId({ scope: change.scope, place, kind: change.kind }))
  if (entry === undefined) return undefined
  if (valueClassOf(change.before) !== entry.lexical || valueClassOf(change.after) !== entry.lexical)
    return undefined
  matched.add(entry)
  return 'learned'
}

/** Tells entries apart; the sort of value is no part of it. */
export const noiseEntryId = ({ scope, place, kind }: Pick<NoiseEntry, 'scope' | 'place' | 'kind'>): string =>
  `${kind} ${scope} ${place}`

function isTolerable({ kind, before, after }: Change, { absolute, relative }: NumberTolerance): boolean {
  const [a, b] = [numberOf(before), numberOf(after)]
  if (kind !== 'value.changed' || a === undefined || b === undefined) return false
  const distance = Math.abs(a - b)
  return distance <= (absolute ?? 0) || distance <= (relative ?? 0) * Math.max(Math.abs(a), Math.abs(b))
}

/** The sort of a single value; `container` for what must never be learned. */
export function valueClassOf(tree: JsonTree | undefined): string {
  if (tree?.kind === 'string') return lexicalClassOf(tree.value)
  if (tree?.kind === 'literal')
    return tree.text === 'null' ? 'null' : /^[tf]/.test(tree.text) ? 'boolean' : 'number'
  return 'container'
}

function countUp(counts: Map<string, SuppressedChanges>, rule: string, change: Change, place: string): void {
  const { kind, scope } = change
  const id = [rule, kind, scope, place].join('\u0000')
  counts.set(id, { rule, kind, scope, place, count: (counts.get(id)?.count ?? 0) + 1 })
}

const sortSuppressed = (list: readonly SuppressedChanges[]): readonly SuppressedChanges[] =>
  list.toSorted((a, b) => b.count - a.count || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
