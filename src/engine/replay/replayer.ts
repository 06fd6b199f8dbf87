/** Replays a recording in the requested envelope, with the cookies and tokens of the session. */
import { renderReply } from '../../http/render-reply.ts'
import { answerSource, type DecisionFacts, type Trial, type TrialResults } from '../../playback/decide.ts'
import type { LoopGuard } from '../../playback/session/loop-guard.ts'
import type { AnswerPlan, Call, CallOutcome, RecordedMatch } from '../call.ts'
import type { EngineContext } from '../engine-options.ts'
import { personalise } from '../session/personaliser.ts'
import type { LookupResult } from './lookup.ts'
import type { Synthesizer } from './synthesizer.ts'
import type { TokenGuard } from './token-guard.ts'

interface ReplayerParts {
  readonly tokens: TokenGuard
  readonly synthesizer: Synthesizer
  readonly loops: LoopGuard
  /** While recording: called for each recording that is served. */
  readonly noteServed: ((call: Call, match: RecordedMatch) => void) | undefined
}

export class Replayer {
  readonly #context: EngineContext
  readonly #parts: ReplayerParts

  constructor(context: EngineContext, parts: ReplayerParts) {
    this.#context = context
    this.#parts = parts
  }

  /** Makes an answer without any effect, so that `decide` knows whether there is one. */
  tryToAnswer(call: Call, found: LookupResult, facts: DecisionFacts): TrialResults<AnswerPlan> {
    const source = answerSource(found.match, facts)
    const { tokens, synthesizer, loops } = this.#parts
    const nothing = { kind: 'nothing' } as const
    if (source === 'wiki' || source === 'none') return { badToken: undefined, trial: nothing }
    const badToken = tokens.plan(call, found)
    if (badToken !== undefined || source === 'only-token') return { badToken, trial: nothing }
    const trial =
      source === 'recording' ? this.plan(call, found) : synthesizer.plan(call, loops, this.#context.now())
    return { badToken, trial }
  }

  plan(call: Call, { match, dependsOn }: LookupResult): Trial<AnswerPlan> {
    if (match.kind !== 'recorded') return { kind: 'nothing' }
    const { sessions, now } = this.#context
    const { synthesizer, loops } = this.#parts
    const { incoming, parsed, session, dependency } = call
    const credentials = sessions.credentialsOf(incoming.headers)
    const response = personalise(match.response, dependency.scoped, credentials)
    const step = synthesizer.walkStep(dependency.scoped, match.response)
    const circle = loops.circleReason(session, step)
    if (circle !== undefined) return { kind: 'circle', why: circle }
    const { key } = match
    const { rewriting } = incoming
    const serving = { status: 'replayed', key, now: now(), rewriting } as const
    const reply = renderReply(response, parsed.request, serving)
    if (typeof reply === 'string')
      return { kind: 'not-renderable', why: `It cannot be served in this envelope: ${reply}.` }
    const isCacheable = match.interaction.responses.length === 1 && response.cookies.length === 0
    return { kind: 'ready', plan: { outcome: { reply, key, response, isCacheable, dependsOn }, step, match } }
  }

  /** Sends what was replayed or synthesised, or the wiki's refusal of a token. @param call in its present epoch */
  send(call: Call, { outcome, step, match }: AnswerPlan): CallOutcome {
    const { summary } = this.#context
    const { loops, noteServed } = this.#parts
    const { session } = call
    loops.note(session, step)
    if (outcome.reply.cassetteStatus === 'synthesized') {
      summary.synthesized += 1
      summary.addProofs(outcome.reply.from ?? [])
      if (match !== undefined) summary.used.add(match.key)
      return outcome
    }
    if (match !== undefined) {
      if (noteServed !== undefined) noteServed(call, match)
      else if (match.interaction.responses.length > 1)
        session.advance(match.exactKey, { ...match, position: session.position(match.exactKey) })
    }
    summary.replayed += 1
    summary.used.add(outcome.key)
    return outcome
  }
}
