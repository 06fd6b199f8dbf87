/** Requests under way while recording: each waits for what of its session can change its answer. */
import type { RequestKey } from '../request/request-key.ts'
import type { Store } from '../store/store.ts'
import { apiParamsOf, type Call, type EpochlessCall } from './call.ts'
import type { CallReader } from './call-reader.ts'
import type { LiveForwarder } from './record/live-forwarder.ts'
import type { SessionRegistry } from './session/session-registry.ts'
import { type InFlightRequest, WriteRaces } from './session/write-races.ts'

export interface InFlightOptions {
  readonly store: Store
  readonly sessions: SessionRegistry
  readonly calls: CallReader
  readonly live: LiveForwarder
  readonly mayRecord: boolean
}

/** One request under way. */
export interface Flight {
  /** The call once it is its turn, and the milliseconds that it waited. @throws UpstreamError */
  readonly ready: () => Promise<{ readonly call: EpochlessCall; readonly waitedMs: number | undefined }>
  /** It has been answered, and the session has learned from it. */
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

  /** A concurrent request that is recording the same; undefined where there is none. */
  whenRecorded({ dependency }: Call): Promise<RequestKey | undefined> | undefined {
    return this.#options.mayRecord ? this.#options.live.inFlight(dependency.scoped) : undefined
  }

  async #whenReady(
    call: Call,
    { turn, uncertainty }: InFlightRequest,
  ): Promise<{ readonly call: EpochlessCall; readonly waitedMs: number | undefined }> {
    const { sessions, calls, live, mayRecord } = this.#options
    const { incoming, parsed } = call
    const waitedMs = turn && (await turn)
    const isKnown = sessions.knownIdentity(incoming.headers, apiParamsOf(parsed.request)) !== undefined
    const caller = mayRecord && !isKnown ? await live.ownRequests.askIdentity(incoming.headers) : undefined
    // Who asks, and after which writes, may be known only now.
    const isUnchanged = waitedMs === undefined && caller === undefined
    return { call: { ...(isUnchanged ? call : await calls.reread(incoming, caller)), uncertainty }, waitedMs }
  }
}
