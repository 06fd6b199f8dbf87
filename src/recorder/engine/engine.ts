/** One cassette at work: the order in which a request is parsed, gets its key, is looked up, decided and answered. */
import type { IncomingRequest, Reply } from '../http/incoming-request.ts'
import { unlessModified } from '../http/render-reply.ts'
import { type Decision, decide } from '../playback/decide.ts'
import type { Match } from '../playback/lookup/match.ts'
import type { RequestKey } from '../request/request-key.ts'
import { retryWhenLoaded } from '../store/pending-read.ts'
import type { Store } from '../store/store.ts'
import type { AnswerPlan, Call, EpochlessCall } from './call.ts'
import type { EngineOptions } from './engine-options.ts'
import { connectParts, type EngineParts } from './engine-parts.ts'
import { joinFlight } from './in-flight.ts'
import type { OwnRequests } from './own-requests/own-requests.ts'
import { PendingLogEntry } from './pending-log-entry.ts'
import { factsOfCall, sendAnswer, sendTrouble, tryToAnswer } from './replay/replayer.ts'
import type { Synthesizer } from './replay/synthesizer.ts'
import type { RunSummary } from './run-summary.ts'
import { noteUnanswered, updateSession } from './session/update-session.ts'

export class Engine {
  readonly store: Store
  readonly summary: RunSummary
  readonly synthesizer: Synthesizer
  /** What wikitape itself asks of the wiki; undefined where nothing may be recorded. */
  readonly ownRequests: OwnRequests | undefined
  readonly #parts: EngineParts

  constructor(options: EngineOptions) {
    this.#parts = connectParts(options)
    this.store = options.store
    this.summary = this.#parts.context.summary
    this.synthesizer = this.#parts.synthesizer
    this.ownRequests = this.#parts.ownRequests
  }

  /** @throws UpstreamError where the wiki had to be asked and did not answer */
  async handle(incoming: IncomingRequest): Promise<Reply> {
    const { context, cache } = this.#parts
    const entry = new PendingLogEntry(incoming, context)
    if (this.store.refresh) await this.store.refresh()
    try {
      const cached = cache.get(incoming)
      if (cached) return unlessModified(entry.cached(cached), incoming)
      return unlessModified(
        entry.done(await this.#handleUncached(incoming, entry)),
        incoming
      )
    } catch (error) {
      throw entry.failed(error)
    }
  }

  async #handleUncached(incoming: IncomingRequest, entry: PendingLogEntry) {
    const { calls, live, cache, shared } = this.#parts
    const snapshot = cache.snapshot()
    await shared?.load(incoming)
    const parsed = await calls.read(incoming)
    // While recording, a request that races with a write of its session waits.
    const flight =
      live && !parsed.otherWiki
        ? joinFlight(calls.inEpoch(parsed), this.#parts)
        : undefined
    try {
      const call = flight ? await flight.ready() : parsed
      entry.call = call
      const outcome = await this.#answer(call)
      cache.put(call, outcome, snapshot)
      return outcome.reply
    } finally {
      flight?.end()
    }
  }

  /** Again where another replica has answered a request of this session meanwhile. */
  async #answer(call: EpochlessCall) {
    const { context, shared } = this.#parts
    for (;;) {
      // From here to the decision nothing is awaited without need: the session could change in between.
      const outcome = await this.#answerOnce(call)
      const session = updateSession(call, outcome, context.sessions, this.store)
      if ((await shared?.save(session, outcome.response?.cookies)) !== false)
        return outcome
      await shared?.load(call.incoming)
    }
  }

  async #answerOnce(call: EpochlessCall) {
    const { calls } = this.#parts
    try {
      return await retryWhenLoaded(() => this.#decideAndAnswer(calls.inEpoch(call)))
    } catch (error) {
      noteUnanswered(
        call,
        calls.inEpoch(call).dependency.scoped.key,
        this.store.manifest.site
      )
      throw error
    }
  }

  async #decideAndAnswer(call: Call) {
    const { context, live, lookup } = this.#parts
    let recordedKey: RequestKey | undefined
    // Several may wait for one recording; if it fails, the first of them records and the others wait again.
    for (let other = live?.recordingOf(call); other; other = live?.recordingOf(call))
      recordedKey = await other
    const found = lookup(call)
    const facts = factsOfCall(context, call, found, recordedKey)
    const decision = decide(
      found.match,
      facts,
      tryToAnswer(call, found, facts, this.#parts)
    )
    return this.#carryOut(decision, call, found.match)
  }

  #carryOut(decision: Decision<AnswerPlan>, call: Call, match: Match) {
    const { live, reportMiss } = this.#parts
    switch (decision.kind) {
      case 'replay':
      case 'synthesize':
      case 'bad-token':
        return sendAnswer(call, decision.plan, this.#parts)
      case 'trouble':
        return sendTrouble(decision.trouble, decision.plan, call, this.#parts)
      case 'forward':
        if (!live) throw new Error('mode none forwards nothing')
        return live.forward(call, match, decision.record)
      case 'miss':
        return reportMiss(call, decision.cause)
    }
  }

  /** Ends the run, and forces everything to the disk. @param used and uncertainty as `endUpdate` takes them */
  close(used: ReadonlySet<RequestKey>, uncertainty: string | undefined): void {
    this.#parts.live?.close(used, uncertainty)
    this.store.checkpoint()
  }

  /** Recordings of this run that somebody else has deleted. */
  countLost(): number {
    const lost = this.#parts.live?.writer.written.countLost() ?? 0
    this.summary.lost = lost
    return lost
  }

  /** Loads from a remote store what `close` reads. */
  async loadWritten(): Promise<void> {
    await this.#parts.live?.writer.written.load()
  }
}
