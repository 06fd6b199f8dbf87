/** One difference between two answers or two descriptions, before grouping. */
import type { JsonTree } from '../../json/json-tree.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import type { Axis, Kind, Severity } from './kinds.ts'
import type { Path } from './path.ts'

/** The request that a change was seen in. */
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
  /** Who is hit: the request that shows it; for the contract, all recorded requests that use what changed. */
  readonly requests: readonly RequestRef[]
  /** What fingerprints and groups know the change's place by: a request class, a module's path, or `*`. */
  readonly scope: string
  readonly path: Path
  /** Undefined where it was absent. */
  readonly before: JsonTree | undefined
  readonly after: JsonTree | undefined
  /** What the values do not show by themselves: `10/10 → 0/12`, `title → DB key`. */
  readonly note: string
  /** What tells groups apart besides kind and place: an error's code, a warning's topic. */
  readonly mark: string
}
