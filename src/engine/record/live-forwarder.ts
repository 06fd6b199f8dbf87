/** Forwards requests to the live wiki and has the answers recorded. Concurrent requests of one key share an answer. */
import type { SessionMatch } from '../../playback/lookup/find-in-session.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { keyForExactOrder } from '../../request/scoped-keys.ts'
import { whyNotApiAnswer } from '../../upstream/answers/recordable.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import type { Call, CallOutcome } from '../call.ts'
import type { EngineOptions } from '../engine-options.ts'
import { OwnRequests } from '../own-requests/own-requests.ts'
import { RedactionGate } from '../redaction/redaction-gate.ts'
import { observedUpstream, observeHead } from '../redaction/secret-observer.ts'
import type { RunSummary } from '../run-summary.ts'
import { AnswerRecorder, type AnswerRecorderOptions } from './answer-recorder.ts'
import { endUpdate } from './end-update.ts'
import { InteractionWriter } from './interaction-writer.ts'

interface LiveForwarderOptions extends AnswerRecorderOptions, Pick<EngineOptions, 'mode'> {}

export class LiveForwarder {
  readonly ownRequests: OwnRequests
  readonly writer: InteractionWriter
  readonly #options: LiveForwarderOptions
  readonly #upstream: Upstream
  /** For wikitape's own requests. */
  readonly #ownUpstream: Upstream
  readonly #answers: AnswerRecorder
  /** Requests that are being recorded; each resolves to the key that it was recorded under. */
  readonly #inFlight = new Map<RequestKey, Promise<RequestKey | undefined>>()

  constructor(options: LiveForwarderOptions) {
    const { store, live, secrets, report, summary } = options
    this.#options = options
    this.#upstream = observedUpstream(live.upstream, secrets)
    this.#ownUpstream =
      live.ownUpstream === undefined ? this.#upstream : observedUpstream(live.ownUpstream, secrets)
    const redactionGate = new RedactionGate(secrets, summary, report)
    this.ownRequests = new OwnRequests({ ...options, redactionGate }, this.#ownUpstream)
    this.writer = new InteractionWriter(store, redactionGate, summary, report)
    const { ownRequests, writer } = this
    this.#answers = new AnswerRecorder({ ...options, ownRequests, redactionGate, writer })
    const { authorization } = live.api
    if (authorization !== undefined) observeHead(secrets, '', { authorization })
    secrets.learn((live.secrets ?? []).map((value) => ({ kind: 'token', value, source: 'an added header' })))
  }

  /** The same read where it is being recorded already; undefined for requests that change something. */
  inFlight({ key, effect }: Derivation): Promise<RequestKey | undefined> | undefined {
    return effect === 'read' ? this.#inFlight.get(key) : undefined
  }

  /** @param call in its present epoch. @param record whether the answer goes into the cassette. @throws UpstreamError */
  async forward(call: Call, found: SessionMatch, record: boolean): Promise<CallOutcome> {
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

  /** Ends the run. @param used and uncertainty as `endUpdate` takes them */
  close(used: ReadonlySet<RequestKey>, uncertainty: string | undefined): void {
    this.#upstream.close()
    this.#ownUpstream.close()
    this.writer.reportLateLeaks()
    if (this.#options.mode === 'update') endUpdate(this.#options, used, uncertainty)
  }

  /** @throws PendingRead where another recorder is recording it */
  async #record(call: Call, found: SessionMatch): Promise<CallOutcome> {
    const { leases } = this.#options.store
    const { derivation } = call
    if (leases === undefined || derivation.effect !== 'read') return this.#askAndRecord(call, found)
    const { key } = derivation
    const keys = [key, keyForExactOrder(derivation).key]
    await leases.acquire(key, () => keys.some((one) => this.#options.store.has(one)))
    try {
      return await this.#askAndRecord({ ...call, leased: key }, found)
    } finally {
      await leases.release(key)
    }
  }

  async #askAndRecord(call: Call, found: SessionMatch): Promise<CallOutcome> {
    const answer = await this.#ask(call)
    markUsed(this.#options.summary, call, found)
    return this.#answers.record(call, answer)
  }

  async #ask({ incoming, parsed, derivation }: Call): Promise<WikiAnswer> {
    const isCrossOrigin = incoming.isCrossOrigin === true
    await this.ownRequests.verifyWiki(isCrossOrigin ? {} : incoming.headers)
    this.#options.summary.liveRequests += 1
    const request = {
      ...parsed.forward(this.#options.live.api.path),
      isRepeatable: derivation.effect === 'read',
      whyNotApiAnswer: (answer: WikiAnswer) =>
        this.#answers.quotingNoSecret(answer, (quotes) => whyNotApiAnswer(parsed.request, answer, quotes)),
    }
    return this.#upstream.ask(isCrossOrigin ? { ...request, anonymous: true } : request, incoming.signal)
  }
}

/** Marks what was requested again, even if the answer is not recorded: mode `update` must not delete it. */
function markUsed({ used }: RunSummary, { derivation }: Call, { match }: SessionMatch): void {
  used.add(derivation.key)
  if (match.kind === 'recorded' || match.kind === 'other-order') used.add(match.interaction.key)
  if (match.kind === 'contradicted') for (const key of match.between) used.add(key)
}
