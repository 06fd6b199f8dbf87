/** Gathers the facts by which `decide` decides about one call. */
import { type DecisionFacts, mayAskWiki } from '../playback/decide.ts'
import type { SessionMatch } from '../playback/lookup/find-in-session.ts'
import { nextTrouble } from '../playback/trouble.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { Call } from './call.ts'
import type { EngineContext } from './engine-options.ts'
import { issuesCredentials } from './session/personaliser.ts'

/** @param recordedKey under which a concurrent request has just recorded its answer */
export function factsOfCall(
  { store, sessions, trouble, mode, isNew, onMiss, refuseWrites }: EngineContext,
  { incoming, parsed: { request }, derivation, otherWiki, session, dependency }: Call,
  { match, fromEarlierEpoch }: SessionMatch,
  recordedKey: RequestKey | undefined,
): DecisionFacts {
  const { scoped, readSet } = dependency
  const { effect } = scoped
  const isRecorded = match.kind === 'recorded'
  const responseCount = isRecorded ? match.interaction.responses.length : 0
  const position = isRecorded ? session.position(match.exactKey) : 0
  const runWrites = mayAskWiki(mode) ? sessions.runWrites : undefined
  const plan = incoming.method === 'HEAD' ? undefined : trouble?.plan
  return {
    mode,
    isNew,
    onMiss,
    refuseWrites,
    strict: store.manifest.match === 'strict',
    trouble: plan && request.kind === 'api' ? nextTrouble(plan, request, scoped) : undefined,
    otherWiki,
    unreadBody: request.kind === 'api' ? request.unread?.why : undefined,
    effect,
    writes: effect === 'write' || (request.kind === 'plain' && request.posted),
    // In a sequence the session may not have got that far.
    justRecorded: isRecorded && match.key === recordedKey && position >= responseCount - 1,
    fromEarlierEpoch,
    issuesCredentials:
      isRecorded &&
      mayAskWiki(mode) &&
      issuesCredentials(match.response, scoped, sessions.credentialsOf(incoming.headers)),
    isOutdated:
      isRecorded && runWrites?.haveOutdated(session, derivation.key, readSet, match.interaction) === true,
    afterReplayedWrite: runWrites?.areUnsent(readSet) === true,
    repeatedWrite: isRecorded && effect === 'write' && position >= responseCount,
  }
}
