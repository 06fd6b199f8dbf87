/** Answers with a recording, in the envelope and with the cookies and tokens of the client that asks. */

import { renderReply } from '../../http/render-reply.ts'
import type { Trial } from '../../playback/decide.ts'
import type { LoopGuards } from '../../playback/session/loop-guard.ts'
import type { Call, Outcome, Plan, RecordedMatch } from '../call.ts'
import { holds } from '../redaction/secret-scan.ts'
import type { Summary } from '../run-summary.ts'
import type { Sessions } from '../session/session-registry.ts'
import type { FoundHere } from './lookup.ts'
import type { Synthesiser } from './synthesiser.ts'

export interface ReplayerOptions {
  readonly sessions: Sessions
  readonly synthesiser: Synthesiser
  readonly loops: LoopGuards
  readonly summary: Summary
  /** The present in milliseconds. */
  readonly now: () => number
  /** While recording: told of each recording that was served. */
  readonly noteServed: ((call: Call, match: RecordedMatch) => void) | undefined
}

/** Characters or bytes of an answer that it takes a good part of a turn to read, and another to write. */
const largeToServe = 1_000_000

export class Replayer {
  readonly #options: ReplayerOptions

  constructor(options: ReplayerOptions) {
    this.#options = options
  }

  /**
   * True where others should be let in before it is rendered: it is large and has been read just now. Never of a
   * sequence, nor while recording, where turns count.
   */
  isSlow({ match }: FoundHere): boolean {
    if (this.#options.noteServed !== undefined || match.kind !== 'recorded') return false
    const { responses } = match.interaction
    return responses.length === 1 && holds(largeToServe, responses)
  }

  plan(call: Call, { match, rests }: FoundHere): Trial<Plan> {
    if (match.kind !== 'recorded') return { kind: 'nothing' }
    const { sessions, synthesiser, loops, now } = this.#options
    const { exchange, understood, session, standing } = call
    const response = sessions.dress(match.response, { exchange, derivation: standing.place })
    const step = synthesiser.step(standing.place, match.response)
    const circle = loops.whyCircle(session, step)
    if (circle !== undefined) return { kind: 'circle', why: circle }
    const { key } = match
    const { rewriting } = exchange
    const serving = { status: 'replayed', key, now: now(), rewriting } as const
    const reply = renderReply(response, understood.request, serving)
    if (typeof reply === 'string')
      return { kind: 'not-renderable', why: `It cannot be served in this envelope: ${reply}.` }
    const lasting = match.interaction.responses.length === 1 && response.cookies.length === 0
    return { kind: 'ready', plan: { outcome: { reply, key, response, lasting, rests }, step, match } }
  }

  /** @param call in its present epoch */
  replay(call: Call, { outcome, step, match }: Plan): Outcome {
    const { loops, noteServed, summary } = this.#options
    const { session } = call
    loops.note(session, step)
    if (match !== undefined) {
      if (noteServed !== undefined) noteServed(call, match)
      else if (match.interaction.responses.length > 1)
        session.advance(match.spelled, { ...match, turn: session.turn(match.spelled) })
    }
    summary.replayed += 1
    summary.used.add(outcome.key)
    return outcome
  }

  sendSynthesised({ session }: Call, { outcome, step }: Plan): Outcome {
    const { loops, summary } = this.#options
    loops.note(session, step)
    summary.synthesized += 1
    summary.prove(outcome.reply.from ?? [])
    return outcome
  }
}
