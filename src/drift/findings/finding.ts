/** Findings: changes of one kind at one place, grouped. */
import { type JsonTree, sameTree, textOf } from '../../recorder/json/json-tree.ts'
import type { PlainObject } from '../../recorder/json/plain-json.ts'
import { getOrAdd } from '../../recorder/text/group-by.ts'
import {
  type Change,
  noteText,
  type RequestRef,
  type Transition,
  templateOf,
  writePath
} from '../changes/change.ts'
import { type Axis, bySeverity, familyOf, type Kind, kinds } from '../changes/kinds.ts'
import {
  hintOf,
  type KnownChange,
  type KnownChangeLookup
} from '../releases/known-changes.ts'
import { Extent, type Fingerprint, fingerprintOf, namesValues } from './extent.ts'

/** A finding that a person agreed to: one entry of `drift.accept.json`. */
export interface Acceptance {
  readonly fingerprint: Fingerprint
  readonly reason: string
  /** `2027-01-31`: the last day on which it counts; undefined for good. */
  readonly expires: string | undefined
  /** Who answers for it. */
  readonly owner?: string | undefined
  /** The wiki of the older side; an entry that matches nothing is told in comparisons of it alone. */
  readonly wiki?: string | undefined
  /** The finding in words, for readers of the file. */
  readonly about: string
  /** In the entry of a cause: each change that it had, as `changeText` has it. */
  readonly seen?: readonly string[]
  /** What else people wrote into the entry. */
  readonly notes?: PlainObject
}

export interface Finding extends Pick<Change, 'kind' | 'severity' | 'axis'> {
  readonly fingerprint: Fingerprint
  /** A class of requests, the path of a module, or `*` for what shows everywhere. */
  readonly scope: string
  /** `query.allpages[*].length`; for the contract the parameter with its prefix. */
  readonly place: string
  /** The kind in words, with what distinguishes this finding. */
  readonly title: string
  readonly count: number
  /** What changed into what, as far as an acceptance depends on it: `number → string`. */
  readonly extent: string
  /** The extent as transitions, if something became something else. */
  readonly turns: readonly Transition[]
  /** Each value that came or went, if the kind is about values. */
  readonly values: readonly string[]
  /** Requests that show it, or for the contract use what changed, at most once each. */
  readonly requests: readonly RequestRef[]
  /** The first few changes that differ from each other. */
  readonly samples: readonly Sample[]
  /** The release's change that it comes from; undefined if none is known. */
  readonly knownChange: KnownChange | undefined
  /** What a client's author can do about it, and since which release. */
  readonly hint: string | undefined
  /** Findings of one reason are one cause; empty until `withReasons`. */
  readonly reason: string
  /** Set if `drift.accept.json` names the fingerprint. */
  readonly accepted: Acceptance | undefined
}

export interface Sample extends Pick<Change, 'before' | 'after'> {
  readonly note: string
  readonly path: string
  readonly requestRef: RequestRef | undefined
}

const sampleCount = 3

/** Groups by kind, severity, scope, place and mark, values by the release's change that names them; worst first, then as first seen by name. */
export function groupChanges(
  changes: Iterable<Change>,
  known: KnownChangeLookup
): readonly Finding[] {
  const groups = new Map<string, ChangeGroup>()
  for (const change of changes) {
    const place = placeOf(change)
    const { kind, severity, axis, scope, mark } = change
    const release = namesValues(kind) ? known(change, place)?.what : undefined
    const id = [kind, severity, axis, scope, place, mark, release].join('\u0000')
    getOrAdd(groups, id, () => new ChangeGroup(change)).add(change)
  }
  return [...groups.values()].map((one) => one.finding(known)).sort(byFindingWeight)
}

/** What is stored of the changes of one group: there may be very many. */
class ChangeGroup {
  readonly #first: Change
  readonly #samples: Change[] = []
  readonly #requests = new Map<string, RequestRef>()
  /** Values that came or went; only if the title names them. */
  readonly #values = new Set<string>()
  readonly #extent = new Extent()
  #count = 0
  #hasOneNote = true

  constructor(first: Change) {
    this.#first = first
  }

  add(change: Change) {
    this.#count += 1
    this.#hasOneNote &&= noteText(change.note) === noteText(this.#first.note)
    this.#extent.add(change)
    const isShown = this.#samples.length < sampleCount
    if (isShown && !this.#samples.some((one) => isSameSample(one, change)))
      this.#samples.push(change)
    for (const requestRef of change.requests)
      this.#requests.set(requestRef.key, requestRef)
    const value = textOf(change.before ?? change.after)
    if (namesValues(change.kind) && value !== undefined) this.#values.add(value)
  }

  finding(known: KnownChangeLookup) {
    const { kind, severity, axis, scope, mark } = this.#first
    const place = placeOf(this.#first)
    const knownChange = known(this.#first, place)
    const extent = this.#extent.text(kind) || mark
    return {
      fingerprint: fingerprintOf([kind, scope, place, mark, extent], [scope, place]),
      kind,
      severity,
      axis,
      scope,
      place,
      extent,
      turns: this.#extent.turns(kind),
      knownChange,
      title: this.#title(),
      count: this.#count,
      values: [...this.#values],
      requests: [...this.#requests.values()],
      samples: this.#samples.map(sampleOf),
      hint: knownChange ? knownChange.advice : hintOf(this.#first, place),
      reason: '',
      accepted: undefined
    }
  }

  #title() {
    const { kind, note } = this.#first
    if (namesValues(kind)) return titleOfValues(kind, this.#values)
    const { words } = kinds[kind]
    // How many samples had a field matters if it is still there in some.
    const isCounted = kind === 'field.added' || kind === 'field.removed'
    if (isCounted || !this.#hasOneNote || note === '') return words
    return `${words}: ${noteText(note)}`
  }
}

const sampleOf = ({ path, before, after, note, requests: [requestRef] }: Change) => ({
  path: writePath(path),
  before,
  after,
  note: noteText(note),
  requestRef
})

function isSameSample(a: Change, b: Change) {
  const isSame = (one?: JsonTree, other?: JsonTree) =>
    one && other ? sameTree(one, other) : one === other
  return (
    noteText(a.note) === noteText(b.note) &&
    isSame(a.before, b.before) &&
    isSame(a.after, b.after) &&
    writePath(a.path) === writePath(b.path)
  )
}

/** An encoding is one decision of the whole wiki, at whatever place. */
const placeOf = ({ kind, scope, path }: Change) =>
  familyOf(kind) === 'encoding' && scope === '*' ? '*' : templateOf(path)

/** `type.changed id: number → string`: the change, wherever in the answers it is. */
export const changeText = ({ kind, place, extent }: Finding): string =>
  `${`${kind} ${lastStep(place)}`.trim()}${extent === '' ? '' : `: ${extent}`}`

/** `results[*]` of `query.querypage.results[*]`. */
export const lastStep = (place: string): string =>
  /[^.[\]]*(?:\[[^\]]*\])?$/.exec(place)?.[0] ?? ''

/** At most six of the values by name. */
export function titleOfValues(kind: Kind, values: ReadonlySet<string>): string {
  const named = [...values].slice(0, 6).join(', ')
  const rest = values.size > 6 ? ` and ${values.size - 6} more` : ''
  return `${kinds[kind].words}: ${named}${rest}`
}

/** Worst first; then behaviour before contract before data; then request by request, so that two runs agree. */
function byFindingWeight(a: Finding, b: Finding) {
  const axes: readonly Axis[] = ['behaviour', 'contract', 'data']
  const weight =
    bySeverity(a.severity, b.severity) || axes.indexOf(a.axis) - axes.indexOf(b.axis)
  const name = (['scope', 'kind', 'place', 'fingerprint'] as const).find(
    (one) => a[one] !== b[one]
  )
  if (weight !== 0 || name === undefined) return weight
  return a[name] < b[name] ? -1 : 1
}
