/** Records answers of the wiki, or passes them on and says why they are not recorded. */
import { folderOf } from '../../cassette/interaction-path.ts'
import { type Taking, takingSteps } from '../../cassette/record/recorded-response.ts'
import { standingOf } from '../../playback/session/write-dependency.ts'
import type { Ledger } from '../../privacy/known/secret-registry.ts'
import { derive } from '../../request/derive.ts'
import type { Store } from '../../store/store.ts'
import { StoreError } from '../../store/store-error.ts'
import { noteJson, passingFailure, whyUnrecordable } from '../../upstream/answers/recordable.ts'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import { type Call, inPresent, type Outcome } from '../call.ts'
import { wordsOf } from '../miss/describe-request.ts'
import { factsOf } from '../own-requests/module-describer.ts'
import type { OwnRequests } from '../own-requests/own-requests.ts'
import type { Censor } from '../redaction/redaction-gate.ts'
import type { Summary } from '../run-summary.ts'
import type { Sessions } from '../session/session-registry.ts'
import { callerOf } from '../session/update-session.ts'
import { inTurns, turnAfter } from '../time-slices.ts'
import { adviceFor } from './advice.ts'
import type { Recorder } from './interaction-writer.ts'
import { asItIs, renderLive, withCookiesAside } from './live-reply.ts'

export interface AnswerRecorderOptions {
  readonly store: Store
  /** Of this cassette, whichever engine they ask. */
  readonly sessions: Sessions
  /** What is secret in all that this server has seen. */
  readonly ledger: Ledger
  readonly recordErrors: boolean
  /** Names of cookies that are recorded although they are none of MediaWiki's sessions. */
  readonly keepCookies?: readonly string[] | undefined
  /** True where every request is wikitape's own, and nobody else can be told what to do. */
  readonly asksItself: boolean
  /** The present in milliseconds. */
  readonly now: () => number
  /** Told in one line what a person at the terminal should see. */
  readonly report: (line: string) => void
}

/** What the answers go through. */
interface Parts {
  readonly ownRequests: OwnRequests
  readonly censor: Censor
  readonly recorder: Recorder
  readonly summary: Summary
}

export class AnswerRecorder {
  readonly #options: AnswerRecorderOptions
  readonly #parts: Parts
  readonly #summary: Summary
  readonly #advised = new Set<string>()

  constructor(options: AnswerRecorderOptions, parts: Parts) {
    this.#options = options
    this.#parts = parts
    this.#summary = parts.summary
  }

  /** Records the answer where it may be recorded. */
  async record(call: Call, answer: WikiAnswer): Promise<Outcome> {
    await this.#parts.ownRequests.learnSessionName(call, answer)
    const taking = await this.#take(call, answer)
    return this.#recordTaking(this.#asCaller(call, taking), answer, taking)
  }

  /** Records nothing, and does not say so. */
  async pass(call: Call, answer: WikiAnswer): Promise<Outcome> {
    this.#countPassed(answer)
    const taking = await this.#take(call, answer)
    await this.#learnSecrets(call, answer, taking)
    const outcome = asItIs(call, answer, taking, this.#options.now())
    if (call.exchange.stranger !== true) return outcome
    this.#summary.unrecorded += 1
    return { ...outcome, reply: { ...outcome.reply, notRecorded: 'a page of another site asked' } }
  }

  /** What is told ends in terminals and in logs of CI: an answer in which a secret stands is not quoted. */
  discreetly(answer: WikiAnswer, why: (quotes: boolean) => string | undefined): string | undefined {
    const words = why(true)
    return words !== undefined && this.#parts.censor.standsIn(answer) ? why(false) : words
  }

  #take(call: Call, answer: WikiAnswer): Promise<Taking> {
    const { now, keepCookies = [], store } = this.#options
    const keep = { wanted: keepCookies, sessions: store.manifest.sessionCookies ?? [] }
    return inTurns(takingSteps(call.understood.request, answer, now(), keep))
  }

  /** The call as of whom the wiki took the caller for, who may be another than was known: sessions expire. */
  #asCaller(call: Call, taking: Taking): Call {
    const { store, sessions } = this.#options
    const { request } = call.understood
    const caller = taking.kind === 'taken' ? callerOf(call, taking.response, sessions) : undefined
    if (caller === undefined || caller === request.identity) return call
    const understood = { ...call.understood, request: { ...request, identity: caller } }
    const derivation = derive(understood.request, factsOf(store))
    const standing = standingOf(derivation, call.session, store.manifest.site)
    return inPresent({ ...call, understood, derivation, standing })
  }

  /** Records it, or passes it on and tells why it is not recorded. */
  async #recordTaking(call: Call, answer: WikiAnswer, taking: Taking): Promise<Outcome> {
    if (taking.kind === 'taken' && taking.response.body.kind === 'json')
      noteJson(answer, taking.response.body.tree)
    this.#advise(call, answer)
    const passing = this.#whyNot(call, answer)
    if (taking.kind === 'refused') return this.#passOn(call, answer, taking, passing ?? taking.why)
    if (passing !== undefined) return this.#passOn(call, answer, taking, passing)
    try {
      const fresh = await this.#parts.censor.redact(call.understood.request, taking.response)
      const recorded = await this.#parts.recorder.record({ call, taking, fresh })
      await turnAfter(answer)
      const now = this.#options.now()
      const outcome =
        recorded && renderLive(call, recorded.response, { status: 'recorded', key: recorded.key, now })
      return outcome === undefined
        ? asItIs(call, answer, taking, this.#options.now())
        : withCookiesAside(outcome, taking)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      this.#summary.unwritten += 1
      this.#options.report(`not recorded: ${error.message}`)
      return asItIs(call, answer, taking, this.#options.now())
    }
  }

  /** Why this answer must not be recorded; undefined where it may. */
  #whyNot({ understood, derivation, doubt }: Call, answer: WikiAnswer): string | undefined {
    const { request } = understood
    if (request.kind === 'api' && request.unread !== undefined)
      return `the body of the request was not read: ${request.unread.why}`
    const { recordErrors } = this.#options
    const passing = this.discreetly(answer, (quotes) =>
      whyUnrecordable(request, answer, recordErrors, quotes),
    )
    if (request.identity === 'unknown')
      return 'cookies were sent, and the wiki does not say by meta=userinfo who that is'
    return passing ?? doubt?.() ?? this.#parts.ownRequests.whyUncertain(request, derivation)
  }

  /** A request in which a secret stands is named by its module alone. */
  #inWords({ understood, derivation }: Call): string {
    const words = wordsOf(understood.request, derivation)
    return this.#options.ledger.leaks(words).length === 0 ? words : folderOf(derivation.canonical)
  }

  async #passOn(call: Call, answer: WikiAnswer, taking: Taking, why: string): Promise<Outcome> {
    this.#countPassed(answer)
    this.#summary.unrecorded += 1
    await this.#learnSecrets(call, answer, taking)
    this.#options.report(`not recorded, passed on: ${this.#inWords(call)}: ${why}`)
    const outcome = asItIs(call, answer, taking, this.#options.now())
    return { ...outcome, reply: { ...outcome.reply, notRecorded: why } }
  }

  #countPassed(answer: WikiAnswer): void {
    this.#summary.passedThrough += 1
    if (passingFailure(answer) !== undefined) this.#summary.overloaded += 1
  }

  /** What to do about a refusal of the caller, once each. */
  #advise({ exchange }: Call, answer: WikiAnswer): void {
    const advice = adviceFor(answer, this.#options.asksItself, exchange.headers)
    if (advice === undefined || this.#advised.has(advice)) return
    this.#advised.add(advice)
    this.#options.report(advice)
  }

  /** What is not recorded may hold the secrets of what is. */
  #learnSecrets({ understood }: Call, answer: WikiAnswer, taking: Taking): Promise<void> {
    const text = Buffer.from(answer.body.subarray(0, mostLearned)).toString('utf8')
    const asText = {
      status: 200,
      headers: answer.headers,
      cookies: [],
      body: { kind: 'text', text },
    } as const
    return this.#parts.censor.learn(understood.request, taking.kind === 'taken' ? taking.response : asText)
  }
}

/** Bytes of an answer that nobody records in which secrets are looked for. */
const mostLearned = 4 * 1024 * 1024
