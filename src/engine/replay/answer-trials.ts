/** Makes answers without any effect, so that `decide` knows whether there is one. */
import type { AnswerSource, TrialResults } from '../../playback/decide.ts'
import type { LoopGuard } from '../../playback/session/loop-guard.ts'
import type { AnswerPlan, Call } from '../call.ts'
import type { LookupResult } from './lookup.ts'
import type { Replayer } from './replayer.ts'
import type { Synthesizer } from './synthesizer.ts'
import type { TokenGuard } from './token-guard.ts'

export interface TrialParts {
  readonly tokens: TokenGuard
  readonly replayer: Replayer
  readonly synthesizer: Synthesizer
  readonly loops: LoopGuard
  /** The present in milliseconds. */
  readonly now: () => number
}

/** @param source where the answer is to come from */
export function tryToAnswer(
  source: AnswerSource,
  call: Call,
  found: LookupResult,
  { tokens, replayer, synthesizer, loops, now }: TrialParts,
): TrialResults<AnswerPlan> {
  const nothing = { kind: 'nothing' } as const
  if (source === 'wiki' || source === 'none') return { badToken: undefined, trial: nothing }
  const badToken = tokens.plan(call, found)
  if (badToken !== undefined || source === 'only-token') return { badToken, trial: nothing }
  const trial = source === 'recording' ? replayer.plan(call, found) : synthesizer.plan(call, loops, now())
  return { badToken, trial }
}
