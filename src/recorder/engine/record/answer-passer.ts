/** Passes on answers of the wiki that are not recorded, as the client gets them. */
import type { RecordedResponse } from '../../cassette/interaction.ts'
import { folderOf } from '../../cassette/interaction-path.ts'
import type { ResponseConversion } from '../../cassette/record/recorded-response.ts'
import type { CassetteStatus } from '../../http/incoming-request.ts'
import { passThroughReply, renderReply } from '../../http/render-reply.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { transientFailure } from '../../upstream/answers/recordable.ts'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import type { Call, CallOutcome } from '../call.ts'
import type { LiveContext } from '../engine-options.ts'
import { describeIncoming } from '../miss/describe-request.ts'
import type { RedactionGate } from '../redaction/redaction-gate.ts'

interface RenderedAnswer {
  readonly response: RecordedResponse
  readonly key: RequestKey
  /** Those that are not recorded, as they were received. */
  readonly cookies: readonly string[]
}

export class AnswerPasser {
  readonly #context: LiveContext
  readonly #redactionGate: RedactionGate

  constructor(context: LiveContext, redactionGate: RedactionGate) {
    this.#context = context
    this.#redactionGate = redactionGate
  }

  report(
    call: Call,
    answer: WikiAnswer,
    conversion: ResponseConversion,
    why: string
  ): CallOutcome {
    const { secrets, summary, onEvent } = this.#context
    const { parsed, derivation } = call
    const outcome = this.pass(call, answer, conversion, why)
    const request = describeIncoming(parsed.request, derivation)
    // A request that contains a secret is described by its module alone.
    const isClean = secrets.findLeaks(request).length === 0
    const words = `${isClean ? request : folderOf(derivation.canonical)}: ${why}`
    summary.addNotRecorded(derivation.key, words)
    onEvent({ kind: 'passed-on', what: words })
    return outcome
  }

  /** @param why it should have been recorded and was not */
  pass(
    call: Call,
    answer: WikiAnswer,
    conversion: ResponseConversion,
    why: string | undefined
  ): CallOutcome {
    this.#context.summary.counts.passedThrough += 1
    if (transientFailure(answer) !== undefined)
      this.#context.summary.counts.overloaded += 1
    if (why !== undefined) this.#context.summary.unrecorded += 1
    this.#learnSecrets(call, answer, conversion)
    const outcome = this.render(call, answer, conversion)
    return why === undefined
      ? outcome
      : { ...outcome, reply: { ...outcome.reply, whyNotRecorded: why } }
  }

  /** Undefined where it does not fit the requested envelope. Cookies that are not recorded are sent as they were received. */
  renderAs(
    status: CassetteStatus,
    { parsed, incoming: { rewriting } }: Call,
    { response, key, cookies: unrecorded }: RenderedAnswer
  ): CallOutcome | undefined {
    const reply = renderReply(response, parsed.request, {
      status,
      key,
      now: this.#context.now(),
      rewriting
    })
    if (typeof reply === 'string') return undefined
    const cookies = unrecorded.map((cookie) => ['set-cookie', cookie] as const)
    return { reply: { ...reply, headers: [...reply.headers, ...cookies] }, key, response }
  }

  /** The answer in the requested envelope where it fits, otherwise as it was received. */
  render(call: Call, answer: WikiAnswer, conversion: ResponseConversion): CallOutcome {
    const { key } = call.derivation
    const outcome =
      conversion.kind === 'converted'
        ? this.renderAs('passthrough', call, {
            response: conversion.response,
            key,
            cookies: conversion.unrecordedCookies
          })
        : undefined
    return outcome ?? { reply: passThroughReply(answer, key), key, response: undefined }
  }

  /** An answer that is not recorded may have the secrets of one that is. */
  #learnSecrets(
    { derivation }: Call,
    answer: WikiAnswer,
    conversion: ResponseConversion
  ) {
    const text = Buffer.from(answer.body.subarray(0, maxLearnedBytes)).toString('utf8')
    const body = { kind: 'text', text } as const
    const asText = { status: 200, headers: answer.headers, cookies: [], body }
    const response = conversion.kind === 'converted' ? conversion.response : asText
    this.#redactionGate.learnSecrets(derivation.canonical, response)
  }
}

/** Bytes of an unrecorded answer that are searched for secrets. */
const maxLearnedBytes = 4 * 1024 * 1024
