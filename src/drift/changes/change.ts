/** One difference between two answers or two descriptions, before grouping. */
import { type JsonTree, jsonString } from '../../json/json-tree.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import { type Axis, type Kind, ratingOf, type Severity } from './kinds.ts'
import type { Path } from './path.ts'

export interface RequestRef {
  readonly key: RequestKey
  readonly request: CanonicalRequest
  /** `classOf(request)`. */
  readonly requestClass: string
}

export interface Change {
  readonly kind: Kind
  readonly severity: Severity
  readonly axis: Axis
  /** The request that shows it; for the contract, all recorded requests that use what changed. */
  readonly requests: readonly RequestRef[]
  /** A request class, a module's path, or `*` for what shows everywhere; part of the fingerprint. */
  readonly scope: string
  readonly path: Path
  /** Undefined where it was absent. */
  readonly before: JsonTree | undefined
  readonly after: JsonTree | undefined
  /** What the values do not show by themselves: `10/10 → 0/12`, `title → DB key`. */
  readonly note: string
  /** Distinguishes groups of equal kind and place: an error's code, a warning's topic. */
  readonly mark: string
}

/** What a change says beyond its kind and path; what is left out is empty, the scope the request's class. */
export interface ChangeDetail extends Partial<Pick<Change, 'requests' | 'scope' | 'note' | 'mark'>> {
  /** A text is a JSON string. */
  readonly before?: JsonTree | string | undefined
  readonly after?: JsonTree | string | undefined
  /** Takes the other rating of the kind's rule. */
  readonly other?: boolean
}

export function newChange(kind: Kind, path: Path, detail: ChangeDetail): Change {
  const { requests = [], scope = requests[0]?.requestClass ?? '*', note = '', mark = '' } = detail
  const [before, after] = [asTree(detail.before), asTree(detail.after)]
  return { kind, ...ratingOf(kind, detail.other), requests, scope, path, before, after, note, mark }
}

const asTree = (value: JsonTree | string | undefined): JsonTree | undefined =>
  typeof value === 'string' ? jsonString(value) : value
