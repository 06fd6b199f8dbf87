/** A request on its way through the engine, and what came of it. */
import type { RecordedResponse } from '../cassette/interaction.ts'
import type { Found } from '../playback/find.ts'
import type { MissReason } from '../playback/near-miss.ts'
import type { Standing } from '../playback/places.ts'
import type { Session } from '../playback/session.ts'
import type { WikiRequest } from '../request/api-request.ts'
import type { Derivation } from '../request/derive.ts'
import type { RequestKey } from '../request/key.ts'
import type { Params } from '../wiki/params.ts'
import type { Exchange, Reply } from './exchange.ts'
import type { Understood } from './wiki-request.ts'

/** A request with all that is known of it. */
export interface Question {
  readonly exchange: Exchange
  readonly understood: Understood
  readonly session: Session
  readonly derivation: Derivation
  /** What of the session's past it depends on. */
  readonly standing: Standing
  /** Why the wiki's answer, once it is there, is of no certain time; absent where nothing is recorded. */
  readonly doubt?: () => string | undefined
}

/** A reply, and the response that it renders where that is known: what the session learns from it. */
export interface Served {
  readonly reply: Reply
  readonly key: RequestKey
  readonly response: RecordedResponse | undefined
  /** True where the same request gets the same again. */
  readonly lasting?: boolean
  /** The recordings that were looked into; none where that is not known. */
  readonly rests?: readonly RequestKey[]
}

/** Query string and body together; none of a plain request. */
export const paramsOf = (request: WikiRequest): Params => (request.kind === 'api' ? request.params : noParams)

const noParams: Params = new Map()

/** The question as it stands after the writes of its session. */
export const inPresent = (question: Question): Question => ({
  ...question,
  derivation: question.standing.place,
})

/** Why a request is refused, as far as more is known than that nothing matches. */
export interface Why {
  readonly why?: string | undefined
  readonly reason?: MissReason
  /** What would record it, where it is not the cassette's wiki that is asked. */
  readonly command?: string
  /** True where nothing but the client's own session gets the answer. */
  readonly needsClient?: boolean
}

/** What stood in the way of a recording that is there. */
export function whyNot({ match }: Found): Why {
  if (match.kind === 'other-order') return { why: `It was recorded in another order, and ${match.why}.` }
  if (match.kind !== 'contradicted') return {}
  return {
    why: `Two sessions without a name got different answers (${match.between.join(' and ')}); name the session (X-Cassette-Session) and record again.`,
    reason: 'conflict',
    needsClient: true,
  }
}
