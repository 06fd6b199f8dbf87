/** How a change of the contract is told by whoever finds it. */
import type { Kind } from '../kinds.ts'

/** Tells one change of one module. */
export type Tell = (kind: Kind, detail: ContractDetail) => void

export interface ContractDetail {
  /** Name without the module's prefix; undefined for the module itself. */
  readonly param?: string
  readonly value?: string
  readonly before?: string | undefined
  readonly after?: string | undefined
  readonly note?: string
  /** True where a recorded request sends, or relies on, what changed. */
  readonly used: boolean
}
