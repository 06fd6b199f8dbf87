/**
 * What differs without meaning: built-in rules, and a profile learned from asking one wiki twice. Only values are
 * ever learned, never structure: a noisy timestamp that becomes null is still told.
 */
import type { JsonTree } from '../json/tree.ts'
import { numberOf, textOf } from '../json/tree.ts'
import { lexicalOf } from './answer/lexical.ts'
import type { Change } from './change.ts'
import { type Kind, kinds } from './kinds.ts'
import { fieldOf, templateOf } from './path.ts'

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
export interface Tolerance {
  readonly place: string
  readonly absolute?: number
  readonly relative?: number
}

/** Changes of one sort that were suppressed, and by what. */
export interface Suppressed {
  /** `built-in: …`, `learned`, `tolerance`. */
  readonly rule: string
  readonly kind: Kind
  readonly scope: string
  readonly place: string
  readonly count: number
}

export interface Sifted {
  readonly kept: readonly Change[]
  readonly suppressed: readonly Suppressed[]
  /** Entries of the profile that matched nothing. */
  readonly stale: readonly NoiseEntry[]
}

interface BuiltIn {
  readonly name: string
  matches(change: Change, place: string): boolean
}

/** Kinds that say nothing but that a value is another. */
const valueKinds: ReadonlySet<Kind> = new Set(['value.changed', 'html.text', 'text.changed'])

const fieldRule = (name: string, fields: readonly string[]): BuiltIn => ({
  name,
  matches: (change) => valueKinds.has(change.kind) && fields.includes(fieldOf(change.path)),
})

const builtIn: readonly BuiltIn[] = [
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

const bothAre = (change: Change, sort: string): boolean =>
  lexicalOf(textOf(change.before) ?? '') === sort && lexicalOf(textOf(change.after) ?? '') === sort

/** Takes out what built-in rules, tolerances and the profile explain; everything taken out is counted. */
export function sift(
  changes: readonly Change[],
  profile: NoiseProfile,
  tolerances: readonly Tolerance[] = [],
): Sifted {
  const entries = new Map(profile.entries.map((entry) => [entryId(entry), entry]))
  const matched = new Set<NoiseEntry>()
  const counts = new Map<string, Suppressed>()
  const kept = changes.filter((change) => {
    const place = templateOf(change.path)
    const rule = ruleFor(change, place, entries, matched, tolerances)
    if (rule !== undefined) countUp(counts, rule, change, place)
    return rule === undefined
  })
  return {
    kept,
    suppressed: sorted([...counts.values()]),
    stale: profile.entries.filter((one) => !matched.has(one)),
  }
}

function ruleFor(
  change: Change,
  place: string,
  entries: ReadonlyMap<string, NoiseEntry>,
  matched: Set<NoiseEntry>,
  tolerances: readonly Tolerance[],
): string | undefined {
  const known = builtIn.find((rule) => rule.matches(change, place))
  if (known !== undefined) return `built-in: ${known.name}`
  if (tolerances.some((one) => one.place === place && isTolerable(change, one))) return 'tolerance'
  const entry = entries.get(entryId({ scope: change.scope, place, kind: change.kind }))
  if (entry === undefined) return undefined
  if (sortOf(change.before) !== entry.lexical || sortOf(change.after) !== entry.lexical) return undefined
  matched.add(entry)
  return 'learned'
}

const entryId = ({ scope, place, kind }: Pick<NoiseEntry, 'scope' | 'place' | 'kind'>): string =>
  `${kind} ${scope} ${place}`

function isTolerable({ kind, before, after }: Change, { absolute, relative }: Tolerance): boolean {
  const [a, b] = [numberOf(before), numberOf(after)]
  if (kind !== 'value.changed' || a === undefined || b === undefined) return false
  const distance = Math.abs(a - b)
  return distance <= (absolute ?? 0) || distance <= (relative ?? 0) * Math.max(Math.abs(a), Math.abs(b))
}

/** The sort of a single value; `container` for what must never be learned. */
function sortOf(tree: JsonTree | undefined): string {
  if (tree?.kind === 'string') return lexicalOf(tree.value)
  if (tree?.kind === 'literal')
    return tree.text === 'null' ? 'null' : /^[tf]/.test(tree.text) ? 'boolean' : 'number'
  return 'container'
}

function countUp(counts: Map<string, Suppressed>, rule: string, change: Change, place: string): void {
  const { kind, scope } = change
  const id = [rule, kind, scope, place].join('\u0000')
  counts.set(id, { rule, kind, scope, place, count: (counts.get(id)?.count ?? 0) + 1 })
}

const sorted = (list: readonly Suppressed[]): readonly Suppressed[] =>
  list.toSorted((a, b) => b.count - a.count || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

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
        lexical: sortOf(change.before),
        support: '',
      }
      const id = entryId(entry)
      const known = seen.get(id) ?? { entry, repeats: new Set<number>() }
      known.repeats.add(at)
      seen.set(id, known)
    }
  }
  const entries = [...seen.values()].map(({ entry, repeats: at }) => ({
    ...entry,
    support: `${at.size}/${repeats.length}`,
  }))
  return { entries: entries.sort((a, b) => (entryId(a) < entryId(b) ? -1 : 1)) }
}

/** A single value that stayed of one sort; everything else has to be looked at by a person. */
function isLearnable(change: Change): boolean {
  const [before, after] = [sortOf(change.before), sortOf(change.after)]
  if (!valueKinds.has(change.kind) || before !== after || before === 'container') return false
  return !builtIn.some((rule) => rule.matches(change, templateOf(change.path)))
}

export type ProfileReading =
  | { readonly ok: true; readonly profile: NoiseProfile }
  | { readonly ok: false; readonly message: string }

/** Reads a parsed `noise.json`. */
export function decodeProfile(value: unknown): ProfileReading {
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
export const encodeProfile = (profile: NoiseProfile): string =>
  `${JSON.stringify({ noise: profile.entries }, ['noise', 'kind', 'lexical', 'place', 'scope', 'support'], 2)}\n`
