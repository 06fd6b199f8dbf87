/**
 * One cassette at work: the order in which a request is parsed, gets its key, is looked up, decided and answered.
 * Everything that serves requests (the HTTP server, capture, in-process replay) goes through `answer`.
 */

import type { Exchange, IncomingHeaders, Reply } from '../http/incoming-request.ts'
import type { Listing } from '../paging/joining/listing.ts'
import { type Decision, decide, mayRecord, type Source, sourceOf, type Trials } from '../playback/decide.ts'
import type { Mode } from '../playback/mode.ts'
import type { RequestKey } from '../request/request-key.ts'
import { type Store, whenAtHand } from '../store/store.ts'
import { nextTurn } from '../upstream/next-turn.ts'
import type { Begun } from './cache/engine-cache.ts'
import { type Call, inPresent, type Outcome, type Plan, type ReadCall } from './call.ts'
import { factsAbout } from './call-facts.ts'
import { type EngineOptions, type EngineParts, engineParts } from './engine-parts.ts'
import type { Flight } from './in-flight.ts'
import { endUpdate } from './record/end-update.ts'
import { type FoundHere, nothingFound } from './replay/lookup.ts'
import type { Summary } from './run-summary.ts'
import { learn } from './session/update-session.ts'

export type { EngineOptions } from './engine-parts.ts'

export class Engine {
  readonly store: Store
  readonly mode: Mode
  readonly summary: Summary
  readonly #options: EngineOptions
  readonly #parts: EngineParts

  constructor(options: EngineOptions) {
    this.#options = options
    this.#parts = engineParts(options)
    this.store = options.store
    this.mode = this.#parts.run.mode
    this.summary = this.#parts.log.summary
  }

  /** Answers one request. @throws UpstreamError where the wiki had to be asked and could not be. */
  async answer(exchange: Exchange): Promise<Reply> {
    const { log, cache, calls } = this.#parts
    const entry = log.start(exchange)
    cache.dropIfChanged()
    try {
      const begun = calls.isForOtherWiki(exchange) ? undefined : cache.begin(exchange)
      const cached = begun && cache.get(begun)
      if (cached !== undefined) return entry.cached(cached)
      return entry.done(await this.#answerUncached(exchange, begun))
    } catch (error) {
      throw entry.failed(error)
    }
  }

  async #answerUncached(exchange: Exchange, begun: Begun | undefined): Promise<Reply> {
    const { calls, inFlight, cache } = this.#parts
    const read = await calls.read(exchange)
    // Nothing is awaited from here to the lookup but its turn: the session could go on in between.
    const call = calls.inEpoch(read)
    const flight = call.otherWiki ? undefined : inFlight?.join(call)
    try {
      if (flight !== undefined) return await this.#answerInTurn(flight)
      const outcome = await whenAtHand((again) => this.#answerCall(again ? calls.inEpoch(read) : call))
      this.#learn(call, outcome)
      if (begun !== undefined) cache.put(begun, call, outcome)
      return outcome.reply
    } finally {
      flight?.end()
    }
  }

  /** While recording. Who asks, and after which writes, may be known only when it is its turn. */
  async #answerInTurn(flight: Flight): Promise<Reply> {
    const { call, held } = await flight.ready()
    const outcome = await this.#answerCall(this.#parts.calls.inEpoch(call))
    this.#learn(call, outcome)
    return held === undefined ? outcome.reply : { ...outcome.reply, held }
  }

  async #answerCall(call: Call): Promise<Outcome> {
    const { inFlight, lookup, replayer, run } = this.#parts
    const isReadable = !call.otherWiki && !isUnread(call)
    let recorded: RequestKey | undefined
    // Others may have begun to record the same when this one is told.
    for (;;) {
      const same = isReadable ? inFlight?.same(call) : undefined
      if (same === undefined) break
      recorded = await same
    }
    const found = isReadable ? lookup.find(call) : nothingFound
    const strict = this.store.manifest.match === 'strict'
    const facts = factsAbout(call, { strict, found, recorded }, run, this.#options.sessions)
    const source = sourceOf(found.match, facts)
    if (source === 'recording' && replayer.isSlow(found)) await nextTurn()
    const decision = decide(found.match, facts, this.#try(source, call, found))
    return this.#carryOut(decision, inPresent(call), found)
  }

  /** Answers are made before it is decided whether they are sent. */
  #try(source: Source, call: Call, found: FoundHere): Trials<Plan> {
    const { tokens, replayer, synthesiser, loops } = this.#parts
    const nothing = { kind: 'nothing' } as const
    if (source === 'wiki' || source === 'none') return { badToken: undefined, trial: nothing }
    const badToken = tokens.plan(call, found)
    if (badToken !== undefined || source === 'only-token') return { badToken, trial: nothing }
    const now = this.#options.now()
    const trial = source === 'recording' ? replayer.plan(call, found) : synthesiser.plan(call, loops, now)
    return { badToken, trial }
  }

  #carryOut(decision: Decision<Plan>, call: Call, found: FoundHere): Outcome | Promise<Outcome> {
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

  #learn(call: ReadCall, outcome: Outcome): void {
    learn(call, outcome, this.#options.sessions, this.store.manifest.site)
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
  async keepPageStates(titles: readonly string[], headers: IncomingHeaders): Promise<void> {
    if (titles.length > 0) await this.#parts.live?.ownRequests.keepPageStates(titles, headers)
  }

  /** Recorded listings, batches joined. @param folders that they lie in; all unless given */
  listings(folders: Iterable<string> = this.store.folders()): readonly Listing[] {
    return [...folders].flatMap((folder) => this.#parts.synthesiser.listingsIn(folder).all())
  }

  /**
   * Finishes the run: what `update` was not asked again is dropped, and everything is forced to the disk.
   * @param used what the run used through any engine of this cassette
   * @param doubt why it is not certain that all was asked for again that is needed
   */
  close(used: ReadonlySet<RequestKey>, doubt: string | undefined): void {
    const { live } = this.#parts
    live?.close()
    live?.recorder.searchWritten()
    if (live !== undefined && this.mode === 'update')
      endUpdate(this.store, live.recorder, this.summary, { used, doubt, now: this.#options.now() })
    this.store.checkpoint()
  }
}

const isUnread = ({ understood: { request } }: Call): boolean =>
  request.kind === 'api' && request.unread !== undefined
