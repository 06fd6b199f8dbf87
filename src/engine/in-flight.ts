/** Requests under way while recording: each waits for what of its session can change its answer. */
import type { RequestKey } from '../request/request-key.ts'
import type { Store } from '../store/store.ts'
import { type Call, paramsOf, type ReadCall } from './call.ts'
import type { Calls } from './call-reader.ts'
import type { LiveForwarder } from './record/live-forwarder.ts'
import type { Sessions } from './session/session-registry.ts'
import { type Passage, Races } from './session/write-races.ts'

export interface InFlightOptions {
  readonly store: Store
  readonly sessions: Sessions
  readonly calls: Calls
  readonly live: LiveForwarder
  readonly mayRecord: boolean
}

/** One request under way. */
export interface Flight {
  /** The call once it is its turn, and the milliseconds that it waited. @throws UpstreamError */
  readonly ready: () => Promise<{ readonly call: ReadCall; readonly held: number | undefined }>
  /** It has been answered, and the session has learned from it. */
  readonly end: () => void
}

export class InFlight {
  readonly #options: InFlightOptions
  readonly #races = new Races()

  constructor(options: InFlightOptions) {
    this.#options = options
  }

  join(call: Call): Flight {
    const { store, sessions } = this.#options
    const passage = this.#races.begin(call, store.manifest.site, call.session === sessions.common)
    return { ready: () => this.#whenReady(call, passage), end: passage.end }
  }

  /** A concurrent request that is recording the same; undefined where there is none. */
  same({ standing }: Call): Promise<RequestKey | undefined> | undefined {
    return this.#options.mayRecord ? this.#options.live.inFlight(standing.place) : undefined
  }

  async #whenReady(
    call: Call,
    { turn, doubt }: Passage,
  ): Promise<{ readonly call: ReadCall; readonly held: number | undefined }> {
    const { sessions, calls, live, mayRecord } = this.#options
    const { exchange, understood } = call
    const held = turn && (await turn)
    const isKnown = sessions.knownIdentity(exchange.headers, paramsOf(understood.request)) !== undefined
    const caller = mayRecord && !isKnown ? await live.ownRequests.askIdentity(exchange.headers) : undefined
    // Who asks, and after which writes, may be known only now.
    const isSame = held === undefined && caller === undefined
    return { call: { ...(isSame ? call : await calls.readAgain(exchange, caller)), doubt }, held }
  }
}
