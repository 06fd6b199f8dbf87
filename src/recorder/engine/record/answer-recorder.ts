/** Records answers of the wiki; what must not be recorded is passed on, and reported with the reason. */
import { answerDigest, type RecordedResponse } from '../../cassette/interaction.ts'
import {
  convertResponse,
  type ResponseConversion
} from '../../cassette/record/recorded-response.ts'
import { failureIn } from '../../cassette/recorded-failure.ts'
import { headerText } from '../../http/incoming-request.ts'
import { writeDependencyOf } from '../../playback/session/session.ts'
import { lacksOrigin } from '../../request/api-request.ts'
import { derive } from '../../request/derive.ts'
import { StoreError } from '../../store/store-error.ts'
import {
  adviceFor,
  quotedStray,
  whyUnrecordable
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
import { AnswerPasser } from './answer-passer.ts'
import type { InteractionWriter } from './interaction-writer.ts'

export class AnswerRecorder {
  readonly #context: LiveContext
  readonly #ownRequests: OwnRequests
  readonly #redactionGate: RedactionGate
  readonly #writer: InteractionWriter
  readonly #passer: AnswerPasser
  readonly #advised = new Set<string>()

  constructor(
    context: LiveContext,
    ownRequests: OwnRequests,
    redactionGate: RedactionGate,
    writer: InteractionWriter
  ) {
    this.#context = context
    this.#ownRequests = ownRequests
    this.#redactionGate = redactionGate
    this.#writer = writer
    this.#passer = new AnswerPasser(context, redactionGate)
  }

  async record(call: Call, answer: WikiAnswer): Promise<CallOutcome> {
    await this.#ownRequests.findSessionCookie(call, answer)
    const conversion = this.#convert(call, answer)
    return this.#recordOrPass(this.#asCaller(call, conversion), answer, conversion)
  }

  /** Passes an answer on that is not to be recorded, without a report. */
  pass(call: Call, answer: WikiAnswer): CallOutcome {
    const why = call.incoming.isCrossOrigin
      ? 'a page of another site sent the request'
      : undefined
    return this.#passer.pass(call, answer, this.#convert(call, answer), why)
  }

  #convert(call: Call, answer: WikiAnswer) {
    const { now, keepCookies = [], store } = this.#context
    const selection = {
      optedIn: keepCookies,
      sessions: store.manifest.sessionCookies ?? []
    }
    return convertResponse(call.parsed.request, answer, now(), selection)
  }

  /** The call as of the caller that the answer names: a session that was known may have expired. */
  #asCaller(call: Call, conversion: ResponseConversion) {
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
  #keepCaller({ incoming, parsed: { request } }: Call) {
    const { store, sessions } = this.#context
    if (lacksOrigin(request)) return
    const caller = sessions.identities.callerToKeep(incoming, request.identity)
    const callers = caller && withCaller(store.manifest.callers, caller)
    if (callers) store.setManifest({ ...store.manifest, callers })
  }

  async #recordOrPass(call: Call, answer: WikiAnswer, conversion: ResponseConversion) {
    this.#advise(call, answer)
    const reason = this.#whyUnrecordable(call, answer)
    if (conversion.kind === 'refused') {
      const refusal = conversion.reason + quotedStray(conversion.stray ?? '')
      const why = quotingNoSecret(this.#context.secrets, answer, refusal)
      return this.#passer.report(
        call,
        answer,
        conversion,
        reason ?? why ?? conversion.reason
      )
    }
    if (reason !== undefined) return this.#passer.report(call, answer, conversion, reason)
    try {
      await this.#ownRequests.learnCallersAddress(call, answer)
      const fresh = this.#redactionGate.redact(
        call.derivation.canonical,
        conversion.response
      )
      this.#keepCaller(call)
      const vary = answer.headers.get('vary')
      const chosenBy = headersThatChose(vary, call.incoming.headers, call.parsed.request)
      const recorded = await this.#writer.record({ ...call, chosenBy }, conversion, fresh)
      const { unrecordedCookies: cookies } = conversion
      const outcome =
        recorded && this.#passer.renderAs('recorded', call, { ...recorded, cookies })
      this.#context.summary.notRecorded.delete(call.derivation.key)
      this.#noteFailure(call, fresh)
      if (outcome) {
        const reply = { ...outcome.reply, answer: answerDigest(fresh.body) }
        return { ...outcome, reply }
      }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      this.#context.summary.unwritten += 1
      this.#context.onEvent({ kind: 'not-written', why: error.message })
    }
    return this.#passer.render(call, answer, conversion)
  }

  /** Until the same request gets another answer. */
  #noteFailure({ parsed, derivation }: Call, fresh: RecordedResponse) {
    const { passingErrors } = this.#context.summary
    const failure = failureIn(fresh)
    if (failure?.looksPassing)
      passingErrors.set(
        derivation.key,
        `${describeIncoming(parsed.request, derivation)}: ${failure.what}`
      )
    else passingErrors.delete(derivation.key)
  }

  /** Undefined where the answer may be recorded. */
  #whyUnrecordable({ parsed, derivation, uncertainty }: Call, answer: WikiAnswer) {
    const { request } = parsed
    if (request.unread)
      return `the body of the request was not read: ${request.unread.why}`
    if (derivation.aboutSecret !== undefined)
      return `its answer depends on the secret in ${derivation.aboutSecret}, which is not stored`
    const { recordErrors, live, secrets } = this.#context
    const reason = quotingNoSecret(
      secrets,
      answer,
      whyUnrecordable(request, answer, recordErrors)
    )
    if (request.identity === 'unknown')
      return live.isImported
        ? 'cookies or an Authorization header were sent, and the recording does not say whose they are; record it again from the login on or with meta=userinfo, or remove these headers from the file if nobody was logged in'
        : 'cookies or an Authorization header were sent, and the wiki does not say by meta=userinfo who that is'
    return (
      reason ?? uncertainty?.() ?? this.#ownRequests.whyUncertain(request, derivation)
    )
  }

  #advise({ incoming }: Call, answer: WikiAnswer) {
    const userAgent = headerText(incoming.headers, 'user-agent')
    const advice = adviceFor(answer, this.#context.live.hasNoClient === true, userAgent)
    if (advice === undefined || this.#advised.has(advice)) return
    this.#advised.add(advice)
    this.#context.onEvent({ kind: 'advice', text: advice })
  }
}
