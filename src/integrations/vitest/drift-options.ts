/** What the matcher toHaveNoDrift takes and returns. */
import type { FailOn } from '../../drift/findings/fail-on.ts'

/** A cassette: its folder, or what `useCassette` or `insertCassette` gave. */
export type DriftSubject = string | { readonly folder: string }

export interface DriftOptions {
  /** From which severity on drift fails; `breaking` unless given. */
  readonly failOn?: FailOn
  /** File of drift that was agreed to; `drift.accept.json` unless given. */
  readonly accept?: string
  /** Lets a wiki be asked although CI=true. */
  readonly allowLive?: boolean
  /** Seconds that the wiki may stay silent. */
  readonly timeout?: number
}

export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}
