/** Requests in flight while recording: each waits for writes of its session that can change its answer. */
import type { RequestKey } from '../request/request-key.ts'
import { apiParamsOf, type Call, type EpochlessCall, isMatchable } from './call.ts'
import type { CallReader } from './call-reader.ts'
import type { EngineOptions } from './engine-options.ts'
import type { LiveForwarder } from './record/live-forwarder.ts'
import { type InFlightRequest, WriteRaces } from './session/write-races.ts'

interface InFlightOptions extends Pick<EngineOptions, 'store' | 'sessions'> {
  readonly calls: CallReader
  readonly live: LiveForwarder
  readonly mayRecord: boolean
}

/** One request in flight. */
export interface Flight {
  /** The call once it is its turn; who asks may be another by then. @throws UpstreamError */
  readonly ready: () => Promise<EpochlessCall>
  /** To be called once the session has been updated. */
  readonly end: () => void
}

export class InFlight {
  readonly #options: InFlightOptions
  readonly #races = new WriteRaces()

  constructor(options: InFlightOptions) {
    this.#options = options
  }

  join(call: Call): Flight {
    const { store, sessions } = this.#options
    const inFlight = this.#races.begin(call, store.manifest.site, call.session === sessions.common)
    return { ready: () => this.#whenReady(call, inFlight), end: inFlight.end }
  }

  /** A concurrent request that is recording the same; resolves to its key, undefined where it failed. */
  recordingOf(call: Call): Promise<RequestKey | undefined> | undefined {
    const { mayRecord, live } = this.#options
    return mayRecord && isMatchable(call) ? live.inFlight(call.dependency.scoped) : undefined
  }

  async #whenReady(call: Call, { turn, uncertainty }: InFlightRequest): Promise<EpochlessCall> {
    const { sessions, calls, live, mayRecord } = this.#options
    const { incoming, parsed } = call
    const waitedMs = turn && (await turn)
    const isKnown =
      sessions.identities.knownIdentity(incoming.headers, apiParamsOf(parsed.request)) !== undefined
    const caller = mayRecord && !isKnown ? await live.ownRequests.askIdentity(incoming.headers) : undefined
    const isUnchanged = waitedMs === undefined && caller === undefined
    return { ...(isUnchanged ? call : await calls.reread(incoming, caller)), uncertainty, waitedMs }
  }
}
