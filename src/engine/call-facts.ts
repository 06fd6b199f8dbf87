/** Gathers the facts by which `decide` decides about one call. */
import type { Facts } from '../playback/decide.ts'
import type { Found } from '../playback/lookup/find-in-session.ts'
import { goesOut } from '../playback/mode.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { Call } from './call.ts'
import type { Sessions } from './session/session-registry.ts'

/** What is the same for all calls of a run. */
export type RunFacts = Pick<Facts, 'mode' | 'isNew' | 'onMiss' | 'refuseWrites'>

/** What of a call is not seen in the call itself. */
export interface Circumstances {
  readonly strict: boolean
  readonly found: Found
  /** Where a concurrent request of the same key has just recorded its answer. */
  readonly recorded: RequestKey | undefined
}

export function factsAbout(
  { exchange, understood: { request }, session, otherWiki, standing }: Call,
  { strict, found: { match, earlier }, recorded }: Circumstances,
  run: RunFacts,
  sessions: Sessions,
): Facts {
  const derivation = standing.place
  const { effect } = derivation
  const replays = match.kind === 'recorded'
  const answers = replays ? match.interaction.responses.length : 0
  const turn = replays ? session.turn(match.spelled) : 0
  return {
    ...run,
    strict,
    otherWiki,
    unreadBody: request.kind === 'api' ? request.unread?.why : undefined,
    effect,
    writes: effect === 'write' || (request.kind === 'plain' && request.posted),
    // In a sequence the session may not have come so far.
    justRecorded: replays && match.key === recorded && turn >= answers - 1,
    earlier,
    personal: replays && goesOut(run.mode) && sessions.handsOut(match.response, { exchange, derivation }),
    wornOut: replays && effect === 'write' && turn >= answers,
  }
}
