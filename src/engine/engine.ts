/**
 * One cassette at work: the order in which a request is parsed, gets its key, is looked up, decided and answered.
 * The HTTP server, capture and in-process replay all go through `handle`. The parts that do the work are in the rooms
 * of this folder; `engine-parts.ts` connects them.
 */
import type { IncomingHeaders, IncomingRequest, Reply } from '../http/incoming-request.ts'
import type { Listing } from '../paging/joining/listing.ts'
import {
  type AnswerSource,
  answerSource,
  type Decision,
  decide,
  mayRecord,
  type TrialResults,
} from '../playback/decide.ts'
import type { Mode } from '../playback/mode.ts'
import type { RequestKey } from '../request/request-key.ts'
import { retryWhenLoaded, type Store } from '../store/store.ts'
import { nextTurn } from '../upstream/next-turn.ts'
import { type AnswerPlan, type Call, type CallOutcome, inCurrentEpoch, isMatchable, replyTo } from './call.ts'
import { factsOfCall } from './call-facts.ts'
import type { EngineOptions } from './engine-options.ts'
import { connectParts, type EngineParts } from './engine-parts.ts'
import type { OwnRequests } from './own-requests/own-requests.ts'
import { endUpdate } from './record/end-update.ts'
import { type LookupResult, noMatch } from './replay/lookup.ts'
import { sendTrouble, troubleOf } from './replay/send-trouble.ts'
import type { RunSummary } from './run-summary.ts'
import { updateSession } from './session/update-session.ts'

export class Engine {
  readonly store: Store
  readonly mode: Mode
  readonly summary: RunSummary
  readonly #options: EngineOptions
  readonly #parts: EngineParts

  constructor(options: EngineOptions) {
    this.#options = options
    this.#parts = connectParts(options)
    this.store = options.store
    this.mode = this.#parts.run.mode
    this.summary = this.#parts.log.summary
  }

  /** @throws UpstreamError where the wiki had to be asked and did not answer */
  async handle(incoming: IncomingRequest): Promise<Reply> {
    const { log, cache, calls } = this.#parts
    const entry = log.start(incoming)
    const refreshed = this.store.refresh?.()
    if (refreshed !== undefined) await refreshed
    cache.dropIfChanged()
    try {
      const isCacheable = this.#options.trouble?.plan === undefined && !calls.isForOtherWiki(incoming)
      const cached = isCacheable ? cache.get(incoming) : undefined
      if (cached !== undefined) return entry.cached(cached)
      return entry.done(await this.#handleUncached(incoming))
    } catch (error) {
      throw entry.failed(error)
    }
  }

  async #handleUncached(incoming: IncomingRequest): Promise<Reply> {
    const { calls, inFlight, cache } = this.#parts
    const snapshot = cache.snapshot()
    const parsed = await calls.read(incoming)
    // While recording, a request that races with a write of its session waits.
    const flight = parsed.otherWiki ? undefined : inFlight?.join(calls.inEpoch(parsed))
    try {
      const call = flight === undefined ? parsed : await flight.ready()
      // From here to the decision nothing is awaited without need: the session could change in between.
      const outcome = await retryWhenLoaded(() => this.#handleCall(calls.inEpoch(call)))
      updateSession(call, outcome, this.#options.sessions, this.store.manifest.site)
      cache.put(call, outcome, snapshot)
      return replyTo(call, outcome)
    } finally {
      flight?.end()
    }
  }

  async #handleCall(call: Call): Promise<CallOutcome> {
    const { lookup, replayer, run } = this.#parts
    let recordedKey: RequestKey | undefined
    // Several may wait for one recording; if it fails, the first of them records and the others wait again.
    for (let other = this.#recordingOf(call); other !== undefined; other = this.#recordingOf(call))
      recordedKey = await other
    const found = isMatchable(call) ? lookup.find(call) : noMatch
    const strict = this.store.manifest.match === 'strict'
    const { sessions, trouble } = this.#options
    const runFacts = { ...run, strict, trouble: troubleOf(call, trouble?.plan) }
    const facts = factsOfCall(call, found, recordedKey, runFacts, sessions)
    const source = answerSource(found.match, facts)
    if (source === 'recording' && replayer.isSlowToRender(found)) await nextTurn()
    const decision = decide(found.match, facts, this.#tryToAnswer(source, call, found))
    return this.#carryOut(decision, inCurrentEpoch(call), found)
  }

  /** A concurrent request that is recording the same. */
  #recordingOf(call: Call): Promise<RequestKey | undefined> | undefined {
    return isMatchable(call) ? this.#parts.inFlight?.recordingOf(call) : undefined
  }

  /** Makes answers without any effect, so that `decide` knows whether there is one. */
  #tryToAnswer(source: AnswerSource, call: Call, found: LookupResult): TrialResults<AnswerPlan> {
    const { tokens, replayer, synthesizer, loops } = this.#parts
    const nothing = { kind: 'nothing' } as const
    if (source === 'wiki' || source === 'none') return { badToken: undefined, trial: nothing }
    const badToken = tokens.plan(call, found)
    if (badToken !== undefined || source === 'only-token') return { badToken, trial: nothing }
    const now = this.#options.now()
    const trial = source === 'recording' ? replayer.plan(call, found) : synthesizer.plan(call, loops, now)
    return { badToken, trial }
  }

  #carryOut(
    decision: Decision<AnswerPlan>,
    call: Call,
    found: LookupResult,
  ): CallOutcome | Promise<CallOutcome> {
    const { replayer, tokens, live, misses } = this.#parts
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
        return misses.report(call, decision.cause)
    }
  }

  /** What wikitape itself asks of the wiki; undefined in replay. */
  get ownRequests(): OwnRequests | undefined {
    return this.#parts.live?.ownRequests
  }

  /** Records what the wiki says of all its modules. @returns how many; 0 where it says nothing or nothing may be recorded */
  async describeAll(headers: IncomingHeaders): Promise<number> {
    const { mode, isNew } = this.#parts.run
    return mayRecord(mode, isNew) ? ((await this.ownRequests?.describeAll(headers)) ?? 0) : 0
  }

  /** Recorded listings, batches joined. @param folders to look in; all unless given */
  listings(folders: Iterable<string> = this.store.folders()): readonly Listing[] {
    return [...folders].flatMap((folder) => this.#parts.synthesizer.listingsIn(folder).all())
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
    const { live } = this.#parts
    live?.close()
    live?.writer.reportLateLeaks()
    if (live !== undefined && this.mode === 'update')
      endUpdate(this.#options, this.summary, used, uncertainty)
    this.store.checkpoint()
  }
}
