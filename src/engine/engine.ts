/**
 * One cassette at work: the order in which a request is parsed, gets its key, is looked up, decided and answered.
 * The HTTP server, capture and in-process replay all go through `handle`. The parts that do the work are in the rooms
 * of this folder; `engine-parts.ts` connects them.
 */
import type { IncomingRequest, Reply } from '../http/incoming-request.ts'
import { answerSource, type Decision, decide } from '../playback/decide.ts'
import type { Mode } from '../playback/mode.ts'
import type { RequestKey } from '../request/request-key.ts'
import { retryWhenLoaded, type Store } from '../store/store.ts'
import { nextTurn } from '../upstream/next-turn.ts'
import {
  type AnswerPlan,
  apiParamsOf,
  type Call,
  type CallOutcome,
  callerOf,
  type EpochlessCall,
  inCurrentEpoch,
  isMatchable,
} from './call.ts'
import type { EngineOptions } from './engine-options.ts'
import { connectParts, type EngineParts } from './engine-parts.ts'
import type { OwnRequests } from './own-requests/own-requests.ts'
import { tryToAnswer } from './replay/answer-trials.ts'
import { type LookupResult, noMatch } from './replay/lookup.ts'
import { sendTrouble } from './replay/send-trouble.ts'
import type { Synthesizer } from './replay/synthesizer.ts'
import type { PendingLogEntry, RunSummary } from './run-summary.ts'
import { SharedSessions } from './session/shared-sessions.ts'
import { updateSession } from './session/update-session.ts'

export class Engine {
  readonly store: Store
  readonly mode: Mode
  readonly summary: RunSummary
  readonly synthesizer: Synthesizer
  /** What wikitape itself asks of the wiki; undefined where nothing may be recorded. */
  readonly ownRequests: OwnRequests | undefined
  readonly #options: EngineOptions
  readonly #parts: EngineParts
  /** In a replay by several replicas. */
  readonly #shared: SharedSessions | undefined

  constructor(options: EngineOptions) {
    this.#options = options
    this.#parts = connectParts(options)
    this.store = options.store
    this.mode = this.#parts.run.mode
    const { store, sessions, live } = options
    this.#shared =
      live === undefined && store.sessions ? new SharedSessions(store.sessions, sessions) : undefined
    this.summary = this.#parts.log.summary
    this.synthesizer = this.#parts.synthesizer
    this.ownRequests = this.#parts.ownRequests
  }

  /** @throws UpstreamError where the wiki had to be asked and did not answer */
  async handle(incoming: IncomingRequest): Promise<Reply> {
    const { log, cache } = this.#parts
    const entry = log.start(incoming)
    const refreshed = this.store.refresh?.()
    if (refreshed !== undefined) await refreshed
    cache.dropIfChanged()
    try {
      const cached = cache.get(incoming)
      if (cached !== undefined) return entry.cached(cached)
      return entry.done(await this.#handleUncached(incoming, entry))
    } catch (error) {
      throw entry.failed(error)
    }
  }

  async #handleUncached(incoming: IncomingRequest, entry: PendingLogEntry): Promise<Reply> {
    const { calls, inFlight, cache } = this.#parts
    const snapshot = cache.snapshot()
    await this.#shared?.load(incoming)
    const parsed = await calls.read(incoming)
    entry.params = apiParamsOf(parsed.parsed.request)
    // While recording, a request that races with a write of its session waits.
    const flight = parsed.otherWiki ? undefined : inFlight?.join(calls.inEpoch(parsed))
    try {
      const call = flight === undefined ? parsed : await flight.ready()
      const outcome = await this.#answer(call)
      cache.put(call, outcome, snapshot)
      entry.caller = callerOf(call)
      return call.waitedMs === undefined ? outcome.reply : { ...outcome.reply, waitedMs: call.waitedMs }
    } finally {
      flight?.end()
    }
  }

  /** Again where another replica has answered a request of this session meanwhile. */
  async #answer(call: EpochlessCall): Promise<CallOutcome> {
    const { sessions } = this.#options
    for (;;) {
      // From here to the decision nothing is awaited without need: the session could change in between.
      const outcome = await retryWhenLoaded(() => this.#handleCall(this.#parts.calls.inEpoch(call)))
      const session = updateSession(call, outcome, sessions, this.store.manifest.site)
      if ((await this.#shared?.save(session, outcome.response?.cookies)) !== false) return outcome
      await this.#shared?.load(call.incoming)
    }
  }

  async #handleCall(call: Call): Promise<CallOutcome> {
    const { inFlight, lookup, factsOf, replayer } = this.#parts
    let recordedKey: RequestKey | undefined
    // Several may wait for one recording; if it fails, the first of them records and the others wait again.
    for (let other = inFlight?.recordingOf(call); other !== undefined; other = inFlight?.recordingOf(call))
      recordedKey = await other
    const found = isMatchable(call) ? lookup.find(call) : noMatch
    const facts = factsOf(call, found, recordedKey)
    const source = answerSource(found.match, facts)
    if (source === 'recording' && replayer.isSlowToRender(found)) await nextTurn()
    const decision = decide(found.match, facts, tryToAnswer(source, call, found, this.#parts))
    return this.#carryOut(decision, inCurrentEpoch(call), found)
  }

  #carryOut(
    decision: Decision<AnswerPlan>,
    call: Call,
    found: LookupResult,
  ): CallOutcome | Promise<CallOutcome> {
    const { replayer, tokens, live, loadMisses } = this.#parts
    switch (decision.kind) {
      case 'replay':
      case 'synthesize':
        return replayer.send(call, decision.plan)
      case 'trouble':
        return sendTrouble(decision.trouble, decision.plan, call, { ...this.#options, ...this.#parts })
      case 'bad-token':
        return tokens.refuse(decision.plan)
      case 'forward':
        if (live === undefined) throw new Error('mode none forwards nothing')
        return live.forward(call, found, decision.record)
      case 'miss':
        return loadMisses().then((misses) => misses.report(call, decision.cause))
    }
  }

  /** Loads from a remote store what `close` reads. */
  async loadWritten(): Promise<void> {
    await this.#parts.live?.writer.loadWritten()
  }

  /**
   * Ends the run: mode `update` drops what was not requested again, and everything is forced to the disk.
   * @param used what the run used through any engine of this cassette
   * @param uncertainty why `update` may drop nothing
   */
  close(used: ReadonlySet<RequestKey>, uncertainty: string | undefined): void {
    this.#parts.live?.close(used, uncertainty)
    this.store.checkpoint()
  }
}
