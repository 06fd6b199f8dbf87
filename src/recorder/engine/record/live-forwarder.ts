/** Forwards requests to the live wiki and has the answers recorded. Concurrent requests of one key share an answer. */
import type { Match } from '../../playback/lookup/match.ts'
import { keyBeforeWrites } from '../../playback/lookup/named-writes.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { keyForExactOrder } from '../../request/scoped-keys.ts'
import { whyNotApiAnswer } from '../../upstream/answers/recordable.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import { isPageView } from '../../wiki/effects/request-effect.ts'
import { writeSetOf } from '../../wiki/effects/write-set.ts'
import type { Call, CallOutcome } from '../call.ts'
import type { LiveContext } from '../engine-options.ts'
import { OwnRequests } from '../own-requests/own-requests.ts'
import { RedactionGate } from '../redaction/redaction-gate.ts'
import {
  observedUpstream,
  observeHead,
  quotingNoSecret
} from '../redaction/secret-observer.ts'
import type { RunSummary } from '../run-summary.ts'
import { createsAccount } from '../session/caller-identities.ts'
import { AnswerRecorder } from './answer-recorder.ts'
import { endUpdate } from './end-update.ts'
import { InteractionWriter } from './interaction-writer.ts'

export class LiveForwarder {
  readonly ownRequests: OwnRequests
  readonly writer: InteractionWriter
  readonly #context: LiveContext
  readonly #upstream: Upstream
  /** For wikitape's own requests. */
  readonly #ownUpstream: Upstream
  readonly #answers: AnswerRecorder
  /** Requests that are being recorded; each resolves to the key that it was recorded under. */
  readonly #inFlight = new Map<RequestKey, Promise<RequestKey | undefined>>()

  constructor(context: LiveContext) {
    const { live, secrets } = context
    this.#context = context
    this.#upstream = observedUpstream(live.upstream(), secrets)
    this.#ownUpstream = live.ownUpstream
      ? observedUpstream(live.ownUpstream(), secrets)
      : this.#upstream
    const redactionGate = new RedactionGate(context)
    this.ownRequests = new OwnRequests(context, redactionGate, this.#ownUpstream)
    this.writer = new InteractionWriter(context, redactionGate)
    this.#answers = new AnswerRecorder(
      context,
      this.ownRequests,
      redactionGate,
      this.writer
    )
    const { authorization } = live.api
    if (authorization !== undefined) observeHead(secrets, '', { authorization })
    secrets.learn(
      (live.secrets ?? []).map((value) => ({
        kind: 'token',
        value,
        source: 'an added header'
      }))
    )
  }

  /** The same read where it is being recorded already; undefined for requests that change something. */
  recordingOf({
    dependency: { scoped }
  }: Call): Promise<RequestKey | undefined> | undefined {
    return scoped.effect === 'read' ? this.#inFlight.get(scoped.key) : undefined
  }

  /** @param record whether the answer goes into the cassette. @throws UpstreamError */
  async forward(unscoped: Call, match: Match, record: boolean): Promise<CallOutcome> {
    // From here on under the key that it has after the writes of its session.
    const call = { ...unscoped, derivation: unscoped.dependency.scoped }
    const { sent } = this.#context.sessions
    const { canonical } = call.derivation
    const end = mayChangeWiki(call)
      ? sent?.begin(writeSetOf(canonical, this.#context.store.manifest.site))
      : undefined
    try {
      return await (record ? this.#recordOnce(call, match) : this.#pass(call))
    } finally {
      end?.()
    }
  }

  async #pass(call: Call) {
    return this.#answers.pass(call, await this.#ask(call))
  }

  /** Records an answer; the same read meanwhile waits for it (`recordingOf`). */
  async #recordOnce(call: Call, match: Match) {
    const { key, effect } = call.derivation
    const outcome = this.#record(call, match)
    if (effect !== 'read') return outcome
    const recorded = outcome.then(
      ({ reply }) => (reply.cassetteStatus === 'recorded' ? reply.key : undefined),
      () => undefined
    )
    this.#inFlight.set(
      key,
      recorded.finally(() => this.#inFlight.delete(key))
    )
    return outcome
  }

  /** Ends the run. @param used and uncertainty as `endUpdate` takes them */
  close(used: ReadonlySet<RequestKey>, uncertainty: string | undefined): void {
    this.#upstream.close()
    this.#ownUpstream.close()
    this.writer.written.reportLateLeaks()
    if (this.#context.mode === 'update') endUpdate(this.#context, used, uncertainty)
  }

  /** @throws PendingRead where another recorder is recording it */
  async #record(call: Call, match: Match) {
    const { leases } = this.#context.store
    const { derivation } = call
    if (!leases || derivation.effect !== 'read') return this.#askAndRecord(call, match)
    const { key } = derivation
    const keys = [key, keyForExactOrder(derivation).key]
    await leases.acquire(key, () => keys.some((one) => this.#context.store.has(one)))
    try {
      return await this.#askAndRecord({ ...call, leased: key }, match)
    } finally {
      await leases.release(key)
    }
  }

  async #askAndRecord(call: Call, match: Match) {
    const { sent } = this.#context.sessions
    markUsed(this.#context.summary, call, match)
    const { answer, moment, isMixed } = await this.#askApart(call)
    await this.ownRequests.completeSite(
      call.incoming.isCrossOrigin ? {} : call.incoming.headers
    )
    const checked = isMixed ? { ...call, uncertainty: () => mixedText } : call
    const { counts } = this.#context.summary
    const { recorded } = counts
    const outcome = await this.#answers.record(checked, answer)
    const hasChanged = match.kind === 'recorded' && counts.recorded > recorded
    if (hasChanged && call.derivation.effect === 'read' && sent?.isQuiet) sent.noteMoved()
    // A mixed answer is asked for again.
    if (!isMixed)
      sent?.noteRequest(
        call.session,
        keyBeforeWrites(call.derivation.canonical),
        outcome.key,
        moment
      )
    return outcome
  }

  /** Asks again if a write, of whatever session, was on its way meanwhile: an answer belongs to when it was given. */
  async #askApart(call: Call) {
    const { sent } = this.#context.sessions
    const { readSet } = call.dependency
    const isRead = call.derivation.effect === 'read' && !mayChangeWiki(call)
    for (let times = 1; ; times += 1) {
      const moment = sent?.now ?? 0
      const answer = await this.#ask(call)
      const isMixed = isRead && sent?.haveOverlapped(moment, readSet) === true
      if (!isMixed || times === maxAttempts) return { answer, moment, isMixed }
      await sent?.settle()
    }
  }

  async #ask({ incoming, parsed, derivation }: Call) {
    const isCrossOrigin = incoming.isCrossOrigin === true
    await this.ownRequests.verifyWiki(isCrossOrigin ? {} : incoming.headers)
    this.#context.summary.counts.liveRequests += 1
    const request = {
      ...parsed.forward(this.#context.live.api.path),
      isRepeatable: derivation.effect === 'read',
      whyNotApiAnswer: (answer: WikiAnswer) =>
        quotingNoSecret(
          this.#context.secrets,
          answer,
          whyNotApiAnswer(parsed.request, answer)
        )
    }
    return this.#upstream.ask(
      isCrossOrigin ? { ...request, anonymous: true } : request,
      incoming.signal
    )
  }
}

/** True of a request that is not known to only read. Logins and tokens change nothing that others see. */
function mayChangeWiki({ parsed: { request }, derivation }: Call) {
  const { effect, canonical, undescribed } = derivation
  if (effect === 'write' || createsAccount(canonical)) return true
  if (request.kind === 'plain')
    return !request.posted && isPageView(request.target, request.identity === 'anonymous')
  return effect === 'read' && request.posted && undescribed.length > 0
}

/** A wiki that is written to all the time is not asked for ever. */
const maxAttempts = 3
const mixedText =
  'other sessions were writing, so it is unknown whether this is from before or after it'

/** Marks what was requested again, even if the answer is not recorded: mode `update` must not delete it. */
function markUsed({ used }: RunSummary, { derivation }: Call, match: Match) {
  used.add(derivation.key)
  if ('interaction' in match) used.add(match.interaction.key)
  if (match.kind === 'contradicted') for (const key of match.between) used.add(key)
}
