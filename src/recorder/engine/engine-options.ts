/** What an engine is made of, and what its parts share. */

import type { ApiUrl } from '../http/api-url.ts'
import type { MissPolicy, Mode } from '../playback/decide.ts'
import type { TroubleState } from '../playback/trouble.ts'
import type { SecretRegistry } from '../privacy/known/secret-registry.ts'
import type { Store } from '../store/store.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { EngineEvent } from './engine-event.ts'
import type { RequestLogEntry } from './request-log.ts'
import type { RunSummary } from './run-summary.ts'
import type { SessionRegistry } from './session/session-registry.ts'

/** HTTP status of a miss unless set: clients print the error of a 200, and several retry after a 404 or 500. */
export const defaultMissStatus = 200

/** How engines reach their wiki; a replaying engine has none, so that it cannot go out. */
export interface LiveWiki {
  readonly api: ApiUrl
  /** Called once for each engine: each has its own connections. */
  readonly upstream: () => Upstream
  /** For wikitape's own requests, where they go another way than a client's. */
  readonly ownUpstream?: () => Upstream
  /** Values of headers that the operator has added; secrets of this run. */
  readonly secrets?: readonly string[] | undefined
  /** True where wikitape makes all requests itself, so that advice to a client would reach nobody. */
  readonly hasNoClient?: boolean | undefined
  /** True where the answers come out of another program's recordings: nobody can say which wiki it is. */
  readonly isImported?: boolean | undefined
}

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
  /** True for a text that a person has judged to be no secret: file, place in it, digest. */
  readonly isHarmless?:
    | ((file: string, where: string, digest: string) => boolean)
    | undefined
  /** The present in milliseconds. */
  readonly now: () => number
  readonly onEvent: (event: EngineEvent) => void
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
