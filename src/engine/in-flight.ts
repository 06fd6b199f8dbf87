/** Requests in flight while recording: each waits for writes of its session that can change its answer. */
import type { RequestKey } from '../request/request-key.ts'
import { apiParamsOf, type Call, type EpochlessCall, isMatchable } from './call.ts'
import type { CallReader } from './call-reader.ts'
import type { EngineOptions } from './engine-options.ts'
import type { LiveForwarder } from './record/live-forwarder.ts'
import { enterRace, type InFlightRequest } from './session/write-races.ts'

interface InFlightOptions extends Pick<EngineOptions, 'store' | 'sessions'> {
  readonly calls: CallReader
  readonly live: LiveForwarder
  readonly mayRecord: boolean
}

export class InFlight {
  readonly #options: InFlightOptions

  constructor(options: InFlightOptions) {
    this.#options = options
  }

  /**
   * @returns `ready` gives the call once it is its turn, and who asks may be another by then; it throws UpstreamError.
   * `end` is to be called once the session has been updated
   */
  join(call: Call): { readonly ready: () => Promise<EpochlessCall>; readonly end: () => void } {
    const { store, sessions } = this.#options
    const inFlight = enterRace(call, store.manifest.site, call.session === sessions.common)
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
