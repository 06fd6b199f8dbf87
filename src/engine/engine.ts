/** One cassette at work: the order in which a request is parsed, gets its key, is looked up, decided and answered. */
import type { IncomingRequest, Reply } from '../http/incoming-request.ts'
import { answerSource, type Decision, decide } from '../playback/decide.ts'
import type { Mode } from '../playback/mode.ts'
import type { RequestKey } from '../request/request-key.ts'
import { retryWhenLoaded, type Store } from '../store/store.ts'
import { type AnswerPlan, type Call, type CallOutcome, type EpochlessCall, isMatchable } from './call.ts'
import { factsOfCall } from './call-facts.ts'
import type { EngineOptions } from './engine-options.ts'
import { connectParts, type EngineParts } from './engine-parts.ts'
import type { OwnRequests } from './own-requests/own-requests.ts'
import { type LookupResult, noMatch } from './replay/lookup.ts'
import { sendTrouble } from './replay/send-trouble.ts'
import type { Synthesizer } from './replay/synthesizer.ts'
import { PendingLogEntry, type RunSummary } from './run-summary.ts'
import { updateSession } from './session/update-session.ts'

export class Engine {
  readonly store: Store
  readonly mode: Mode
  readonly summary: RunSummary
  readonly synthesizer: Synthesizer
  /** What wikitape itself asks of the wiki; undefined where nothing may be recorded. */
  readonly ownRequests: OwnRequests | undefined
  readonly #parts: EngineParts

  constructor(options: EngineOptions) {
    this.#parts = connectParts(options)
    this.store = options.store
    this.mode = this.#parts.run.mode
    this.summary = this.#parts.summary
    this.synthesizer = this.#parts.synthesizer
    this.ownRequests = this.#parts.ownRequests
  }

  /** @throws UpstreamError where the wiki had to be asked and did not answer */
  async handle(incoming: IncomingRequest): Promise<Reply> {
    const { options, summary, cache } = this.#parts
    const entry = new PendingLogEntry(incoming, options, summary)
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
    const { calls, inFlight, cache, shared } = this.#parts
    const snapshot = cache.snapshot()
    await shared?.load(incoming)
    const parsed = await calls.read(incoming)
    entry.setParams(parsed)
    // While recording, a request that races with a write of its session waits.
    const flight = parsed.otherWiki ? undefined : inFlight?.join(calls.inEpoch(parsed))
    try {
      const call = flight === undefined ? parsed : await flight.ready()
      const outcome = await this.#answer(call)
      cache.put(call, outcome, snapshot)
      entry.setCaller(call)
      return call.waitedMs === undefined ? outcome.reply : { ...outcome.reply, waitedMs: call.waitedMs }
    } finally {
      flight?.end()
    }
  }

  /** Again where another replica has answered a request of this session meanwhile. */
  async #answer(call: EpochlessCall): Promise<CallOutcome> {
    const { calls, options, shared } = this.#parts
    for (;;) {
      // From here to the decision nothing is awaited without need: the session could change in between.
      const outcome = await retryWhenLoaded(() => this.#handleCall(calls.inEpoch(call)))
      const session = updateSession(call, outcome, options.sessions, this.store.manifest.site)
      if ((await shared?.save(session, outcome.response?.cookies)) !== false) return outcome
      await shared?.load(call.incoming)
    }
  }

  async #handleCall(call: Call): Promise<CallOutcome> {
    const { run, options, inFlight, lookup, replayer } = this.#parts
    let recordedKey: RequestKey | undefined
    // Several may wait for one recording; if it fails, the first of them records and the others wait again.
    for (let other = inFlight?.recordingOf(call); other !== undefined; other = inFlight?.recordingOf(call))
      recordedKey = await other
    const found = isMatchable(call) ? lookup.find(call) : noMatch
    const facts = factsOfCall(run, options, call, found, recordedKey)
    const source = answerSource(found.match, facts)
    const decision = decide(found.match, facts, replayer.tryToAnswer(source, call, found))
    return this.#carryOut(decision, { ...call, derivation: call.dependency.scoped }, found)
  }

  /** @param call under the key that it has after the writes of its session */
  #carryOut(
    decision: Decision<AnswerPlan>,
    call: Call,
    found: LookupResult,
  ): CallOutcome | Promise<CallOutcome> {
    const { replayer, tokens, live, reportMiss } = this.#parts
    switch (decision.kind) {
      case 'replay':
      case 'synthesize':
        return replayer.send(call, decision.plan)
      case 'trouble':
        return sendTrouble(decision.trouble, decision.plan, call, this.#parts)
      case 'bad-token':
        return tokens.refuse(decision.plan)
      case 'forward':
        if (live === undefined) throw new Error('mode none forwards nothing')
        return live.forward(call, found, decision.record)
      case 'miss':
        return reportMiss(call, decision.cause)
    }
  }

  /** Loads from a remote store what `close` reads. */
  async loadWritten(): Promise<void> {
    await this.#parts.live?.writer.loadWritten()
  }

  /** Ends the run, and forces everything to the disk. @param used and uncertainty as `endUpdate` takes them */
  close(used: ReadonlySet<RequestKey>, uncertainty: string | undefined): void {
    this.#parts.live?.close(used, uncertainty)
    this.store.checkpoint()
  }
}
