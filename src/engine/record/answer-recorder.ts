/** Records answers of the wiki; what must not be recorded is passed on, and reported with the reason. */
import { folderOf } from '../../cassette/interaction-path.ts'
import { convertResponse, type ResponseConversion } from '../../cassette/record/recorded-response.ts'
import { writeDependencyOf } from '../../playback/session/session.ts'
import type { SecretRegistry } from '../../privacy/known/secret-registry.ts'
import { derive } from '../../request/derive.ts'
import { StoreError } from '../../store/store-error.ts'
import { transientFailure, whyUnrecordable } from '../../upstream/answers/recordable.ts'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import type { Call, CallOutcome } from '../call.ts'
import type { EngineOptions } from '../engine-options.ts'
import type { LiveWiki } from '../live-wiki.ts'
import { describeIncoming } from '../miss/describe-request.ts'
import type { OwnRequests } from '../own-requests/own-requests.ts'
import type { RedactionGate } from '../redaction/redaction-gate.ts'
import type { RunSummary } from '../run-summary.ts'
import { identityInAnswer } from '../session/update-session.ts'
import { runInSlices, yieldAfterLarge } from '../time-slices.ts'
import { wikiFactsOf } from '../wiki-facts.ts'
import { adviceFor } from './advice.ts'
import type { InteractionWriter } from './interaction-writer.ts'
import { renderLive, renderUnrecorded, withUnrecordedCookies } from './live-reply.ts'

export interface AnswerRecorderOptions
  extends Pick<EngineOptions, 'store' | 'sessions' | 'recordErrors' | 'keepCookies' | 'now' | 'report'> {
  /** All secrets that this server has seen. */
  readonly secrets: SecretRegistry
  readonly live: LiveWiki
  readonly summary: RunSummary
}

interface AnswerRecorderParts extends AnswerRecorderOptions {
  readonly ownRequests: OwnRequests
  readonly redactionGate: RedactionGate
  readonly writer: InteractionWriter
}

export class AnswerRecorder {
  readonly #options: AnswerRecorderParts
  readonly #advised = new Set<string>()

  constructor(options: AnswerRecorderParts) {
    this.#options = options
  }

  async record(call: Call, answer: WikiAnswer): Promise<CallOutcome> {
    await this.#options.ownRequests.findSessionCookie(call, answer)
    const conversion = await this.#convert(call, answer)
    return this.#recordOrPass(this.#asCaller(call, conversion), answer, conversion)
  }

  /** Passes an answer on that is not to be recorded, without a report. */
  async pass(call: Call, answer: WikiAnswer): Promise<CallOutcome> {
    const why = call.incoming.isCrossOrigin === true ? 'a page of another site sent the request' : undefined
    return this.#passOn(call, answer, await this.#convert(call, answer), why)
  }

  /** A message that does not quote an answer with a secret, since messages end up in CI logs. */
  quotingNoSecret(answer: WikiAnswer, why: (quotes: boolean) => string | undefined): string | undefined {
    const words = why(true)
    return words !== undefined && this.#options.redactionGate.containsSecret(answer) ? why(false) : words
  }

  #convert(call: Call, answer: WikiAnswer): Promise<ResponseConversion> {
    const { now, keepCookies = [], store } = this.#options
    const selection = { optedIn: keepCookies, sessions: store.manifest.sessionCookies ?? [] }
    return runInSlices(convertResponse(call.parsed.request, answer, now(), selection))
  }

  /** The call as of the caller that the answer names: a session that was known may have expired. */
  #asCaller(call: Call, conversion: ResponseConversion): Call {
    const { store, sessions } = this.#options
    const { request } = call.parsed
    const caller =
      conversion.kind === 'converted' ? identityInAnswer(call, conversion.response, sessions) : undefined
    if (caller === undefined || caller === request.identity) return call
    const parsed = { ...call.parsed, request: { ...request, identity: caller } }
    const derivation = derive(parsed.request, wikiFactsOf(store))
    const dependency = writeDependencyOf(derivation, call.session, store.manifest.site)
    return { ...call, parsed, derivation: dependency.scoped, dependency }
  }

  async #recordOrPass(call: Call, answer: WikiAnswer, conversion: ResponseConversion): Promise<CallOutcome> {
    this.#advise(call, answer)
    const reason = this.#whyUnrecordable(call, answer)
    if (conversion.kind === 'refused')
      return this.#reportPassed(call, answer, conversion, reason ?? conversion.reason)
    if (reason !== undefined) return this.#reportPassed(call, answer, conversion, reason)
    try {
      const fresh = await this.#options.redactionGate.redact(call.parsed.request, conversion.response)
      const recorded = await this.#options.writer.record({ call, conversion, fresh })
      await yieldAfterLarge(answer)
      const now = this.#options.now()
      const outcome =
        recorded && renderLive(call, recorded.response, { status: 'recorded', key: recorded.key, now })
      this.#options.summary.notRecorded.delete(call.derivation.key)
      if (outcome !== undefined) return withUnrecordedCookies(outcome, conversion)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      this.#options.summary.unwritten += 1
      this.#options.report(`not recorded: ${error.message}`)
    }
    return renderUnrecorded(call, answer, conversion, this.#options.now())
  }

  /** Undefined where the answer may be recorded. */
  #whyUnrecordable({ parsed, derivation, uncertainty }: Call, answer: WikiAnswer): string | undefined {
    const { request } = parsed
    if (request.kind === 'api' && request.unread !== undefined)
      return `the body of the request was not read: ${request.unread.why}`
    const { recordErrors, live } = this.#options
    const reason = this.quotingNoSecret(answer, (quotes) =>
      whyUnrecordable(request, answer, recordErrors, quotes),
    )
    if (request.identity === 'unknown')
      return live.isImported === true
        ? 'cookies were sent, and the recording does not say whose they are; record it again from the login on or with meta=userinfo, or remove the header Cookie from the file if nobody was logged in'
        : 'cookies were sent, and the wiki does not say by meta=userinfo who that is'
    return reason ?? uncertainty?.() ?? this.#options.ownRequests.whyUncertain(request, derivation)
  }

  /** A request that contains a secret is described by its module alone. */
  #describeCall({ parsed, derivation }: Call): string {
    const words = describeIncoming(parsed.request, derivation)
    return this.#options.secrets.findLeaks(words).length === 0 ? words : folderOf(derivation.canonical)
  }

  async #reportPassed(
    call: Call,
    answer: WikiAnswer,
    conversion: ResponseConversion,
    why: string,
  ): Promise<CallOutcome> {
    const outcome = await this.#passOn(call, answer, conversion, why)
    const words = `${this.#describeCall(call)}: ${why}`
    this.#options.summary.addNotRecorded(call.derivation.key, words)
    this.#options.report(`not recorded, passed on: ${words}`)
    return outcome
  }

  /** @param why it should have been recorded and was not */
  async #passOn(
    call: Call,
    answer: WikiAnswer,
    conversion: ResponseConversion,
    why: string | undefined,
  ): Promise<CallOutcome> {
    this.#options.summary.passedThrough += 1
    if (transientFailure(answer) !== undefined) this.#options.summary.overloaded += 1
    if (why !== undefined) this.#options.summary.unrecorded += 1
    await this.#learnSecrets(call, answer, conversion)
    const outcome = renderUnrecorded(call, answer, conversion, this.#options.now())
    return why === undefined ? outcome : { ...outcome, reply: { ...outcome.reply, whyNotRecorded: why } }
  }

  #advise({ incoming }: Call, answer: WikiAnswer): void {
    const advice = adviceFor(answer, this.#options.live.hasNoClient === true, incoming.headers)
    if (advice === undefined || this.#advised.has(advice)) return
    this.#advised.add(advice)
    this.#options.report(advice)
  }

  /** An answer that is not recorded may have the secrets of one that is. */
  #learnSecrets({ parsed }: Call, answer: WikiAnswer, conversion: ResponseConversion): Promise<void> {
    const text = Buffer.from(answer.body.subarray(0, maxLearnedBytes)).toString('utf8')
    const body = { kind: 'text', text } as const
    const asText = { status: 200, headers: answer.headers, cookies: [], body }
    return this.#options.redactionGate.learnSecrets(
      parsed.request,
      conversion.kind === 'converted' ? conversion.response : asText,
    )
  }
}

/** Bytes of an unrecorded answer that are searched for secrets. */
const maxLearnedBytes = 4 * 1024 * 1024
