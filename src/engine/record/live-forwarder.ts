/** Asks the wiki and has its answer recorded; concurrent requests of one key are sent once. */
import type { Found } from '../../playback/lookup/find-in-session.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { whyForeign } from '../../upstream/answers/recordable.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import type { Call, Outcome } from '../call.ts'
import type { Live } from '../live-wiki.ts'
import { OwnRequests } from '../own-requests/own-requests.ts'
import { Censor } from '../redaction/redaction-gate.ts'
import { witnessed, witnessHead } from '../redaction/secret-observer.ts'
import type { Summary } from '../run-summary.ts'
import { AnswerRecorder, type AnswerRecorderOptions } from './answer-recorder.ts'
import { Recorder } from './interaction-writer.ts'

export interface LiveForwarderOptions extends Omit<AnswerRecorderOptions, 'asksItself'> {
  readonly live: Live
}

export class LiveForwarder {
  readonly ownRequests: OwnRequests
  readonly recorder: Recorder
  readonly #live: Live
  readonly #summary: Summary
  readonly #upstream: Upstream
  /** For wikitape's own requests. */
  readonly #own: Upstream
  readonly #answers: AnswerRecorder
  /** Requests that are being recorded; each resolves to the key that it was recorded under. */
  readonly #inFlight = new Map<RequestKey, Promise<RequestKey | undefined>>()

  constructor(options: LiveForwarderOptions, summary: Summary) {
    const { store, live, ledger, report } = options
    this.#live = live
    this.#summary = summary
    this.#upstream = witnessed(live.upstream, ledger)
    this.#own = live.own === undefined ? this.#upstream : witnessed(live.own, ledger)
    const censor = new Censor(ledger, summary, report)
    const ownRequests = new OwnRequests({ ...options, summary, censor }, this.#own)
    const recorder = new Recorder(store, censor, summary, report)
    const parts = { ownRequests, censor, recorder, summary }
    this.#answers = new AnswerRecorder({ ...options, asksItself: live.asksItself === true }, parts)
    this.ownRequests = ownRequests
    this.recorder = recorder
    if (live.authorization !== undefined) witnessHead(ledger, '', { authorization: live.authorization })
    ledger.learn((live.secrets ?? []).map((value) => ({ kind: 'token', value, source: 'an added header' })))
  }

  /** The same request, where it is being recorded already; what changes something each client must ask for itself. */
  inFlight({ key, effect }: Derivation): Promise<RequestKey | undefined> | undefined {
    return effect === 'read' ? this.#inFlight.get(key) : undefined
  }

  /**
   * @param call in its present epoch
   * @param record whether the answer goes into the cassette
   * @throws UpstreamError
   */
  async forward(call: Call, found: Found, record: boolean): Promise<Outcome> {
    if (!record) return this.#answers.pass(call, await this.#ask(call))
    const { key, effect } = call.derivation
    const outcome = this.#record(call, found)
    if (effect !== 'read') return outcome
    const recorded = outcome.then(
      ({ reply }) => (reply.cassetteStatus === 'recorded' ? reply.key : undefined),
      () => undefined,
    )
    this.#inFlight.set(
      key,
      recorded.finally(() => this.#inFlight.delete(key)),
    )
    return outcome
  }

  close(): void {
    this.#upstream.close()
    this.#own.close()
  }

  async #record(call: Call, found: Found): Promise<Outcome> {
    const answer = await this.#ask(call)
    markUsed(this.#summary, call, found)
    return this.#answers.record(call, answer)
  }

  async #ask({ exchange, understood, derivation }: Call): Promise<WikiAnswer> {
    const isStranger = exchange.stranger === true
    await this.ownRequests.verifyWiki(isStranger ? {} : exchange.headers)
    this.#summary.liveRequests += 1
    const request = {
      ...understood.forward(this.#live.apiPath),
      repeatable: derivation.effect === 'read',
      whyForeign: (answer: WikiAnswer) =>
        this.#answers.discreetly(answer, (quotes) => whyForeign(understood.request, answer, quotes)),
    }
    return this.#upstream.ask(isStranger ? { ...request, anonymous: true } : request, exchange.signal)
  }
}

/** What was asked for again is in use, whatever became of the answer: `update` must not drop it. */
function markUsed({ used }: Summary, { derivation }: Call, { match }: Found): void {
  used.add(derivation.key)
  if (match.kind === 'recorded' || match.kind === 'other-order') used.add(match.interaction.key)
  if (match.kind === 'contradicted') for (const key of match.between) used.add(key)
}
