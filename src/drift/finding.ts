/** Changes of one sort, told once: a finding. */
import { type JsonTree, textOf } from '../json/tree.ts'
import { digest } from '../request/key.ts'
import type { Asked, Change } from './change.ts'
import { hintOf } from './hints.ts'
import { type Axis, bySeverity, type Kind, kinds, type Severity } from './kinds.ts'
import { templateOf, writePath } from './path.ts'

/** Twelve hex digits of kind, scope and place: the same in every run, whatever the wording. */
export type Fingerprint = string & { readonly __brand: 'Fingerprint' }

/** A finding that somebody looked at and agreed to: one entry of `drift.accept.json`. */
export interface Acceptance {
  readonly fingerprint: Fingerprint
  readonly reason: string
  /** `2027-01-31`: the last day on which it counts; undefined for good. */
  readonly expires: string | undefined
  /** What was accepted, for the reader of the file; not used for matching. */
  readonly about: string
}

export interface Finding {
  readonly fingerprint: Fingerprint
  readonly kind: Kind
  readonly severity: Severity
  readonly axis: Axis
  /** A class of requests, the path of a module, or `*` for what shows everywhere. */
  readonly scope: string
  /** `query.allpages[*].length`; for the contract the parameter with its prefix. */
  readonly place: string
  /** The kind in words, with what distinguishes this finding. */
  readonly title: string
  readonly count: number
  /** Requests that show it, at most once each; empty for the contract. */
  readonly asked: readonly Asked[]
  /** The first few changes. */
  readonly samples: readonly Sample[]
  /** What a client's author can do about it, and since which release. */
  readonly hint: string | undefined
  /** Set where `drift.accept.json` names the fingerprint. */
  readonly accepted: Acceptance | undefined
}

/** One change as an example. */
export interface Sample {
  readonly path: string
  readonly before: JsonTree | undefined
  readonly after: JsonTree | undefined
  readonly note: string
  readonly asked: Asked | undefined
}

/** How many changes of a finding are shown. */
export const sampleCount = 3

/** Groups by kind, severity, scope, place and mark; worst first, then as first seen by name. */
export function groupChanges(changes: readonly Change[]): readonly Finding[] {
  const groups = new Map<string, { readonly place: string; readonly changes: Change[] }>()
  const templates = new Map<Change['path'], string>()
  for (const change of changes) {
    const place = placeOf(change, templates)
    const id = [change.kind, change.severity, change.axis, change.scope, place, change.mark].join('\u0000')
    const group = groups.get(id)
    if (group === undefined) groups.set(id, { place, changes: [change] })
    else group.changes.push(change)
  }
  return [...groups.values()].flatMap((group) => findingOf(group.place, group.changes) ?? []).sort(byWeight)
}

/** Encodings are one decision of the whole wiki, wherever they show. */
function placeOf(change: Change, templates: Map<Change['path'], string>): string {
  if (change.kind.startsWith('encoding.') && change.scope === '*') return '*'
  // Fields of one object share their parent, so its template is worked out once.
  const { parent } = change.path
  if (parent === undefined || change.path.kind === 'item') return templateOf(change.path)
  const known = templates.get(parent) ?? templateOf(parent)
  templates.set(parent, known)
  const own = templateOf({ ...change.path, parent: { parent: undefined, step: '', kind: 'root' } })
  return known === '' ? own : `${known}.${own}`
}

function findingOf(place: string, changes: readonly Change[]): Finding | undefined {
  const [first] = changes
  if (first === undefined) return undefined
  const asked = new Map(
    changes.flatMap(({ asked: one }) => (one === undefined ? [] : [[one.key, one] as const])),
  )
  return {
    fingerprint: fingerprintOf(first, place),
    kind: first.kind,
    severity: first.severity,
    axis: first.axis,
    scope: first.scope,
    place,
    title: titleOf(first, changes),
    count: changes.length,
    asked: [...asked.values()],
    samples: samplesOf(changes),
    hint: hintOf(first, place),
    accepted: undefined,
  }
}

const fingerprintOf = (change: Change, place: string): Fingerprint =>
  digest(JSON.stringify([change.kind, change.scope, place, change.mark]), 12) as Fingerprint

function titleOf(first: Change, changes: readonly Change[]): string {
  const { words } = kinds[first.kind]
  if (/\.value-(?:added|removed)$/.test(first.kind)) return `${words}: ${valuesOf(changes)}`
  // How many samples had a field matters where it is still there in some.
  if (/^field\.(?:added|removed)$/.test(first.kind)) return words
  const shared = changes.every(({ note }) => note === first.note) ? first.note : ''
  return shared === '' ? words : `${words}: ${shared}`
}

/** The values that came or went, a few of them by name. */
function valuesOf(changes: readonly Change[]): string {
  const values = [...new Set(changes.flatMap(({ before, after }) => textOf(before ?? after) ?? []))]
  const named = values.slice(0, 6).join(', ')
  return values.length > 6 ? `${named} and ${values.length - 6} more` : named
}

const samplesOf = (changes: readonly Change[]): readonly Sample[] =>
  changes.slice(0, sampleCount).map(({ path, before, after, note, asked }) => ({
    path: writePath(path),
    before,
    after,
    note,
    asked,
  }))

/** Worst first; then behaviour before contract before data; then request by request, so that two runs agree. */
export function byWeight(a: Finding, b: Finding): number {
  const axes: readonly Axis[] = ['behaviour', 'contract', 'data']
  return (
    bySeverity(a.severity, b.severity) ||
    axes.indexOf(a.axis) - axes.indexOf(b.axis) ||
    compareText(a.scope, b.scope) ||
    compareText(a.kind, b.kind) ||
    compareText(a.place, b.place) ||
    compareText(a.fingerprint, b.fingerprint)
  )
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
