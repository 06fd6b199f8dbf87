/**
 * One cassette at work: the order in which a request is parsed, gets its key, is looked up, decided and answered.
 * Everything that serves requests (the HTTP server, capture, in-process replay) goes through `answer`.
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
import type { CacheSlot } from './cache/engine-cache.ts'
import { type AnswerPlan, type Call, type CallOutcome, type EpochlessCall, inCurrentEpoch } from './call.ts'
import { factsOfCall } from './call-facts.ts'
import { connectParts, type EngineOptions, type EngineParts } from './engine-parts.ts'
import type { Flight } from './in-flight.ts'
import { endUpdate } from './record/end-update.ts'
import { type LookupResult, noMatch } from './replay/lookup.ts'
import type { RunSummary } from './run-summary.ts'
import { updateSession } from './session/update-session.ts'

export type { EngineOptions } from './engine-parts.ts'

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

  /** Answers one request. @throws UpstreamError where the wiki had to be asked and could not be. */
  async handle(incoming: IncomingRequest): Promise<Reply> {
    const { log, cache, calls } = this.#parts
    const entry = log.start(incoming)
    cache.dropIfChanged()
    try {
      const cacheSlot = calls.isForOtherWiki(incoming) ? undefined : cache.slotFor(incoming)
      const cached = cacheSlot && cache.get(cacheSlot)
      if (cached !== undefined) return entry.cached(cached)
      return entry.done(await this.#handleUncached(incoming, cacheSlot))
    } catch (error) {
      throw entry.failed(error)
    }
  }

  async #handleUncached(incoming: IncomingRequest, cacheSlot: CacheSlot | undefined): Promise<Reply> {
    const { calls, inFlight, cache } = this.#parts
    const read = await calls.read(incoming)
    // Nothing is awaited from here to the lookup but its turn: the session could go on in between.
    const call = calls.withDependency(read)
    const flight = call.otherWiki ? undefined : inFlight?.join(call)
    try {
      if (flight !== undefined) return await this.#handleInTurn(flight)
      const outcome = await retryWhenLoaded((isRetry) =>
        this.#handleCall(isRetry ? calls.withDependency(read) : call),
      )
      this.#updateSession(call, outcome)
      if (cacheSlot !== undefined) cache.put(cacheSlot, call, outcome)
      return outcome.reply
    } finally {
      flight?.end()
    }
  }

  /** While recording. Who asks, and after which writes, may be known only when it is its turn. */
  async #handleInTurn(flight: Flight): Promise<Reply> {
    const { call, waitedMs } = await flight.ready()
    const outcome = await this.#handleCall(this.#parts.calls.withDependency(call))
    this.#updateSession(call, outcome)
    return waitedMs === undefined ? outcome.reply : { ...outcome.reply, waitedMs }
  }

  async #handleCall(call: Call): Promise<CallOutcome> {
    const { inFlight, lookup, replayer, run } = this.#parts
    const isReadable = !call.otherWiki && !hasUnreadBody(call)
    let recordedKey: RequestKey | undefined
    // Others may have begun to record the same when this one is told.
    for (;;) {
      const recording = isReadable ? inFlight?.whenRecorded(call) : undefined
      if (recording === undefined) break
      recordedKey = await recording
    }
    const found = isReadable ? lookup.find(call) : noMatch
    const strict = this.store.manifest.match === 'strict'
    const facts = factsOfCall(call, { strict, found, recordedKey }, run, this.#options.sessions)
    const source = answerSource(found.match, facts)
    if (source === 'recording' && replayer.isSlowToRender(found)) await nextTurn()
    const decision = decide(found.match, facts, this.#makeTrials(source, call, found))
    return this.#carryOut(decision, inCurrentEpoch(call), found)
  }

  /** Answers are made before it is decided whether they are sent. */
  #makeTrials(source: AnswerSource, call: Call, found: LookupResult): TrialResults<AnswerPlan> {
    const { tokens, replayer, synthesiser, loops } = this.#parts
    const nothing = { kind: 'nothing' } as const
    if (source === 'wiki' || source === 'none') return { badToken: undefined, trial: nothing }
    const badToken = tokens.plan(call, found)
    if (badToken !== undefined || source === 'only-token') return { badToken, trial: nothing }
    const now = this.#options.now()
    const trial = source === 'recording' ? replayer.plan(call, found) : synthesiser.plan(call, loops, now)
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
        return replayer.replay(call, decision.plan)
      case 'synthesise':
        return replayer.sendSynthesised(call, decision.plan)
      case 'bad-token':
        return tokens.refuse(decision.plan)
      case 'forward':
        if (live === undefined) throw new Error('mode none forwards nothing')
        return live.forward(call, found, decision.record)
      case 'miss':
        return misses.report(call, decision.cause)
    }
  }

  #updateSession(call: EpochlessCall, outcome: CallOutcome): void {
    updateSession(call, outcome, this.#options.sessions, this.store.manifest.site)
  }

  /**
   * Keeps what the wiki says of all its modules.
   * @param headers tell the wiki who asks: their cookie and authorization go with the question
   * @returns how many; 0 where it says nothing, or nothing may be recorded. @throws UpstreamError
   */
  async describeAll(headers: IncomingHeaders): Promise<number> {
    const { live, run } = this.#parts
    return live !== undefined && mayRecord(run.mode, run.isNew) ? live.ownRequests.describeAll(headers) : 0
  }

  /** Keeps what the wiki says of these modules, before requests ask for it one by one. @throws StoreError */
  async describe(paths: readonly string[], headers: IncomingHeaders): Promise<void> {
    await this.#parts.live?.ownRequests.describe(paths, headers)
  }

  /**
   * Keeps the state of these pages beside the recordings; a wiki that does not tell it is no reason to fail.
   * @param titles at most 500 are asked for. @param headers tell the wiki who asks. @throws StoreError
   */
  async recordPageStates(titles: readonly string[], headers: IncomingHeaders): Promise<void> {
    if (titles.length > 0) await this.#parts.live?.ownRequests.recordPageStates(titles, headers)
  }

  /** Recorded listings, batches joined. @param folders that they lie in; all unless given */
  listings(folders: Iterable<string> = this.store.folders()): readonly Listing[] {
    return [...folders].flatMap((folder) => this.#parts.synthesiser.listingsIn(folder).all())
  }

  /**
   * Finishes the run: what `update` was not asked again is dropped, and everything is forced to the disk.
   * @param used what the run used through any engine of this cassette
   * @param uncertainty why it is not certain that all was asked for again that is needed
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

const hasUnreadBody = ({ parsed: { request } }: Call): boolean =>
  request.kind === 'api' && request.unread !== undefined
