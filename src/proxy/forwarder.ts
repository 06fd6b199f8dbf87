/** The live side of an engine: asks the wiki, has its answer recorded, and lets equal requests wait for each other. */
import type { RecordedResponse } from '../cassette/interaction.ts'
import { folderOf } from '../cassette/name.ts'
import { type Taking, takingSteps } from '../cassette/record.ts'
import type { Found } from '../playback/find.ts'
import { standingOf } from '../playback/places.ts'
import { discreet } from '../privacy/discreet.ts'
import type { Ledger } from '../privacy/ledger.ts'
import type { Identity, WikiRequest } from '../request/api-request.ts'
import { type Derivation, derive } from '../request/derive.ts'
import type { RequestKey } from '../request/key.ts'
import { StoreError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { noteJson, passingFailure, whyForeign, whyUnrecordable } from '../upstream/unrecordable.ts'
import { type Upstream, UpstreamError } from '../upstream/upstream.ts'
import type { WikiAnswer } from '../wiki/answer.ts'
import { adviceFor } from './advice.ts'
import { Censor } from './censor.ts'
import { Describer, factsOf } from './describe.ts'
import { type CassetteStatus, headerText, type IncomingHeaders } from './exchange.ts'
import { callerOf, identityIn } from './learn.ts'
import { type AskWiki, NotNow, ownQuestions } from './own-question.ts'
import { keepPageStates } from './page-states.ts'
import { inPresent, type Question, type Served } from './question.ts'
import { type RecordedMatch, Recorder } from './recorder.ts'
import { wordsOf } from './request-words.ts'
import { passReply, renderReply } from './respond.ts'
import { SessionNameFinder } from './session-name.ts'
import type { Sessions } from './sessions.ts'
import type { Summary } from './summary.ts'
import { inTurns, turnAfter } from './turns.ts'
import { WikiCheck } from './wiki-check.ts'
import { witnessed, witnessHead } from './witness.ts'

/** The live wiki of an engine; a replaying engine has none, so that it cannot go out. */
export interface Live {
  readonly upstream: Upstream
  /** Address of the wiki's api.php. */
  readonly href: string
  /** Its path. */
  readonly apiPath: string
  /** The header that the credentials of the api-url make; a secret of this run. */
  readonly authorization: string | undefined
  /** For questions of wikitape's own; the same as for clients unless given. */
  readonly own?: Upstream | undefined
  /** Values of headers that the operator has added; secrets of this run. */
  readonly secrets?: readonly string[] | undefined
  /** True where every question is wikitape's own, and nobody else can be told what to do. */
  readonly asksItself?: boolean | undefined
  /** True where its answers were kept by another program, so that nobody can be asked which wiki it is. */
  readonly isKept?: boolean | undefined
}

export interface ForwarderOptions {
  readonly store: Store
  /** Of this cassette, whichever engine they ask. */
  readonly sessions: Sessions
  readonly live: Live
  /** What is secret in all that this server has seen. */
  readonly ledger: Ledger
  readonly recordErrors: boolean
  /** Names of cookies that are recorded although they are none of MediaWiki's sessions. */
  readonly keepCookies?: readonly string[] | undefined
  /** The present in milliseconds. */
  readonly now: () => number
  /** Told in one line what a person at the terminal should see. */
  readonly report: (line: string) => void
}

export class Forwarder {
  readonly #options: ForwarderOptions
  readonly #summary: Summary
  readonly #upstream: Upstream
  /** For questions of wikitape's own. */
  readonly #own: Upstream
  readonly #censor: Censor
  readonly #check: WikiCheck | undefined
  /** Why nothing may be recorded yet. */
  #unverified: string | undefined
  readonly #askOwn: AskWiki
  readonly #describer: Describer
  readonly #recorder: Recorder
  readonly #sessionNames: SessionNameFinder
  readonly #advised = new Set<string>()
  /** Questions of who a caller is, by the cookies. */
  readonly #asking = new Map<string, Promise<Identity>>()
  /** Requests that are being recorded; each tells at its end where it was. */
  readonly #inFlight = new Map<RequestKey, Promise<RequestKey | undefined>>()

  constructor(options: ForwarderOptions, summary: Summary) {
    this.#options = options
    this.#summary = summary
    const { store, live, ledger, report } = options
    this.#upstream = witnessed(live.upstream, ledger)
    this.#own = live.own === undefined ? this.#upstream : witnessed(live.own, ledger)
    this.#censor = new Censor(ledger, summary, report)
    const ask = discreetly(ownQuestions(this.#own, live.apiPath, summary), ledger)
    this.#check = live.isKept === true ? undefined : new WikiCheck(store, ask, live.href)
    this.#askOwn = async (params, headers) => {
      await this.#check?.verify(headers)
      return ask(params, headers)
    }
    this.#describer = new Describer(store, this.#askOwn, summary, this.#mayWrite)
    this.#recorder = new Recorder(store, this.#censor, summary, report)
    this.#sessionNames = new SessionNameFinder(this.#own, live.apiPath, () => {
      summary.liveRequests += 1
    })
    if (live.authorization !== undefined) witnessHead(ledger, '', { authorization: live.authorization })
    ledger.learn((live.secrets ?? []).map((value) => ({ kind: 'token', value, source: 'an added header' })))
  }

  /** The derivation with every module described that the wiki is willing to describe. @throws UpstreamError */
  async derive(request: WikiRequest, headers: IncomingHeaders): Promise<Derivation> {
    if (this.#check?.moves === true) await this.#check.verify(headers)
    return this.#describer.derive(request, headers)
  }

  describe(paths: readonly string[], headers: IncomingHeaders): Promise<void> {
    return this.#describer.describe(paths, headers)
  }

  describeAll(headers: IncomingHeaders): Promise<number> {
    return this.#describer.describeAll(headers)
  }

  /** Keeps the state of these pages beside the recordings. @throws UpstreamError | StoreError */
  keepPageStates(titles: readonly string[], headers: IncomingHeaders): Promise<void> {
    return keepPageStates(titles, this.#options.store, this.#askOwn, headers, this.#mayWrite)
  }

  /** Whom the wiki takes the sender of these cookies for; the same cookies are asked about once. @throws UpstreamError */
  askIdentity(headers: IncomingHeaders): Promise<Identity> {
    const cookies = headerText(headers, 'cookie') ?? ''
    const asking =
      this.#asking.get(cookies) ?? this.#askWho(headers).finally(() => this.#asking.delete(cookies))
    this.#asking.set(cookies, asking)
    return asking
  }

  async #askWho(headers: IncomingHeaders): Promise<Identity> {
    try {
      const answer = await this.#askOwn({ action: 'query', meta: 'userinfo' }, headers)
      const identity = identityIn(answer?.tree) ?? 'unknown'
      this.#options.sessions.setIdentity(headers, identity)
      return identity
    } catch (error) {
      if (error instanceof NotNow) return 'unknown'
      throw error
    }
  }

  readonly #mayWrite = (path: string, text: string): boolean => this.#censor.passes(path, text)

  /** The same request, where it is being recorded already; what changes something each client must ask for itself. */
  underWay({ key, effect }: Derivation): Promise<RequestKey | undefined> | undefined {
    return effect === 'read' ? this.#inFlight.get(key) : undefined
  }

  /** Asks and records, the same requests that arrive meanwhile waiting for this one. @throws UpstreamError */
  record(question: Question, found: Found): Promise<Served> {
    const { key, effect } = question.derivation
    const served = this.#ask(question).then((answer) => this.#keepInTurns(question, found, answer))
    if (effect !== 'read') return served
    const outcome = served.then(
      ({ reply }) => (reply.cassetteStatus === 'recorded' ? reply.key : undefined),
      () => undefined,
    )
    this.#inFlight.set(
      key,
      outcome.finally(() => this.#inFlight.delete(key)),
    )
    return served
  }

  /** Asks and records nothing. @throws UpstreamError */
  async pass(question: Question): Promise<Served> {
    const answer = await this.#ask(question)
    this.#countPassed(answer)
    const taking = await this.#take(question, answer)
    await this.#learn(question, answer, taking)
    const served = this.#asItIs(question, answer, taking)
    if (question.exchange.stranger !== true) return served
    this.#summary.unrecorded += 1
    return { ...served, reply: { ...served.reply, notRecorded: 'a page of another site asked' } }
  }

  /** A request was answered out of the cassette while it is being recorded into. */
  noteServed(question: Question, match: RecordedMatch): void {
    this.#recorder.noteServed(question, match)
  }

  /** Drops what was not used, where a run in mode `update` has come to its end without doubt. @returns how many */
  dropUnused(used: ReadonlySet<RequestKey>, doubt: string | undefined): number {
    return this.#recorder.dropUnused(used, doubt)
  }

  /** What became known as a secret late may stand in what was written early: named, and told by the exit code. */
  searchWritten(): void {
    this.#recorder.searchWritten()
  }

  close(): void {
    this.#upstream.close()
    this.#own.close()
  }

  async #ask({ exchange, understood, derivation }: Question): Promise<WikiAnswer> {
    const { apiPath } = this.#options.live
    await this.#verify(exchange.stranger === true ? {} : exchange.headers)
    this.#summary.liveRequests += 1
    const request = {
      ...understood.forward(apiPath),
      repeatable: derivation.effect === 'read',
      whyForeign: (answer: WikiAnswer) =>
        this.#discreetly(answer, (quotes) => whyForeign(understood.request, answer, quotes)),
    }
    return this.#upstream.ask(
      exchange.stranger === true ? { ...request, anonymous: true } : request,
      exchange.signal,
    )
  }

  /** A wiki that is busy just now answers the client itself, and nothing of it is recorded. @throws StoreError, UpstreamError */
  async #verify(headers: IncomingHeaders): Promise<void> {
    try {
      await this.#check?.verify(headers)
      this.#unverified = undefined
    } catch (error) {
      if (!(error instanceof NotNow) || this.#check?.moves === true) throw error
      this.#unverified = `which wiki this is could not be asked: ${error.message}`
    }
  }

  #take(question: Question, answer: WikiAnswer): Promise<Taking> {
    const { now, keepCookies = [], store } = this.#options
    const keep = { wanted: keepCookies, sessions: store.manifest.sessionCookies ?? [] }
    return inTurns(takingSteps(question.understood.request, answer, now(), keep))
  }

  /** A wiki that cannot be asked once more says nothing of its cookies now; the client has its answer all the same. */
  async #learnSessionName({ exchange, derivation }: Question, answer: WikiAnswer): Promise<void> {
    if (derivation.effect !== 'session' || exchange.stranger === true) return
    const { store } = this.#options
    const { sessionCookies = [] } = store.manifest
    try {
      const name = await this.#sessionNames.find(exchange.headers, answer, sessionCookies)
      if (name !== undefined)
        store.setManifest({ ...store.manifest, sessionCookies: [...sessionCookies, name].sort() })
    } catch (error) {
      if (error instanceof StoreError) this.#summary.unwritten += 1
      else if (!(error instanceof UpstreamError)) throw error
    }
  }

  async #keepInTurns(question: Question, found: Found, answer: WikiAnswer): Promise<Served> {
    markUsed(this.#summary, question, found)
    await this.#learnSessionName(question, answer)
    const taking = await this.#take(question, answer)
    return this.#keep(this.#asCaller(question, taking), answer, taking)
  }

  /** The question as of whom the wiki took the caller for, who may be another than was known: sessions expire. */
  #asCaller(question: Question, taking: Taking): Question {
    const { store, sessions } = this.#options
    const { request } = question.understood
    const caller = taking.kind === 'taken' ? callerOf(question, taking.response, sessions) : undefined
    if (caller === undefined || caller === request.identity) return question
    const understood = { ...question.understood, request: { ...request, identity: caller } }
    const derivation = derive(understood.request, factsOf(store))
    const standing = standingOf(derivation, question.session, store.manifest.site)
    return inPresent({ ...question, understood, derivation, standing })
  }

  /** Records the answer, or passes it on and tells why it is not recorded. */
  async #keep(question: Question, answer: WikiAnswer, taking: Taking): Promise<Served> {
    if (taking.kind === 'taken' && taking.response.body.kind === 'json')
      noteJson(answer, taking.response.body.tree)
    this.#advise(question, answer)
    const passing = this.#whyNot(question, answer)
    if (taking.kind === 'refused') return this.#passOn(question, answer, taking, passing ?? taking.why)
    if (passing !== undefined) return this.#passOn(question, answer, taking, passing)
    try {
      const fresh = await this.#censor.redact(question.understood.request, taking.response)
      const recorded = await this.#recorder.record({ question, taking, fresh })
      await turnAfter(answer)
      const served = recorded && this.#render(question, recorded.response, 'recorded', recorded.key)
      return served === undefined ? this.#asItIs(question, answer, taking) : withAside(served, taking)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      this.#summary.unwritten += 1
      this.#options.report(`not recorded: ${error.message}`)
      return this.#asItIs(question, answer, taking)
    }
  }

  /** Why this answer must not be recorded; undefined where it may. */
  #whyNot({ understood, derivation, doubt }: Question, answer: WikiAnswer): string | undefined {
    const { request } = understood
    if (request.kind === 'api' && request.unread !== undefined)
      return `the body of the request was not read: ${request.unread.why}`
    const { recordErrors } = this.#options
    const passing = this.#discreetly(answer, (quotes) =>
      whyUnrecordable(request, answer, recordErrors, quotes),
    )
    if (request.identity === 'unknown')
      return 'cookies were sent, and the wiki does not say by meta=userinfo who that is'
    return passing ?? doubt?.() ?? this.#unverified ?? this.#describer.whyIncomplete(request, derivation)
  }

  /** What is told ends in terminals and in logs of CI: an answer in which a secret stands is not quoted. */
  #discreetly(answer: WikiAnswer, why: (quotes: boolean) => string | undefined): string | undefined {
    const told = why(true)
    return told !== undefined && this.#censor.standsIn(answer) ? why(false) : told
  }

  /** A request in which a secret stands is named by its module alone. */
  #inWords({ understood, derivation }: Question): string {
    const words = wordsOf(understood.request, derivation)
    return this.#options.ledger.leaks(words).length === 0 ? words : folderOf(derivation.canonical)
  }

  async #passOn(question: Question, answer: WikiAnswer, taking: Taking, why: string): Promise<Served> {
    this.#countPassed(answer)
    this.#summary.unrecorded += 1
    await this.#learn(question, answer, taking)
    this.#options.report(`not recorded, passed on: ${this.#inWords(question)}: ${why}`)
    const served = this.#asItIs(question, answer, taking)
    return { ...served, reply: { ...served.reply, notRecorded: why } }
  }

  #countPassed(answer: WikiAnswer): void {
    this.#summary.passedThrough += 1
    if (passingFailure(answer) !== undefined) this.#summary.overloaded += 1
  }

  /** What to do about a refusal of the caller, once each. */
  #advise({ exchange }: Question, answer: WikiAnswer): void {
    const advice = adviceFor(answer, this.#options.live.asksItself === true, exchange.headers)
    if (advice === undefined || this.#advised.has(advice)) return
    this.#advised.add(advice)
    this.#options.report(advice)
  }

  /** What is not recorded may hold the secrets of what is. */
  #learn({ understood }: Question, answer: WikiAnswer, taking: Taking): Promise<void> {
    const text = Buffer.from(answer.body.subarray(0, mostLearned)).toString('utf8')
    const asText = {
      status: 200,
      headers: answer.headers,
      cookies: [],
      body: { kind: 'text', text },
    } as const
    return this.#censor.learn(understood.request, taking.kind === 'taken' ? taking.response : asText)
  }

  /** The answer in the envelope that the client asked for, where it can be put there; otherwise as it came. */
  #asItIs(question: Question, answer: WikiAnswer, taking: Taking): Served {
    const { key } = question.derivation
    const served =
      taking.kind === 'taken' ? this.#render(question, taking.response, 'passthrough', key) : undefined
    return served === undefined
      ? { reply: passReply(answer, key), key, response: undefined }
      : withAside(served, taking)
  }

  #render(
    { understood, exchange }: Question,
    response: RecordedResponse,
    status: CassetteStatus,
    key: RequestKey,
  ): Served | undefined {
    const { rewriting } = exchange
    const serving = { status, key, now: this.#options.now(), rewriting }
    const reply = renderReply(response, understood.request, serving)
    return typeof reply === 'string' ? undefined : { reply, key, response }
  }
}

/** Bytes of an answer that nobody records in which secrets are looked for. */
const mostLearned = 4 * 1024 * 1024

/** The client that asks live gets also the cookies that no cassette keeps, just as they came. */
function withAside(served: Served, taking: Taking): Served {
  if (taking.kind === 'refused' || taking.aside.length === 0) return served
  const aside = taking.aside.map((cookie) => ['set-cookie', cookie] as const)
  return { ...served, reply: { ...served.reply, headers: [...served.reply.headers, ...aside] } }
}

/** What goes wrong is told without secrets. */
const discreetly =
  (ask: AskWiki, ledger: Ledger): AskWiki =>
  async (params, headers) => {
    try {
      return await ask(params, headers)
    } catch (error) {
      if (error instanceof UpstreamError) error.message = discreet(error.message, ledger)
      throw error
    }
  }

/** What was asked for again is in use, whatever became of the answer: `update` must not drop it. */
function markUsed({ used }: Summary, { derivation }: Question, { match }: Found): void {
  used.add(derivation.key)
  if (match.kind === 'recorded' || match.kind === 'other-order') used.add(match.interaction.key)
  if (match.kind === 'contradicted') for (const key of match.between) used.add(key)
}
