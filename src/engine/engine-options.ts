/** What an engine is made of, and what its parts share. */
import type { MissPolicy, Mode } from '../playback/mode.ts'
import type { TroubleState } from '../playback/trouble.ts'
import type { SecretRegistry } from '../privacy/known/secret-registry.ts'
import type { Store } from '../store/store.ts'
import type { LiveWiki } from './live-wiki.ts'
import type { RequestLogEntry } from './request-log-entry.ts'
import type { RunSummary } from './run-summary.ts'
import type { SessionRegistry } from './session/session-registry.ts'

/** HTTP status of a miss unless set: clients print the error of a 200, and several retry after a 404 or 500. */
export const defaultMissStatus = 200

export interface EngineOptions {
  readonly store: Store
  /** Shared by all engines of this cassette. */
  readonly sessions: SessionRegistry
  readonly mode: Mode
  readonly live: LiveWiki | undefined
  /** Path of the api.php that clients ask for; that of the cassette's wiki unless given. */
  readonly apiPath?: string | undefined
  /** Shared by all engines of the run; undefined in replay. */
  readonly secrets: SecretRegistry | undefined
  /** HTTP status of a miss, sent as it is by miss-reply.ts. Set by `--miss-status`, or by the option of a test or program. */
  readonly missStatus: number
  readonly onMiss: MissPolicy
  readonly recordErrors: boolean
  /** Cookies to record although MediaWiki does not set them. */
  readonly keepCookies?: readonly string[] | undefined
  /** `learned`: only recordings prove an answer, not what is known of the wiki's version. */
  readonly trust?: 'learned' | undefined
  /** Writes do not reach the wiki. */
  readonly refuseWrites: boolean
  /** What requests meet in place of their answers, in replay alone. */
  readonly trouble?: TroubleState | undefined
  /** True where nobody records into this cassette, so that replies may be cached. */
  readonly readOnly: boolean
  /** The present in milliseconds. */
  readonly now: () => number
  /** Prints one line for a person at the terminal. */
  readonly report: (line: string) => void
  readonly onEntry: (entry: RequestLogEntry) => void
}

/** What the parts of one engine share. */
export interface EngineContext extends EngineOptions {
  readonly summary: RunSummary
  /** The cassette was empty when it was opened (for `once`). */
  readonly isNew: boolean
}

/** The same where the wiki may be asked. */
export interface LiveContext extends EngineContext {
  readonly live: LiveWiki
  readonly secrets: SecretRegistry
}
