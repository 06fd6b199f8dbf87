/** A request on its way through the engine, what came of it, and what its key is derived by. */
import type { Interaction, RecordedResponse } from '../cassette/interaction.ts'
import type { IncomingRequest, Reply } from '../http/incoming-request.ts'
import type { ParsedRequest } from '../http/parse-request.ts'
import type { RecordedMatch } from '../playback/lookup/match.ts'
import type { WalkStep } from '../playback/session/loop-guard.ts'
import type { Session, WriteDependency } from '../playback/session/session.ts'
import type { WikiRequest } from '../request/api-request.ts'
import type { Derivation, WikiFacts } from '../request/derive.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { Store } from '../store/store.ts'
import { bundledLookup } from '../wiki/modules/module-descriptions.ts'
import type { Params } from '../wiki/parameters/request-params.ts'

export interface Call {
  readonly incoming: IncomingRequest
  readonly parsed: ParsedRequest
  readonly session: Session
  /** True where the path is that of another wiki's api.php. */
  readonly otherWiki: boolean
  readonly derivation: Derivation
  /** Which writes of its session the answer depends on. */
  readonly dependency: WriteDependency
  /** While recording: the request headers that chose the wiki's answer. */
  readonly chosenBy?: Interaction['chosenBy']
  /** While recording: why the wiki's answer may be from before or after a write. */
  readonly uncertainty?: (() => string | undefined) | undefined
  /** While recording to a store of several recorders: the key that only this one asks for. */
  readonly leased?: RequestKey
  /** While recording: milliseconds that it waited for other requests of its session. */
  readonly waitedMs?: number | undefined
}

/** A call whose dependency on the writes of its session is still to be found. */
export type EpochlessCall = Omit<Call, 'dependency'>

/** A reply, and the response that it renders where that is known: the session is updated by it. */
export interface CallOutcome {
  readonly reply: Reply
  readonly key: RequestKey
  readonly response: RecordedResponse | undefined
  /** True where the same request gets the same reply again. */
  readonly isCacheable?: boolean
  /** The recordings that were read for it; none where that is not known. */
  readonly dependsOn?: readonly RequestKey[]
}

/** An answer from the cassette, ready to be sent, with what is noted once it is sent. */
export interface AnswerPlan {
  readonly outcome: CallOutcome
  /** Where it leads a walk. */
  readonly step?: WalkStep | undefined
  /** The recording that is replayed, or that shows what the wiki would say. */
  readonly match?: RecordedMatch | undefined
}

/** Parameters of query string and body; none of a plain request. */
export const apiParamsOf = (request: WikiRequest): Params =>
  request.kind === 'api' ? request.params : noParams

const noParams: Params = new Map()

/** False where the key does not say what is asked, so that nothing recorded can match. */
export const isMatchable = ({
  otherWiki,
  parsed: { request }
}: Pick<Call, 'otherWiki' | 'parsed'>): boolean =>
  !otherWiki && request.unread === undefined

/** Bundled descriptions stand in only for a wiki that refuses to describe itself. */
export const wikiFactsOf = (store: Store, trust?: WikiFacts['trust']): WikiFacts => ({
  lookup: (path) =>
    store.module(path) ??
    (store.manifest.describesItself
      ? undefined
      : bundledLookup(store.manifest.site?.generator || undefined)(path)),
  site: store.manifest.site,
  trust,
  strict: store.manifest.match === 'strict',
  ignored: store.manifest.ignore
})
