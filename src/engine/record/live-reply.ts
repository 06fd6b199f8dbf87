/** Answers of the live wiki as replies to the client that asked. */
import type { RecordedResponse } from '../../cassette/interaction.ts'
import type { Taking } from '../../cassette/record/recorded-response.ts'
import { passReply, renderReply, type Serving } from '../../http/render-reply.ts'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import type { Call, Outcome } from '../call.ts'

/** Undefined where it does not fit into the envelope that the client asked for. */
export function renderLive(
  { understood, exchange: { rewriting } }: Call,
  response: RecordedResponse,
  serving: Omit<Serving, 'rewriting'>,
): Outcome | undefined {
  const reply = renderReply(response, understood.request, { ...serving, rewriting })
  return typeof reply === 'string' ? undefined : { reply, key: serving.key, response }
}

/**
 * The answer in the envelope that the client asked for, where it can be put there; otherwise as it came.
 * @param now the present in milliseconds
 */
export function asItIs(call: Call, answer: WikiAnswer, taking: Taking, now: number): Outcome {
  const { key } = call.derivation
  const serving = { status: 'passthrough', key, now } as const
  const outcome = taking.kind === 'taken' ? renderLive(call, taking.response, serving) : undefined
  return outcome === undefined
    ? { reply: passReply(answer, key), key, response: undefined }
    : withCookiesAside(outcome, taking)
}

/** The client that asks live gets also the cookies that no cassette keeps, just as they came. */
export function withCookiesAside(outcome: Outcome, taking: Taking): Outcome {
  if (taking.kind === 'refused' || taking.aside.length === 0) return outcome
  const aside = taking.aside.map((cookie) => ['set-cookie', cookie] as const)
  return { ...outcome, reply: { ...outcome.reply, headers: [...outcome.reply.headers, ...aside] } }
}
