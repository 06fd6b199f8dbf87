/** How a change of the contract is told by whoever finds it. */
import type { RequestRef } from '../changes/change.ts'
import type { Kind } from '../changes/kinds.ts'

/** Tells one change of one module. */
export type EmitContractChange = (kind: Kind, detail: ContractChangeDetail) => void

export interface ContractChangeDetail {
  /** Name without the module's prefix; undefined for the module itself. */
  readonly param?: string
  readonly value?: string
  readonly before?: string | undefined
  readonly after?: string | undefined
  readonly note?: string
  /** What tells it from others of its kind at the same place. */
  readonly mark?: string
  /** Recorded requests that send, or rely on, what changed. */
  readonly hits: readonly RequestRef[]
  /** True where it cannot hurt whoever sends it, as far as descriptions tell. */
  readonly harmless?: boolean
}
