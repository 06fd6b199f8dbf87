/** Answers of the live wiki as replies to the client that asked. */
import type { RecordedResponse } from '../../cassette/interaction.ts'
import type { ResponseConversion } from '../../cassette/record/recorded-response.ts'
import { passThroughReply, type RenderOptions, renderReply } from '../../http/render-reply.ts'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import type { Call, CallOutcome } from '../call.ts'

/** Undefined where it does not fit the requested envelope. */
export function renderLive(
  { parsed, incoming: { rewriting } }: Call,
  response: RecordedResponse,
  serving: Omit<RenderOptions, 'rewriting'>,
): CallOutcome | undefined {
  const reply = renderReply(response, parsed.request, { ...serving, rewriting })
  return typeof reply === 'string' ? undefined : { reply, key: serving.key, response }
}

/**
 * The answer in the requested envelope where it fits, otherwise as it was received.
 * @param now the present in milliseconds
 */
export function renderUnrecorded(
  call: Call,
  answer: WikiAnswer,
  conversion: ResponseConversion,
  now: number,
): CallOutcome {
  const { key } = call.derivation
  const serving = { status: 'passthrough', key, now } as const
  const outcome = conversion.kind === 'converted' ? renderLive(call, conversion.response, serving) : undefined
  return outcome === undefined
    ? { reply: passThroughReply(answer, key), key, response: undefined }
    : withUnrecordedCookies(outcome, conversion)
}

/** Adds the cookies that are not recorded, as they were received. */
export function withUnrecordedCookies(outcome: CallOutcome, conversion: ResponseConversion): CallOutcome {
  if (conversion.kind === 'refused' || conversion.unrecordedCookies.length === 0) return outcome
  const cookies = conversion.unrecordedCookies.map((cookie) => ['set-cookie', cookie] as const)
  return { ...outcome, reply: { ...outcome.reply, headers: [...outcome.reply.headers, ...cookies] } }
}
