/**
 * One cassette at work: a request is understood, derived, matched, decided, and done. Everything that serves
 * requests (the HTTP server, capture, in-process replay) goes through `answer`.
 */
import { dayOf } from '../cassette/manifest.ts'
import { apiPathOf } from '../cassette/same-wiki.ts'
import type { Listing } from '../paging/joining/listing.ts'
import { type Decision, decide } from '../playback/decide.ts'
import type { Found } from '../playback/find.ts'
import type { Match } from '../playback/match.ts'
import type { MissPolicy } from '../playback/miss-policy.ts'
import type { Mode } from '../playback/mode.ts'
import { placesOf, standingOf } from '../playback/places.ts'
import type { Session } from '../playback/session.ts'
import { discreet } from '../privacy/discreet.ts'
import { Ledger } from '../privacy/ledger.ts'
import type { Identity, UnreadBody, WikiRequest } from '../request/api-request.ts'
import { type Derivation, derive } from '../request/derive.ts'
import type { RequestKey } from '../request/key.ts'
import { StoreError } from '../store/errors.ts'
import type { FileSignatures } from '../store/file-signature.ts'
import { type Store, whenAtHand } from '../store/store.ts'
import { nextTurn } from '../upstream/turn.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import { hasWorked, isBadToken, TokenGuard } from './bad-token.ts'
import { factsOf } from './describe.ts'
import { Epochs } from './epochs.ts'
import {
  type CassetteStatus,
  type Exchange,
  headerText,
  type IncomingHeaders,
  type Reply,
  targetParts,
} from './exchange.ts'
import { Forwarder, type Live } from './forwarder.ts'
import { learn } from './learn.ts'
import { holds } from './look.ts'
import { type FoundHere, lookUp } from './look-up.ts'
import { cleanMiss, missInfo, missReply } from './miss.ts'
import { explainMiss, whyOtherWiki } from './miss-report.ts'
import { inPresent, paramsOf, type Question, type Served, type Why, whyNot } from './question.ts'
import { Races } from './races.ts'
import type { RecordedMatch } from './recorder.ts'
import { Recordings } from './recordings.ts'
import { renderReply, type Serving } from './respond.ts'
import { type CacheKey, ResponseCache } from './response-cache.ts'
import type { Sessions } from './sessions.ts'
import { Summary } from './summary.ts'
import { Synthesiser } from './synthesiser.ts'
import { type Told, toldFailure, toldReply } from './told.ts'
import { inTurns } from './turns.ts'
import { isOtherWikisApi } from './wiki-path.ts'
import { type Understood, understand } from './wiki-request.ts'
import { witnessHead, witnessRequest } from './witness.ts'

export interface EngineOptions {
  readonly store: Store
  /** Of this cassette, whichever engine they ask. */
  readonly sessions: Sessions
  readonly mode: Mode
  readonly live: Live | undefined
  /** Path of the api.php that clients ask for; that of the cassette's wiki unless given. */
  readonly apiPath?: string | undefined
  /** What is secret in all that this server has seen; undefined where nothing is ever recorded. */
  readonly ledger: Ledger | undefined
  /** HTTP status of a miss. */
  readonly missStatus: number
  readonly onMiss: MissPolicy
  readonly recordErrors: boolean
  /** Names of cookies that are recorded although they are none of MediaWiki's sessions. */
  readonly keepCookies?: readonly string[] | undefined
  /** `learned`: nothing is answered by what is known of the wiki's version. */
  readonly trust?: 'learned' | undefined
  /** Writes do not reach the wiki. */
  readonly refuseWrites: boolean
  /** True where nobody records into this cassette, so that a ready reply stays right. */
  readonly steady: boolean
  /** The present in milliseconds. */
  readonly now: () => number
  /** Told in one line what a person at the terminal should see. */
  readonly report: (line: string) => void
  /** Told what became of each request. */
  readonly told: (told: Told) => void
}

export class Engine {
  readonly store: Store
  readonly mode: Mode
  readonly summary: Summary = new Summary()
  readonly #options: EngineOptions
  /** Undefined in replay, so that nothing can go out. */
  readonly #forwarder: Forwarder | undefined
  readonly #synthesiser: Synthesiser
  readonly #epochs: Epochs
  #tokens: TokenGuard
  readonly #races = new Races()
  readonly #isNew: boolean
  readonly #cache: ResponseCache
  #wiki: { readonly upstream: string; readonly apiPath: string | undefined } | undefined
  /** Of the store, when all that is kept here was made. */
  #state: number | undefined

  constructor(options: EngineOptions) {
    this.store = options.store
    this.mode = options.mode
    this.#options = options
    // Whatever goes nowhere need not know.
    this.#isNew = options.live !== undefined && options.store.size === 0
    const { store, steady } = options
    const recordings = new Recordings(store)
    const state = (folder?: string) => `${store.size} ${steady ? store.state?.(folder) : ''}`
    this.#synthesiser = new Synthesiser(store, options.trust, recordings, state)
    this.#epochs = new Epochs(recordings, state)
    this.#tokens = this.#newTokens()
    this.#state = steady ? store.state?.() : undefined
    this.#cache = new ResponseCache({
      own: () => store.manifest.sessionCookies ?? [],
      strict: () => store.manifest.match === 'strict',
      isUnchanged: (signatures) => store.stands?.(signatures) === true,
      onStale: () => this.#forget(),
    })
    const { live, ledger = new Ledger() } = options
    this.#forwarder = live && new Forwarder({ ...options, live, ledger }, this.summary)
  }

  /** Forgets what was made of a cassette that is no longer what it was. */
  #lookAgain(): void {
    const { steady } = this.#options
    const state = steady ? this.store.state?.() : undefined
    if (state === this.#state) return
    this.#state = state
    this.#forget()
  }

  /** Sessions go on: what they have heard and written stays so. */
  #forget(): void {
    this.#cache.clear()
    this.#synthesiser.forget()
    this.#epochs.forget()
    this.#tokens = this.#newTokens()
  }

  #newTokens(): TokenGuard {
    return new TokenGuard(this.store, (token) => this.#options.sessions.kindOf(token))
  }

  /** Answers one request. @throws UpstreamError where the wiki had to be asked and could not be. */
  async answer(exchange: Exchange): Promise<Reply> {
    const { told } = this.#options
    const [at, began] = [this.#options.now(), performance.now()]
    this.#lookAgain()
    const when = () => ({ at, ms: performance.now() - began, cassette: this.store.dir })
    const cacheKey =
      this.#isCacheable && !this.#isForOtherWiki(exchange) ? this.#cache.keyOf(exchange) : undefined
    try {
      const reply = (cacheKey && this.#cached(cacheKey)) ?? (await this.#reply(exchange, cacheKey))
      told(toldReply(exchange, reply, when(), this.#clean))
      return reply
    } catch (error) {
      told(toldFailure(exchange, error, when(), this.#clean))
      throw error
    }
  }

  /** False while recording, and once a client without a session has written. */
  get #isCacheable(): boolean {
    return this.#options.steady && this.#options.sessions.common.pristine
  }

  #cached(cacheKey: CacheKey): Reply | undefined {
    const reply = this.#cache.get(cacheKey)
    if (reply === undefined) return undefined
    this.summary.replayed += 1
    if (reply.key !== undefined) this.summary.used.add(reply.key)
    return reply
  }

  readonly #clean = (text: string): string => discreet(text, this.#options.ledger)

  async #reply(exchange: Exchange, cacheKey: CacheKey | undefined): Promise<Reply> {
    const { ledger } = this.#options
    if (ledger !== undefined && exchange.witnessed !== true)
      witnessHead(ledger, exchange.target, exchange.headers)
    const understood = this.#understand(exchange)
    if (ledger !== undefined) await inTurns(witnessRequest(ledger, understood.request, exchange))
    try {
      if (this.#isForOtherWiki(exchange)) return this.#refuseOtherWiki(exchange, understood)
      // No turn of the event loop may lie between what a session has written and the start of its next request.
      const question = this.#standing(await this.#question(exchange, understood))
      return await (this.#forwarder === undefined
        ? this.#answerInSession(question, cacheKey)
        : this.#answerInTurn(question, this.#forwarder))
    } catch (error) {
      this.#noteUnanswered(error)
      throw error
    }
  }

  /** Every request asks for it. */
  get #apiPath(): string | undefined {
    const { upstream } = this.store.manifest
    if (this.#wiki?.upstream !== upstream)
      this.#wiki = { upstream, apiPath: this.#options.apiPath ?? apiPathOf(upstream) }
    return this.#wiki.apiPath
  }

  #isForOtherWiki({ target, namedHost = false }: Exchange): boolean {
    return isOtherWikisApi(targetParts(target)[0], { apiPath: this.#apiPath, namedHost })
  }

  /** Nobody is asked: what the wiki would describe is not that other one. */
  #refuseOtherWiki(exchange: Exchange, understood: Understood): Reply {
    const derivation = derive(understood.request, factsOf(this.store))
    const session = this.#options.sessions.of(exchange)
    const [path] = targetParts(exchange.target)
    const why = whyOtherWiki(path, this.#apiPath ?? '', this.store)
    return this.#refuse(this.#standing({ exchange, understood, derivation, session }), why).reply
  }

  /** @param who the caller; as far as cookies tell unless given */
  #understand(exchange: Exchange, who?: Identity): Understood {
    const { sessions } = this.#options
    return understand(exchange, (headers, params) => who ?? sessions.identityOf(headers, params))
  }

  async #question(exchange: Exchange, understood: Understood): Promise<Omit<Question, 'standing'>> {
    const derivation = await this.#derive(understood.request, exchange)
    return { exchange, understood, derivation, session: this.#options.sessions.of(exchange) }
  }

  /** While recording: after the requests of its session that came before it and can change its answer. */
  async #answerInTurn(question: Question, forwarder: Forwarder): Promise<Reply> {
    const { exchange, understood, session } = question
    const { sessions } = this.#options
    const passage = this.#races.begin(question, this.store.manifest.site, session === sessions.common)
    try {
      const held = passage.turn && (await passage.turn)
      const params = paramsOf(understood.request)
      const asks = this.#mayRecord() && sessions.knownIdentity(exchange.headers, params) === undefined
      const who = asks ? await forwarder.askIdentity(exchange.headers) : undefined
      // Who asks, and after which writes, may be known only now.
      const present =
        held === undefined && who === undefined
          ? question
          : this.#standing(await this.#question(exchange, this.#understand(exchange, who)))
      const reply = await this.#answerInSession({ ...present, doubt: passage.doubt }, undefined)
      return held === undefined ? reply : { ...reply, held }
    } finally {
      passage.end()
    }
  }

  async #answerInSession(question: Question, cacheKey: CacheKey | undefined): Promise<Reply> {
    const [began, state] = [Date.now(), this.#state]
    const served =
      this.#forwarder === undefined
        ? // Where the store had to be waited for, the session may have gone on.
          await whenAtHand((again) => this.#answerDerived(again ? this.#standing(question) : question))
        : await this.#answerDerived(question)
    learn(question, served, this.#options.sessions, this.store.manifest.site)
    // Where a large answer took its time, the cassette may have become another.
    if (this.#state === state && cacheKey !== undefined) this.#remember(cacheKey, question, served, began)
    return served.reply
  }

  /**
   * Keeps what the wiki says of all its modules.
   * @param headers tell the wiki who asks: their cookie and authorization go with the question
   * @returns how many; 0 where it says nothing, or nothing may be recorded. @throws UpstreamError
   */
  async describeAll(headers: IncomingHeaders): Promise<number> {
    if (this.#forwarder === undefined || !this.#mayRecord()) return 0
    try {
      return await this.#forwarder.describeAll(headers)
    } catch (error) {
      this.#noteUnanswered(error)
      throw error
    }
  }

  /**
   * Keeps what the wiki says of these modules, before requests ask for it one by one; where it does not tell now, they do.
   * @throws StoreError
   */
  async describe(paths: readonly string[], headers: IncomingHeaders): Promise<void> {
    try {
      await this.#forwarder?.describe(paths, headers)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
    }
  }

  /**
   * Keeps the state of these pages beside the recordings; a wiki that does not tell it is no reason to fail.
   * @param titles at most 500 are asked for. @param headers tell the wiki who asks. @throws StoreError
   */
  async keepPageStates(titles: readonly string[], headers: IncomingHeaders): Promise<void> {
    if (this.#forwarder === undefined || titles.length === 0) return
    try {
      await this.#forwarder.keepPageStates(titles, headers)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      this.#options.report(`in which state the named pages are was not kept: ${error.message}`)
    }
  }

  #noteUnanswered(error: unknown): void {
    if (error instanceof UpstreamError && error.fault !== 'aborted') this.summary.unanswered += 1
    if (error instanceof StoreError) this.summary.unwritten += 1
  }

  /** Recorded listings, batches joined. @param folders that they lie in; all unless given */
  listings(folders: Iterable<string> = this.store.folders()): readonly Listing[] {
    return [...folders].flatMap((folder) => this.#synthesiser.listingsIn(folder).all())
  }

  /**
   * Finishes the run: what `update` was not asked again is dropped, and everything is forced to the disk.
   * @param used what the run used through any engine of this cassette
   * @param doubt why it is not certain that all was asked for again that is needed
   */
  close(used: ReadonlySet<RequestKey>, doubt: string | undefined): void {
    this.#forwarder?.close()
    this.#forwarder?.searchWritten()
    if (this.mode === 'update') {
      const why = this.summary.unanswered > 0 ? 'the wiki did not answer every request' : doubt
      const unused = this.#forwarder?.dropUnused(used, why) ?? 0
      const all = why === undefined || (unused === 0 && this.summary.unanswered === 0)
      if (all && used.size === this.summary.used.size) this.#renewDay()
    }
    this.store.checkpoint()
  }

  /** All that is left was asked again. Where nothing had changed no file does (docs/decisions/0007-expiry.md). */
  #renewDay(): void {
    if (this.summary.recorded > 0 && this.summary.exitCode() === 0)
      this.store.setManifest({ ...this.store.manifest, recorded: dayOf(this.#options.now()) })
  }

  async #derive(request: WikiRequest, exchange: Exchange): Promise<Derivation> {
    const isRead = request.kind === 'plain' || request.unread === undefined
    return this.#forwarder !== undefined && isRead && this.#mayRecord()
      ? this.#forwarder.derive(request, exchange.headers)
      : derive(request, factsOf(this.store))
  }

  /** Modes that record nothing must not make a cassette by asking the wiki what its modules are like. */
  #mayRecord(): boolean {
    if (this.mode === 'none' || this.mode === 'passthrough') return false
    return this.mode !== 'once' || this.#isNew
  }

  async #answerDerived(question: Question): Promise<Served> {
    const present = inPresent(question)
    const { request } = question.understood
    if (request.kind === 'api' && request.unread !== undefined)
      return this.#answerUnread(present, request.unread)
    let recorded: RequestKey | undefined
    // No turn of the event loop may lie between the end of this wait and the start of the next request.
    for (let twin = this.#twin(present.derivation); twin !== undefined; twin = this.#twin(present.derivation))
      recorded = await twin
    const found = this.#find(question)
    const decision = this.#decide(present, found, recorded)
    const badToken = decision.kind === 'forward' ? undefined : this.#refuseToken(question, found)
    if (badToken !== undefined) return badToken
    switch (decision.kind) {
      case 'replay':
        if (this.#mayWait(decision.match)) await nextTurn()
        return this.#replay(present, decision.match, found.rests)
      case 'forward':
        return this.#forward(present, found, decision.record)
      case 'synthesise':
        return this.#synthesise(question, found)
      case 'refuse':
        return this.#refuse(present, whyNot(found))
    }
  }

  /** Its key says nothing of what it asks, so that nothing recorded can be its answer. */
  #answerUnread(question: Question, { why }: UnreadBody): Promise<Served> | Served {
    const match: Match = { kind: 'missing' }
    const { mode } = this
    const decision = decide(match, { mode, isNew: this.#isNew, policy: 'error', mustAsk: true })
    return decision.kind === 'forward'
      ? this.#forward(question, { match, earlier: false }, decision.record)
      : this.#refuse(question, {
          why: `The body of this request was not read: ${why}.`,
          reason: 'unread-body',
        })
  }

  #standing(question: Omit<Question, 'standing'>): Question {
    const { derivation, session } = question
    return { ...question, standing: standingOf(derivation, session, this.store.manifest.site) }
  }

  #find(question: Question): FoundHere {
    return lookUp(question, this.store, {
      broken: ({ path, fault: { line, column, message } }) =>
        this.#options.report(
          `broken recording ${path}:${line}:${column}: ${message}; mend it or record it again`,
        ),
      // While recording, the wiki itself is asked.
      epochsOf: this.#forwarder === undefined ? (request) => this.#epochs.of(request) : undefined,
    })
  }

  /** A request that waited for its twin is served what that one recorded, in every mode. */
  #decide(question: Question, { match, earlier }: Found, recorded: RequestKey | undefined): Decision {
    const { derivation, session } = question
    const personal = this.#forwarder !== undefined && this.#handsOut(question, match)
    if (match.kind === 'recorded' && match.key === recorded && !personal) {
      // In a sequence the session may not have come so far.
      if (session.turn(match.spelled) >= match.interaction.responses.length - 1)
        return { kind: 'replay', match }
    }
    const mustAsk =
      earlier || personal || derivation.effect === 'session' || isWornOut(derivation, match, session)
    // What was recorded for another spelling proves nothing where the spelling counts.
    const policy = this.store.manifest.match === 'strict' ? 'error' : this.#options.onMiss
    return decide(match, { mode: this.mode, isNew: this.#isNew, policy, mustAsk })
  }

  #handsOut(question: Question, match: Match): boolean {
    const { sessions } = this.#options
    return match.kind === 'recorded' && sessions.handsOut(match.response, question)
  }

  /** The same request under way, where it is worth waiting for. */
  #twin(derivation: Derivation): Promise<RequestKey | undefined> | undefined {
    return this.#mayRecord() ? this.#forwarder?.underWay(derivation) : undefined
  }

  /** A large answer has been read, which takes its time; none of a sequence, nor while recording, where turns count. */
  #mayWait({ interaction: { responses } }: RecordedMatch): boolean {
    return this.#forwarder === undefined && responses.length === 1 && holds(largeToServe, responses)
  }

  /** The wiki's own refusal, where the token sent is for something else, or is none and a right one was recorded. */
  #refuseToken(question: Question, { match }: Found): Served | undefined {
    const { understood, derivation } = question
    const withOther = (): Match | undefined =>
      [...this.#tokens.withOthers(derivation)]
        .map((other) => this.#find(this.#standing({ ...question, derivation: other })).match)
        .find(hasWorked)
    const worked = match.kind === 'missing' ? withOther() : undefined
    if (!this.#tokens.isForOther(understood.request, derivation) && worked === undefined) return undefined
    // Recorded just so, it has its turn in the sequence.
    if (match.kind === 'recorded' && isBadToken(match.response)) return undefined
    const response = this.#tokens.answer(understood.request)
    const { key } = inPresent(question).derivation
    const serving = this.#serving('synthesized', question, key)
    const reply = response && renderReply(response, understood.request, serving)
    if (reply === undefined || typeof reply === 'string') return undefined
    this.summary.synthesized += 1
    if (worked?.kind === 'recorded') this.summary.used.add(worked.key)
    return { reply, key, response }
  }

  #forward(question: Question, found: Found, record: boolean): Promise<Served> | Served {
    const { understood, derivation } = question
    const posted = understood.request.kind === 'plain' && understood.request.posted
    if (this.#options.refuseWrites && (derivation.effect === 'write' || posted)) {
      const why = 'This would write to the wiki, which --writes refuse forbids; it was not sent.'
      return this.#refuse(question, { why, reason: 'write-refused' })
    }
    if (this.#forwarder === undefined) return this.#refuse(question, whyNot(found))
    return record ? this.#forwarder.record(question, found) : this.#forwarder.pass(question)
  }

  #replay(question: Question, match: RecordedMatch, rests: readonly RequestKey[]): Promise<Served> | Served {
    const { session, derivation } = question
    const { key, spelled } = match
    const single = match.interaction.responses.length === 1
    const response = this.#options.sessions.dress(match.response, question)
    const circle = this.#synthesiser.circle(session, derivation, match.response)
    if (circle !== undefined) return this.#refuse(question, { why: circle, reason: 'conflict' })
    const serving = this.#serving('replayed', question, key)
    const reply = renderReply(response, question.understood.request, serving)
    if (typeof reply === 'string')
      return this.#forwarder !== undefined && this.#mayRecord()
        ? this.#forwarder.pass(question)
        : this.#refuse(question, { why: `It cannot be served in this envelope: ${reply}.` })
    if (this.#forwarder !== undefined) this.#forwarder.noteServed(question, match)
    else if (!single) session.advance(spelled, { ...match, turn: session.turn(spelled) })
    this.summary.replayed += 1
    this.summary.used.add(key)
    const lasting = single && response.cookies.length === 0
    return { reply, key, response, lasting, rests }
  }

  #serving(status: CassetteStatus, { exchange }: Question, key: RequestKey): Serving {
    return { status, key, now: this.#options.now(), rewriting: exchange.rewriting }
  }

  /** @param began before any recording was read, in milliseconds since 1970 */
  #remember(
    cacheKey: CacheKey,
    { derivation }: Question,
    { reply, lasting, rests = [] }: Served,
    began: number,
  ): void {
    const signatures = lasting === true && this.#isCacheable ? this.#signaturesOf(rests, began) : undefined
    if (signatures !== undefined)
      this.#cache.put(cacheKey, reply, { ignoreSpelling: countsByParameters(derivation), signatures })
  }

  /** Undefined where a later change of one of these recordings could not be detected. */
  #signaturesOf(rests: readonly RequestKey[], began: number): FileSignatures | undefined {
    if (this.store.footing === undefined) return []
    const all = rests.map((key) => this.store.footing?.(key, began))
    const known = all.filter((one) => one !== undefined)
    return known.length > 0 && known.length === all.length ? known.flat() : undefined
  }

  /** An answer that nobody recorded, where recorded batches prove it; otherwise a miss that says what is lacking. */
  #synthesise(question: Question, lookedUp: Found): Served {
    const { understood, session } = question
    const present = inPresent(question)
    const { key } = present.derivation
    let lacking: Why | undefined
    for (const place of placesOf(question.derivation, session, question.standing)) {
      const found = this.#synthesiser.answer(understood.request, place, session)
      if (found.kind === 'lacking') lacking ??= { why: found.what, reason: found.reason }
      if (found.kind !== 'made') continue
      const circle = this.#synthesiser.circle(session, place, found.response)
      if (circle !== undefined) return this.#refuse(present, { why: circle, reason: 'conflict' })
      const serving = this.#serving('synthesized', question, key)
      const reply = renderReply(found.response, understood.request, serving)
      if (typeof reply === 'string') return this.#refuse(present, { why: reply })
      this.summary.synthesized += 1
      this.summary.prove(found.from)
      return { reply: { ...reply, from: found.from, by: found.by }, key, response: undefined }
    }
    return this.#refuse(present, lacking ?? whyNot(lookedUp))
  }

  #refuse({ exchange, understood, derivation, standing }: Question, known: Why = {}): Served {
    const { request } = understood
    const made = { keys: standing.touching.map(({ key }) => key), why: standing.why }
    const ledger = this.#options.ledger ?? ledgerOf(exchange, request)
    const asFound = explainMiss(request, derivation, this.store, known, made)
    const miss = cleanMiss(asFound, (text) => discreet(text, ledger))
    if (!this.summary.misses.has(miss.key))
      this.#options.report(`miss ${miss.key} (${miss.reason}): ${missInfo(miss)}`)
    this.summary.miss(miss)
    return {
      reply: missReply(miss, request, this.#options.missStatus),
      key: miss.key,
      response: undefined,
    }
  }
}

/** Replay watches for nothing; what this one request sent must not stand in what is said of it. */
function ledgerOf({ headers }: Exchange, request: WikiRequest): Ledger {
  const ledger = new Ledger()
  const sent = Object.keys(headers).map((name) => [name, headerText(headers, name) ?? ''] as const)
  ledger.learnFromRequest(request.kind === 'api' ? request.params : request.form, sent)
  return ledger
}

/** True where neither the order of parameters nor who has which token can change the answer, and the answer changes nothing. */
const countsByParameters = ({ effect, orderShows, tokenTypes }: Derivation): boolean =>
  effect === 'read' && !orderShows && tokenTypes.size === 0

/** Characters or bytes of an answer that it takes a good part of a turn to read, and another to write. */
const largeToServe = 1_000_000

/** While recording, a write sent once more after its last answer (`badtoken`, say) wants a new one. */
const isWornOut = ({ effect }: Derivation, match: Match, session: Session): boolean =>
  effect === 'write' &&
  match.kind === 'recorded' &&
  session.turn(match.spelled) >= match.interaction.responses.length
