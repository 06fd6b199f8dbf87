/** One difference between two answers or two descriptions, before grouping; its path; and how a team rates it otherwise. */
import { type JsonTree, jsonString } from '../../recorder/json/json-tree.ts'
import { isPlainObject } from '../../recorder/json/plain-json.ts'
import type { CanonicalRequest, RequestKey } from '../../recorder/request/request-key.ts'
import {
  hasTrait,
  isKind,
  type Kind,
  type Rating,
  ratingOf,
  type Severity,
  severities
} from './kinds.ts'

/** One thing that became another: a type, a name, a code. Empty if there was, or is, none. */
export interface Transition {
  readonly from: string
  readonly to: string
}

export const turn = (from: string, to: string): Transition => ({ from, to })

/** What a change says beyond its values: a text, or what became what. */
export type Note = string | Transition

/** `10/10 → 0/12`, `title → DB key`, `→ query.title`. */
export const noteText = (note: Note): string =>
  typeof note === 'string' ? note : `${note.from} → ${note.to}`.trimStart()

export interface RequestRef {
  readonly key: RequestKey
  readonly request: CanonicalRequest
  /** `classOf(request)`. */
  readonly requestClass: string
}

export interface Change extends Rating {
  readonly kind: Kind
  /** The request that shows it; for the contract, all recorded requests that use what changed. */
  readonly requests: readonly RequestRef[]
  /** A request class, a module's path, or `*` for what shows everywhere; part of the fingerprint. */
  readonly scope: string
  readonly path: Path
  /** Undefined if it was absent. */
  readonly before: JsonTree | undefined
  readonly after: JsonTree | undefined
  /** What the values do not show by themselves; empty if they show it. */
  readonly note: Note
  /** The answer has other rows, too. */
  readonly hasOtherRows?: boolean
  /** Distinguishes groups of equal kind and place: an error's code, a warning's topic. */
  readonly mark: string
}

/** What a change says beyond its kind and path; what is left out is empty, the scope the request's class. */
export interface ChangeDetail
  extends Partial<Pick<Change, 'requests' | 'scope' | 'note' | 'mark'>> {
  /** A text is a JSON string. */
  readonly before?: JsonTree | string | undefined
  readonly after?: JsonTree | string | undefined
  /** Takes the other rating of the kind's rule. */
  readonly other?: boolean
}

export function newChange(kind: Kind, path: Path, detail: ChangeDetail): Change {
  const { requests = [], note = '', other, before, after } = detail
  const [first] = hasTrait(kind, 'everywhere') ? [] : requests
  return {
    kind,
    ...ratingOf(kind, other),
    requests,
    scope: detail.scope ?? first?.requestClass ?? '*',
    path,
    before: asTree(before),
    after: asTree(after),
    note,
    mark: detail.mark ?? (hasTrait(kind, 'marked') ? noteText(note) : '')
  }
}

const asTree = (value: JsonTree | string | undefined) =>
  typeof value === 'string' ? jsonString(value) : value

/** A path in an answer: `query.allpages[title=Волга].length`, and its template `query.allpages[*].length`. */
export interface Path {
  readonly parent: Path | undefined
  /** Name of a member, or the label of an item (`title=Волга`). */
  readonly step: string
  readonly kind: 'root' | 'member' | 'item'
  /** Whether the item is in another state on the other side; undefined if nothing shows it. */
  readonly touched?: boolean | undefined
  /** True for an item that both sides call by one title. */
  readonly sameTitle?: boolean
}

export const rootPath: Path = { parent: undefined, step: '', kind: 'root' }
export const memberPath = (parent: Path, step: string): Path => ({
  parent,
  step,
  kind: 'member'
})
export const itemPath = (parent: Path, step: string, touched?: boolean): Path => ({
  parent,
  step,
  kind: 'item',
  touched
})

/** A path of member names from the root. */
export const pathOf = (...names: readonly string[]): Path =>
  names.reduce(memberPath, rootPath)

const plainName = /^[\p{L}_*-][\p{L}\p{N}_*+: -]*$/u

/** The path as text; names that would confuse are quoted as JSON. */
export const writePath = (path: Path): string => write(path, (step) => step)

/** The path with every item replaced by `[*]`: what changes of one kind share. */
export const templateOf = (path: Path): string => write(path, () => '*')

function write(path: Path, item: (step: string) => string): string {
  if (!path.parent) return ''
  const before = write(path.parent, item)
  if (path.kind === 'item') return `${before}[${item(path.step)}]`
  const name = plainName.test(path.step) ? path.step : JSON.stringify(path.step)
  return before === '' ? name : `${before}.${name}`
}

/** The path and all that it lies in, from the inside out. */
export function selfAndParents(path: Path | undefined): readonly Path[] {
  const all: Path[] = []
  for (let at = path; at; at = at.parent) all.push(at)
  return all
}

/** The nearest member name, items skipped: what the field is called. */
export const fieldOf = (path: Path): string => nearestMember(path)?.step ?? ''

/** The name of the object that holds the field. */
export const parentFieldOf = (path: Path): string =>
  nearestMember(nearestMember(path)?.parent)?.step ?? ''

const nearestMember = (path: Path | undefined): Path | undefined =>
  path?.kind === 'item' ? nearestMember(path.parent) : path

/** `drift.json`: severity by kind if a team rates otherwise than `kinds.ts`; content stays data. */
export type SeverityRules = ReadonlyMap<Kind, Severity>

export function applySeverityRules(change: Change, rules: SeverityRules): Change {
  const severity = change.axis === 'data' ? undefined : rules.get(change.kind)
  return severity === undefined ? change : { ...change, severity }
}

/** Reads a parsed `drift.json`, `{"severity": {"field.removed": "risky"}}`; a string says what is wrong with it. */
export function decodeSeverities(value: unknown): SeverityRules | string {
  const table = isPlainObject(value) ? (value['severity'] ?? {}) : undefined
  if (!isPlainObject(table)) return 'expected an object with an object under "severity"'
  const rules = new Map<Kind, Severity>()
  for (const [name, text] of Object.entries(table)) {
    const severity = teamSeverities.find((one) => one === text)
    if (!isKind(name))
      return `"${name}" under "severity" is not a kind; docs/drift.md lists them`
    if (severity === undefined)
      return `"${name}" is ${JSON.stringify(text)}; expected one of ${teamSeverities.join(', ')}`
    rules.set(name, severity)
  }
  return rules
}

/** All but what is suppressed. */
export const teamSeverities: readonly Severity[] = severities.filter(
  (one) => one !== 'noise'
)
