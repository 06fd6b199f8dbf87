/** Records answers of the wiki; what must not be recorded is passed on, and reported with the reason. */
import type { RecordedResponse } from '../../cassette/interaction.ts'
import { folderOf } from '../../cassette/interaction-path.ts'
import {
  convertResponse,
  type ResponseConversion,
} from '../../cassette/record/recorded-response.ts'
import { failureIn } from '../../cassette/recorded-failure.ts'
import { type CassetteStatus, headerText } from '../../http/incoming-request.ts'
import { passThroughReply, renderReply } from '../../http/render-reply.ts'
import { writeDependencyOf } from '../../playback/session/session.ts'
import { lacksOrigin } from '../../request/api-request.ts'
import { derive } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { StoreError } from '../../store/store-error.ts'
import {
  adviceFor,
  quotedStray,
  transientFailure,
  whyUnrecordable,
} from '../../upstream/answers/recordable.ts'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import { type Call, type CallOutcome, wikiFactsOf } from '../call.ts'
import { headersThatChose } from '../choosing-headers.ts'
import type { LiveContext } from '../engine-options.ts'
import { describeIncoming } from '../miss/describe-request.ts'
import type { OwnRequests } from '../own-requests/own-requests.ts'
import type { RedactionGate } from '../redaction/redaction-gate.ts'
import { quotingNoSecret } from '../redaction/secret-observer.ts'
import { withCaller } from '../session/known-callers.ts'
import { identityInAnswer } from '../session/update-session.ts'
import type { InteractionWriter } from './interaction-writer.ts'

export class AnswerRecorder {
  readonly #context: LiveContext
  readonly #ownRequests: OwnRequests
  readonly #redactionGate: RedactionGate
  readonly #writer: InteractionWriter
  readonly #advised = new Set<string>()

  constructor(
    context: LiveContext,
    ownRequests: OwnRequests,
    redactionGate: RedactionGate,
    writer: InteractionWriter,
  ) {
    this.#context = context
    this.#ownRequests = ownRequests
    this.#redactionGate = redactionGate
    this.#writer = writer
  }

  async record(call: Call, answer: WikiAnswer): Promise<CallOutcome> {
    await this.#ownRequests.findSessionCookie(call, answer)
    const conversion = this.#convert(call, answer)
    return this.#recordOrPass(this.#asCaller(call, conversion), answer, conversion)
  }

  /** Passes an answer on that is not to be recorded, without a report. */
  pass(call: Call, answer: WikiAnswer): CallOutcome {
    const why =
      call.incoming.isCrossOrigin === true
        ? 'a page of another site sent the request'
        : undefined
    return this.#passOn(call, answer, this.#convert(call, answer), why)
  }

  #convert(call: Call, answer: WikiAnswer): ResponseConversion {
    const { now, keepCookies = [], store } = this.#context
    const selection = {
      optedIn: keepCookies,
      sessions: store.manifest.sessionCookies ?? [],
    }
    return convertResponse(call.parsed.request, answer, now(), selection)
  }

  /** The call as of the caller that the answer names: a session that was known may have expired. */
  #asCaller(call: Call, conversion: ResponseConversion): Call {
    const { store, sessions } = this.#context
    const { request } = call.parsed
    const caller =
      conversion.kind === 'converted'
        ? identityInAnswer(call, conversion.response, sessions)
        : undefined
    if (caller === undefined || caller === request.identity) return call
    const parsed = { ...call.parsed, request: { ...request, identity: caller } }
    const derivation = derive(parsed.request, wikiFactsOf(store))
    const dependency = writeDependencyOf(derivation, call.session, store.manifest.site)
    return { ...call, parsed, derivation: dependency.scoped, dependency }
  }

  /** Notes in the cassette whom the wiki has named for an Authorization header or a bot password. */
  #keepCaller({ incoming, parsed: { request } }: Call): void {
    const { store, sessions } = this.#context
    if (lacksOrigin(request)) return
    const caller = sessions.identities.callerToKeep(incoming, request.identity)
    const callers = caller && withCaller(store.manifest.callers, caller)
    if (callers !== undefined) store.setManifest({ ...store.manifest, callers })
  }

  async #recordOrPass(
    call: Call,
    answer: WikiAnswer,
    conversion: ResponseConversion,
  ): Promise<CallOutcome> {
    this.#advise(call, answer)
    const reason = this.#whyUnrecordable(call, answer)
    if (conversion.kind === 'refused') {
      const refusal = conversion.reason + quotedStray(conversion.stray ?? '')
      const why = quotingNoSecret(this.#context.secrets, answer, refusal)
      return this.#reportPassed(
        call,
        answer,
        conversion,
        reason ?? why ?? conversion.reason,
      )
    }
    if (reason !== undefined) return this.#reportPassed(call, answer, conversion, reason)
    try {
      await this.#ownRequests.learnCallersAddress(call, answer)
      const fresh = this.#redactionGate.redact(
        call.derivation.canonical,
        conversion.response,
      )
      this.#keepCaller(call)
      const vary = answer.headers.get('vary')
      const isApi = call.parsed.request.kind === 'api'
      const chosenBy = headersThatChose(vary, call.incoming.headers, isApi)
      const recorded = await this.#writer.record({ ...call, chosenBy }, conversion, fresh)
      const { unrecordedCookies: cookies } = conversion
      const outcome =
        recorded &&
        this.#render(call, recorded.response, cookies, 'recorded', recorded.key)
      this.#context.summary.notRecorded.delete(call.derivation.key)
      this.#noteFailure(call, fresh)
      if (outcome !== undefined) return outcome
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      this.#context.summary.unwritten += 1
      this.#context.onEvent({ kind: 'not-written', why: error.message })
    }
    return this.#renderUnrecorded(call, answer, conversion)
  }

  /** Until the same request gets another answer. */
  #noteFailure({ parsed, derivation }: Call, fresh: RecordedResponse): void {
    const { passingErrors } = this.#context.summary
    const failure = failureIn(fresh)
    if (failure?.looksPassing === true)
      passingErrors.set(
        derivation.key,
        `${describeIncoming(parsed.request, derivation)}: ${failure.what}`,
      )
    else passingErrors.delete(derivation.key)
  }

  /** Undefined where it does not fit the requested envelope. Cookies that are not recorded are sent as they were received. */
  #render(
    { parsed, incoming: { rewriting } }: Call,
    response: RecordedResponse,
    unrecordedCookies: readonly string[],
    status: CassetteStatus,
    key: RequestKey,
  ): CallOutcome | undefined {
    const reply = renderReply(response, parsed.request, {
      status,
      key,
      now: this.#context.now(),
      rewriting,
    })
    if (typeof reply === 'string') return undefined
    const cookies = unrecordedCookies.map((cookie) => ['set-cookie', cookie] as const)
    return { reply: { ...reply, headers: [...reply.headers, ...cookies] }, key, response }
  }

  /** The answer in the requested envelope where it fits, otherwise as it was received. */
  #renderUnrecorded(
    call: Call,
    answer: WikiAnswer,
    conversion: ResponseConversion,
  ): CallOutcome {
    const { key } = call.derivation
    const outcome =
      conversion.kind === 'converted'
        ? this.#render(
            call,
            conversion.response,
            conversion.unrecordedCookies,
            'passthrough',
            key,
          )
        : undefined
    return outcome ?? { reply: passThroughReply(answer, key), key, response: undefined }
  }

  /** Undefined where the answer may be recorded. */
  #whyUnrecordable(
    { parsed, derivation, uncertainty }: Call,
    answer: WikiAnswer,
  ): string | undefined {
    const { request } = parsed
    if (request.unread !== undefined)
      return `the body of the request was not read: ${request.unread.why}`
    if (derivation.aboutSecret !== undefined)
      return `its answer depends on the secret in ${derivation.aboutSecret}, which is not stored`
    const { recordErrors, live, secrets } = this.#context
    const reason = quotingNoSecret(
      secrets,
      answer,
      whyUnrecordable(request, answer, recordErrors),
    )
    if (request.identity === 'unknown')
      return live.isImported === true
        ? 'cookies or an Authorization header were sent, and the recording does not say whose they are; record it again from the login on or with meta=userinfo, or remove these headers from the file if nobody was logged in'
        : 'cookies or an Authorization header were sent, and the wiki does not say by meta=userinfo who that is'
    return (
      reason ?? uncertainty?.() ?? this.#ownRequests.whyUncertain(request, derivation)
    )
  }

  #reportPassed(
    call: Call,
    answer: WikiAnswer,
    conversion: ResponseConversion,
    why: string,
  ): CallOutcome {
    const { secrets, summary, onEvent } = this.#context
    const { parsed, derivation } = call
    const outcome = this.#passOn(call, answer, conversion, why)
    const request = describeIncoming(parsed.request, derivation)
    // A request that contains a secret is described by its module alone.
    const isClean = secrets.findLeaks(request).length === 0
    const words = `${isClean ? request : folderOf(derivation.canonical)}: ${why}`
    summary.addNotRecorded(derivation.key, words)
    onEvent({ kind: 'passed-on', what: words })
    return outcome
  }

  /** @param why it should have been recorded and was not */
  #passOn(
    call: Call,
    answer: WikiAnswer,
    conversion: ResponseConversion,
    why: string | undefined,
  ): CallOutcome {
    this.#context.summary.counts.passedThrough += 1
    if (transientFailure(answer) !== undefined)
      this.#context.summary.counts.overloaded += 1
    if (why !== undefined) this.#context.summary.unrecorded += 1
    this.#learnSecrets(call, answer, conversion)
    const outcome = this.#renderUnrecorded(call, answer, conversion)
    return why === undefined
      ? outcome
      : { ...outcome, reply: { ...outcome.reply, whyNotRecorded: why } }
  }

  #advise({ incoming }: Call, answer: WikiAnswer): void {
    const userAgent = headerText(incoming.headers, 'user-agent')
    const advice = adviceFor(answer, this.#context.live.hasNoClient === true, userAgent)
    if (advice === undefined || this.#advised.has(advice)) return
    this.#advised.add(advice)
    this.#context.onEvent({ kind: 'advice', text: advice })
  }

  /** An answer that is not recorded may have the secrets of one that is. */
  #learnSecrets(
    { derivation }: Call,
    answer: WikiAnswer,
    conversion: ResponseConversion,
  ): void {
    const text = Buffer.from(answer.body.subarray(0, maxLearnedBytes)).toString('utf8')
    const body = { kind: 'text', text } as const
    const asText = { status: 200, headers: answer.headers, cookies: [], body }
    const response = conversion.kind === 'converted' ? conversion.response : asText
    this.#redactionGate.learnSecrets(derivation.canonical, response)
  }
}

/** Bytes of an unrecorded answer that are searched for secrets. */
const maxLearnedBytes = 4 * 1024 * 1024
