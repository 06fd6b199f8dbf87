/** What becomes of a request for a listing: its answer, or why there is none. */
import type { JsonTree } from '../json/json-tree.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { Listing } from './joining/listing.ts'
import type { BatchConflict } from './joining/position-graph.ts'

/** What proves an answer: `learned` batches, `known` facts of the version too; `own`: it continues by an own value. */
export type SynthesisBasis = 'learned' | 'known' | 'own'

export interface SynthesizedListing {
  readonly kind: 'synthesized'
  /** The answer, without `requestid`. */
  readonly body: JsonTree
  readonly headers: ReadonlyMap<string, string>
  readonly from: readonly RequestKey[]
  readonly by: SynthesisBasis
}

export type Synthesis =
  | SynthesizedListing
  | { readonly kind: 'outside'; readonly listing: Listing; readonly why: string }
  | ({ readonly kind: 'conflict' } & BatchConflict)
  /** The listing is recorded, but how this request would be answered is not certain. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'not-a-listing'; readonly why: string }

/** True where no other recording is asked. */
export const isSettled = ({ kind }: Synthesis): boolean =>
  kind === 'synthesized' || kind === 'conflict'

export const refuse = (why: string): Synthesis => ({ kind: 'refused', why })
export const notAListing = (why: string): Synthesis => ({ kind: 'not-a-listing', why })

export const tooLarge = 'its answer may be larger than the wiki makes'
