/** A request on its way through the engine, and what came of it. */
import type { RecordedResponse } from '../cassette/interaction.ts'
import type { IncomingRequest, Reply } from '../http/incoming-request.ts'
import type { ParsedRequest } from '../http/parse-request.ts'
import type { Match } from '../playback/lookup/match.ts'
import type { WalkStep } from '../playback/session/loop-guard.ts'
import type { Session } from '../playback/session/session.ts'
import type { WriteDependency } from '../playback/session/write-dependency.ts'
import type { WikiRequest } from '../request/api-request.ts'
import type { Derivation } from '../request/derive.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { Params } from '../wiki/parameters/request-params.ts'

/** A request with its session and its key. */
export interface Call {
  readonly incoming: IncomingRequest
  readonly parsed: ParsedRequest
  readonly session: Session
  /** It asks for the path of another wiki's api.php. */
  readonly otherWiki: boolean
  readonly derivation: Derivation
  /** What of the session's past it depends on. */
  readonly dependency: WriteDependency
  /** Why the wiki's answer, once it is there, is of no certain time; absent where nothing is recorded. */
  readonly uncertainty?: () => string | undefined
}

/** A call of which it is not settled yet what its session has written before. */
export type EpochlessCall = Omit<Call, 'dependency'>

/** A reply, and the response that it renders where that is known: what the session learns from it. */
export interface CallOutcome {
  readonly reply: Reply
  readonly key: RequestKey
  readonly response: RecordedResponse | undefined
  /** True where the same request gets the same again. */
  readonly isCacheable?: boolean
  /** The recordings that were looked into; none where that is not known. */
  readonly dependsOn?: readonly RequestKey[]
}

export type RecordedMatch = Extract<Match, { kind: 'recorded' }>

/** An answer out of the cassette that is ready to be sent, with all that is noted when it is. */
export interface AnswerPlan {
  readonly outcome: CallOutcome
  /** Where it leads a walk. */
  readonly step?: WalkStep | undefined
  /** The recording that it is, or that shows what the wiki would say. */
  readonly match?: RecordedMatch | undefined
}

/** Query string and body together; none of a plain request. */
export const apiParamsOf = (request: WikiRequest): Params =>
  request.kind === 'api' ? request.params : noParams

const noParams: Params = new Map()

/** The call with the key that it has after the writes of its session. */
export const inCurrentEpoch = (call: Call): Call => ({ ...call, derivation: call.dependency.scoped })
