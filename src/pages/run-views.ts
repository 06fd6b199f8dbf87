/** Views of a run and of jobs: live requests, a request asked, answers compared. Types only, as in `views.ts`. */
import type { MissView, ParamView, PartView } from './views.ts'

export interface RequestView {
  readonly id: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly ms: number
  /** Milliseconds of these that it waited for others of its session. */
  readonly waitedMs: number
  readonly cassette: string
  readonly outcome: string
  readonly status: number
  readonly method: string
  readonly module: string
  readonly words: string
  readonly key: string
  /** Recordings that a synthesized answer was made of. */
  readonly from: readonly string[]
  readonly why: string
  readonly error: string
  readonly hasWarnings: boolean
  readonly bytes: number
  /** Empty for an anonymous caller. */
  readonly user: string
  readonly session: string
  readonly agent: string
  /** Writes of its session, this one included. */
  readonly writes: number
  readonly isWrite: boolean
  readonly retryAfter: number
  /** Digest of the answer that was sent; empty unless it can be compared with what the cassette holds. */
  readonly answer: string
  /** Name of the test that sent it; empty if it is not known. */
  readonly test: string
}

/** A request in the file of a run. */
export interface RunLine extends RequestView {
  readonly sent: SentRequestView
  readonly miss?: MissView | undefined
}

/** Recordings that answered requests of a test; of one that is not known if the name is empty. */
export interface UsedView {
  readonly keys: readonly string[]
  readonly test: string
}

/** A live request as the client sent it, without its secrets. */
export interface SentRequestView {
  readonly method: string
  readonly path: string
  readonly params: readonly ParamView[]
  readonly files: readonly string[]
  /** Why its body is not shown; empty if it is. */
  readonly unread: string
  readonly headers: readonly (readonly [string, string])[]
  readonly cookies: readonly string[]
}

/** What replay answers to a request, and why. */
export interface AskView {
  readonly key: string
  /** Key of the recording that answers; empty unless one does. */
  readonly recordedKey: string
  readonly outcome: string
  /** The steps that led to the key; `counts` if the step made a part of it. */
  readonly steps: readonly {
    readonly name: string
    readonly text: string
    readonly counts: boolean
  }[]
  /** Modules without a description. */
  readonly undescribed: readonly string[]
  /** Recordings of a synthesized answer, and what else it relies on. */
  readonly from: readonly string[]
  readonly by: string
  readonly miss?: MissView | undefined
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  /** The text of the body; cut if it is very long. */
  readonly text: string
  readonly bytes: number
  /** As in `RequestView`. */
  readonly answer: string
}

/** A listing with its rows, in order. */
export interface ListingRowsView {
  readonly rows: readonly ListingRowView[]
  readonly more: number
}

export type ListingRowView =
  | {
      readonly kind: 'row'
      /** JSON text. */
      readonly text: string
      /** The page that it belongs to, as JSON text; empty unless rows belong to pages. */
      readonly page: string
      /** The recording that has it. */
      readonly key: string
      /** The continue values before it, if a recorded batch ended there. */
      readonly continues: string
    }
  | Extract<PartView, { readonly kind: 'gap' }>
