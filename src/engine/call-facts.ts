/** Gathers the facts by which `decide` decides about one call. */
import type { DecisionFacts } from '../playback/decide.ts'
import type { SessionMatch } from '../playback/lookup/find-in-session.ts'
import { mayAskWiki } from '../playback/mode.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { Call } from './call.ts'
import type { SessionRegistry } from './session/session-registry.ts'

/** What is the same for all calls of a run. */
export type RunFacts = Pick<DecisionFacts, 'mode' | 'isNew' | 'onMiss' | 'refuseWrites'>

/** @param recordedKey under which a concurrent request has just recorded its answer */
export function factsOfCall(
  { incoming, parsed: { request }, session, otherWiki, dependency }: Call,
  { match, fromEarlierEpoch }: SessionMatch,
  recordedKey: RequestKey | undefined,
  run: RunFacts & Pick<DecisionFacts, 'strict' | 'trouble'>,
  sessions: SessionRegistry,
): DecisionFacts {
  const derivation = dependency.scoped
  const { effect } = derivation
  const isRecorded = match.kind === 'recorded'
  const responseCount = isRecorded ? match.interaction.responses.length : 0
  const position = isRecorded ? session.position(match.exactKey) : 0
  return {
    ...run,
    otherWiki,
    unreadBody: request.kind === 'api' ? request.unread?.why : undefined,
    effect,
    writes: effect === 'write' || (request.kind === 'plain' && request.posted),
    // In a sequence the session may not have got that far.
    justRecorded: isRecorded && match.key === recordedKey && position >= responseCount - 1,
    fromEarlierEpoch,
    issuesCredentials:
      isRecorded &&
      mayAskWiki(run.mode) &&
      sessions.personaliser.issuesCredentials(match.response, incoming.headers, derivation),
    repeatedWrite: isRecorded && effect === 'write' && position >= responseCount,
  }
}
