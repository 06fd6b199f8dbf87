/**
 * One cassette at work: a request is understood, derived, matched, decided, and done. Everything that serves
 * requests (the HTTP server, capture, in-process replay) goes through `answer`.
 */
import { LRUCache } from 'lru-cache'
import type { RecordedResponse } from '../cassette/interaction.ts'
import type { Listing } from '../paging/listing.ts'
import { type Decision, decide } from '../playback/decide.ts'
import { findMatch, type Match } from '../playback/match.ts'
import type { MissPolicy } from '../playback/miss-policy.ts'
import type { Mode } from '../playback/mode.ts'
import type { MissReason } from '../playback/near-miss.ts'
import type { WikiRequest } from '../request/api-request.ts'
import { type Derivation, derive } from '../request/derive.ts'
import type { RequestKey } from '../request/key.ts'
import type { CassetteStore } from '../store/cassette-store.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import { factsOf } from './describe.ts'
import type { Exchange, Reply } from './exchange.ts'
import { Forwarder, type Live, type Question } from './forwarder.ts'
import { missInfo, missReply } from './miss.ts'
import { explainMiss } from './miss-report.ts'
import { renderReply } from './respond.ts'
import { Summary } from './summary.ts'
import { Synthesiser } from './synthesiser.ts'
import { understand } from './wiki-request.ts'

export interface EngineOptions {
  readonly store: CassetteStore
  readonly mode: Mode
  readonly live: Live | undefined
  /** HTTP status of a miss. */
  readonly missStatus: number
  readonly onMiss: MissPolicy
  readonly recordErrors: boolean
  /** True where nobody records into this cassette, so that a ready reply stays right. */
  readonly steady: boolean
  /** The present in milliseconds. */
  readonly now: () => number
  /** Told in one line what a person at the terminal should see. */
  readonly report: (line: string) => void
}

/** Bytes of ready replies that are kept. */
const memoBytes = 256 * 1024 * 1024

export class Engine {
  readonly store: CassetteStore
  readonly mode: Mode
  readonly summary: Summary = new Summary()
  readonly #options: EngineOptions
  /** Undefined in replay, so that nothing can go out. */
  readonly #forwarder: Forwarder | undefined
  readonly #synthesiser: Synthesiser
  readonly #isNew: boolean
  readonly #turns = new Map<string, number>()
  readonly #memo = new LRUCache<string, Reply>({
    maxSize: memoBytes,
    sizeCalculation: (one) => one.body.length + 500,
  })

  constructor(options: EngineOptions) {
    this.store = options.store
    this.mode = options.mode
    this.#options = options
    this.#isNew = options.store.size === 0
    this.#synthesiser = new Synthesiser(options.store)
    const { live } = options
    this.#forwarder = live && new Forwarder({ ...options, live }, this.summary)
  }

  /** Answers one request. @throws UpstreamError where the wiki had to be asked and could not be. */
  async answer(exchange: Exchange): Promise<Reply> {
    const memo = this.#remembered(exchange)
    if (memo !== undefined) return memo
    const understood = await understand(exchange)
    try {
      const derivation = await this.#derive(understood.request, exchange)
      return await this.#answerDerived({ exchange, understood, derivation })
    } catch (error) {
      if (error instanceof UpstreamError && error.fault !== 'aborted') this.summary.unanswered += 1
      throw error
    }
  }

  /** Every recorded listing, batches joined. */
  listings(): readonly Listing[] {
    return this.store.folders().flatMap((folder) => this.#synthesiser.listingsIn(folder).all())
  }

  /**
   * Finishes the run: what `update` was not asked again is dropped, and everything is forced to the disk.
   * @param used what the run used through any engine of this cassette; undefined where it was broken off
   */
  close(used: ReadonlySet<RequestKey> | undefined): void {
    this.#forwarder?.close()
    if (used !== undefined && this.mode === 'update' && this.summary.unanswered === 0)
      this.#forwarder?.dropUnused(used)
    this.store.checkpoint()
  }

  /** A ready reply to the same GET, where nothing but the URL can have gone into it. */
  #remembered(exchange: Exchange): Reply | undefined {
    if (!isPlainGet(exchange)) return undefined
    const memo = this.#memo.get(exchange.target)
    if (memo !== undefined) this.summary.replayed += 1
    return memo
  }

  async #derive(request: WikiRequest, exchange: Exchange): Promise<Derivation> {
    return this.#forwarder !== undefined && this.#mayRecord()
      ? this.#forwarder.derive(request, exchange.headers)
      : derive(request, factsOf(this.store))
  }

  /** Modes that record nothing must not make a cassette by asking the wiki what its modules are like. */
  #mayRecord(): boolean {
    if (this.mode === 'none' || this.mode === 'passthrough') return false
    return this.mode !== 'once' || this.#isNew
  }

  async #answerDerived(question: Question): Promise<Reply> {
    const { derivation } = question
    let recorded = false
    // No turn of the event loop may lie between the end of this wait and the start of the next request.
    for (let twin = this.#twin(derivation); twin !== undefined; twin = this.#twin(derivation))
      recorded = await twin
    const { request } = question.understood
    const { site } = this.store.manifest
    const match = findMatch(request, derivation, (key, canonical) => this.#find(key, canonical), site)
    const decision = this.#decide(match, recorded)
    switch (decision.kind) {
      case 'replay':
        return this.#replay(question, decision.match)
      case 'forward':
        return this.#forward(question, match, decision.record)
      case 'synthesise':
        return this.#synthesise(request, derivation, whyNot(match))
      case 'refuse':
        return this.#refuse(request, derivation, whyNot(match))
    }
  }

  /** A request that waited for its twin is served what that one recorded, in every mode. */
  #decide(match: Match, recorded: boolean): Decision {
    if (recorded && match.kind === 'recorded') return { kind: 'replay', match }
    return decide(this.mode, match, this.#isNew, this.#options.onMiss)
  }

  /** The same request under way, where it is worth waiting for. */
  #twin(derivation: Derivation): Promise<boolean> | undefined {
    return this.#mayRecord() ? this.#forwarder?.underWay(derivation) : undefined
  }

  #forward(question: Question, match: Match, record: boolean): Promise<Reply> | Reply {
    if (this.#forwarder === undefined) return this.#refuse(question.understood.request, question.derivation)
    return record ? this.#forwarder.record(question, match) : this.#forwarder.pass(question)
  }

  #find(
    ...[key, canonical]: Parameters<CassetteStore['refind']>
  ): ReturnType<Parameters<typeof findMatch>[2]> {
    const found = this.store.refind(key, canonical)
    if (found.kind === 'broken') {
      const { line, column, message } = found.fault
      this.#options.report(
        `broken recording ${found.path}:${line}:${column}: ${message}; mend it or record it again`,
      )
    }
    return found.kind === 'found' ? found.interaction : undefined
  }

  #replay(question: Question, match: Extract<Match, { kind: 'recorded' }>): Reply {
    const { exchange, derivation } = question
    const { request } = question.understood
    const response = this.#nextResponse(exchange.session, match)
    const reply = renderReply(response, request, {
      status: 'replayed',
      key: match.key,
      now: this.#options.now(),
    })
    if (typeof reply === 'string')
      return this.#refuse(request, derivation, `It cannot be served in this envelope: ${reply}.`)
    this.summary.replayed += 1
    this.summary.used.add(match.key)
    const same = match.responses.length === 1 && response.cookies.length === 0
    if (this.#options.steady && same && isPlainGet(exchange)) this.#memo.set(exchange.target, reply)
    return reply
  }

  /** Several responses are a sequence for each session; the last one repeats. */
  #nextResponse(session: string, match: Extract<Match, { kind: 'recorded' }>): RecordedResponse {
    const [first] = match.responses
    if (match.responses.length === 1) return first
    const place = `${session}\n${match.key}`
    const turn = this.#turns.get(place) ?? 0
    this.#turns.set(place, turn + 1)
    return match.responses[Math.min(turn, match.responses.length - 1)] ?? first
  }

  /** An answer that nobody recorded, where recorded batches prove it; otherwise a miss that says what is lacking. */
  #synthesise(request: WikiRequest, derivation: Derivation, why: string | undefined): Reply {
    const found = this.#synthesiser.answer(request, derivation)
    if (found.kind === 'nothing') return this.#refuse(request, derivation, why)
    if (found.kind === 'lacking') return this.#refuse(request, derivation, found.what, found.reason)
    const serving = { status: 'synthesized', key: derivation.key, now: this.#options.now() } as const
    const reply = renderReply(found.response, request, serving)
    if (typeof reply === 'string') return this.#refuse(request, derivation, reply)
    this.summary.synthesized += 1
    for (const key of found.from) this.summary.used.add(key)
    return { ...reply, from: found.from }
  }

  #refuse(request: WikiRequest, derivation: Derivation, why?: string, reason?: MissReason): Reply {
    const miss = explainMiss(request, derivation, this.store, why, reason)
    if (!this.summary.misses.has(miss.key))
      this.#options.report(`miss ${miss.key} (${miss.reason}): ${missInfo(miss)}`)
    this.summary.miss(miss)
    return missReply(miss, request, this.#options.missStatus)
  }
}

/** Nothing but the URL goes into the answer: no cookie, no session, no other origin, no credentials. */
const isPlainGet = ({ method, session, headers }: Exchange): boolean =>
  method === 'GET' &&
  session === '' &&
  headers['cookie'] === undefined &&
  headers['authorization'] === undefined

/** What stood in the way of a recording that is there. */
const whyNot = (match: Match): string | undefined =>
  match.kind === 'other-order' ? `It was recorded in another order, and ${match.why}.` : undefined
