/** One HTTP request to wikitape and its reply, as values: the shell's server and in-process replay share them. */
import type { SynthesisBasis } from '../paging/synthesise.ts'
import type { MissReason } from '../playback/lookup/near-miss.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { AbortListenable } from '../upstream/upstream.ts'
import type { UrlRewriting } from './url-rewriter.ts'

export type IncomingHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export interface IncomingRequest {
  readonly method: 'GET' | 'HEAD' | 'POST'
  /** Path and query as sent, the cassette's path prefix taken off. */
  readonly target: string
  readonly headers: IncomingHeaders
  readonly body: Uint8Array
  /** Own play position; empty for the common one. */
  readonly session: string
  /** Aborted when the client leaves. */
  readonly signal: AbortListenable | undefined
  /** True where the client has named the wiki's own host, not this server's. */
  readonly namedHost?: boolean
  /** True where the ledger of its engine has seen its head already. */
  readonly secretsObserved?: boolean
  /** A page of another site asks: the credentials of the api-url are not for it. */
  readonly isCrossOrigin?: boolean
  /** Where the wiki's own addresses shall lead; absent where they stay as they are. */
  readonly rewriting?: UrlRewriting | undefined
}

export type CassetteStatus = 'replayed' | 'synthesized' | 'recorded' | 'passthrough' | 'miss'

export interface Reply {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
  readonly cassetteStatus: CassetteStatus
  readonly key: RequestKey | undefined
  /** The recorded batches that a synthesized answer was made of. */
  readonly from?: readonly RequestKey[]
  /** What a synthesised answer rests on beside them (paging/synthesise.ts). */
  readonly by?: SynthesisBasis | undefined
  /** Why an answer of the live wiki was only passed on. */
  readonly whyNotRecorded?: string
  /** Milliseconds for which it waited, while recording, for other requests of its session. */
  readonly waitedMs?: number
  /** Why it is a miss. */
  readonly missReason?: MissReason
}

/** Of a target what stands in front of its first question mark, and behind it. */
export function splitTarget(target: string): readonly [path: string, query: string] {
  const questionMark = target.indexOf('?')
  return questionMark < 0 ? [target, ''] : [target.slice(0, questionMark), target.slice(questionMark + 1)]
}

export const headerText = (headers: IncomingHeaders, name: string): string | undefined => {
  const value = headers[name]
  return value === undefined ? undefined : typeof value === 'string' ? value : value.join(', ')
}
