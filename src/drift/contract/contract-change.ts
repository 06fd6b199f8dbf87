/** One change of the contract: how the rules describe it, and the Change that it becomes. */
import { type Change, newChange, type RequestRef } from '../changes/change.ts'
import type { Kind } from '../changes/kinds.ts'
import { itemPath, pathOf } from '../changes/path.ts'

export type EmitContractChange = (kind: Kind, detail: ContractChangeDetail) => void

export interface ContractChangeDetail {
  /** Name without the module's prefix; undefined for the module itself. */
  readonly param?: string
  readonly value?: string
  readonly before?: string | undefined
  readonly after?: string | undefined
  readonly note?: string
  readonly mark?: string
  /** Recorded requests that send, or rely on, what changed; none unless given. */
  readonly hits?: readonly RequestRef[]
  /** True where it cannot hurt a client that sends it, as far as descriptions show. */
  readonly harmless?: boolean
}

/** @param scope the module's path */
export function contractChange(
  kind: Kind,
  scope: string,
  prefix: string,
  { param, value, before, after, note, mark = '', hits = [], harmless = false }: ContractChangeDetail,
): Change {
  const place = param === undefined ? pathOf() : pathOf(prefix + param)
  return newChange(kind, value === undefined ? place : itemPath(place, value), {
    requests: hits,
    scope,
    before,
    after,
    note: note ?? (value === undefined ? noteOf(before, after) : ''),
    mark,
    other: hits.length === 0 || harmless,
  })
}

const noteOf = (before: string | undefined, after: string | undefined): string =>
  before === undefined && after === undefined ? '' : `${before ?? 'none'} → ${after ?? 'none'}`

/** The values of `a` that `b` lacks. */
export const onlyIn = (a: NamedValues, b: NamedValues): readonly string[] =>
  [...a.keys()].filter((value) => !b.has(value))

/** A set, or the keys of a map. */
type NamedValues = Pick<ReadonlyMap<string, unknown>, 'keys' | 'has'>
