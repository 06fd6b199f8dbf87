/** Replays a recording in the requested envelope, with the cookies and tokens of the session. */
import { renderReply } from '../../http/render-reply.ts'
import { answerSource, type DecisionFacts, type Trial, type TrialResults } from '../../playback/decide.ts'
import type { AnswerPlan, Call, CallOutcome } from '../call.ts'
import type { EngineParts } from '../engine-parts.ts'
import { personalise } from '../session/personaliser.ts'
import type { LookupResult } from './lookup.ts'
import { planRefusal } from './token-guard.ts'

/** Makes an answer without any effect, so that `decide` knows whether there is one. */
export function tryToAnswer(
  call: Call,
  found: LookupResult,
  facts: DecisionFacts,
  parts: EngineParts,
): TrialResults<AnswerPlan> {
  const { context, synthesizer, loops } = parts
  const source = answerSource(found.match, facts)
  const nothing = { kind: 'nothing' } as const
  if (source === 'wiki' || source === 'none') return { badToken: undefined, trial: nothing }
  const badToken = planRefusal(call, found, parts)
  if (badToken !== undefined || source === 'only-token') return { badToken, trial: nothing }
  const trial =
    source === 'recording' ? planReplay(call, found, parts) : synthesizer.plan(call, loops, context.now())
  return { badToken, trial }
}

export function planReplay(
  { incoming, parsed, session, dependency: { scoped } }: Call,
  { match, dependsOn }: LookupResult,
  { context, synthesizer, loops }: EngineParts,
): Trial<AnswerPlan> {
  if (match.kind !== 'recorded') return { kind: 'nothing' }
  const { headers, rewriting } = incoming
  const response = personalise(match.response, scoped, context.sessions.credentialsOf(headers))
  const step = synthesizer.walkStep(scoped, match.response)
  const circle = loops.circleReason(session, step)
  if (circle !== undefined) return { kind: 'circle', why: circle }
  const { key } = match
  const serving = { status: 'replayed', key, now: context.now(), rewriting } as const
  const reply = renderReply(response, parsed.request, serving)
  if (typeof reply === 'string')
    return { kind: 'not-renderable', why: `It cannot be served in this envelope: ${reply}.` }
  const isCacheable = match.interaction.responses.length === 1 && response.cookies.length === 0
  return { kind: 'ready', plan: { outcome: { reply, key, response, isCacheable, dependsOn }, step, match } }
}

/** Sends what was replayed or synthesised, or the wiki's refusal of a token. @param call in its present epoch */
export function sendAnswer(
  call: Call,
  { outcome, step, match }: AnswerPlan,
  { context: { summary }, live, loops }: EngineParts,
): CallOutcome {
  const { session } = call
  loops.note(session, step)
  if (outcome.reply.cassetteStatus === 'synthesized') {
    summary.synthesized += 1
    summary.addProofs(outcome.reply.from ?? [])
    if (match !== undefined) summary.used.add(match.key)
    return outcome
  }
  if (match !== undefined) {
    if (live !== undefined) live.writer.noteServed(call, match)
    else if (match.interaction.responses.length > 1)
      session.advance(match.exactKey, { ...match, position: session.position(match.exactKey) })
  }
  summary.replayed += 1
  summary.used.add(outcome.key)
  return outcome
}
