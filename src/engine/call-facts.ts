/** Gathers the facts by which `decide` decides about one call. */
import type { DecisionFacts } from '../playback/decide.ts'
import type { SessionMatch } from '../playback/lookup/find-in-session.ts'
import { mayAskWiki } from '../playback/mode.ts'
import { nextTrouble, type TroubleKind, type TroublePlan } from '../playback/trouble.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { Call } from './call.ts'
import type { EngineOptions } from './engine-options.ts'

/** What is the same for all calls of a run. */
export type RunFacts = Pick<DecisionFacts, 'mode' | 'isNew' | 'onMiss' | 'refuseWrites'>

/** @param recordedKey under which a concurrent request has just recorded its answer */
export function factsOfCall(
  run: RunFacts,
  { store, sessions, trouble }: EngineOptions,
  call: Call,
  { match, fromEarlierEpoch }: SessionMatch,
  recordedKey: RequestKey | undefined,
): DecisionFacts {
  const { incoming, otherWiki, session, dependency } = call
  const { request } = call.parsed
  const derivation = dependency.scoped
  const { effect } = derivation
  const isRecorded = match.kind === 'recorded'
  const responseCount = isRecorded ? match.interaction.responses.length : 0
  const position = isRecorded ? session.position(match.exactKey) : 0
  const runWrites = mayAskWiki(run.mode) ? sessions.runWrites : undefined
  return {
    ...run,
    strict: store.manifest.match === 'strict',
    trouble: troubleOf(call, trouble?.plan),
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
    isOutdated:
      isRecorded &&
      runWrites?.haveOutdated(session, call.derivation.key, dependency.readSet, match.interaction) === true,
    afterReplayedWrite: runWrites?.areUnsent(dependency.readSet) === true,
    repeatedWrite: isRecorded && effect === 'write' && position >= responseCount,
  }
}

/** What a request meets, if the cassette has an answer to it. */
const troubleOf = (
  { incoming, parsed: { request }, dependency }: Call,
  plan: TroublePlan | undefined,
): TroubleKind | undefined =>
  plan === undefined || request.kind === 'plain' || incoming.method === 'HEAD'
    ? undefined
    : nextTrouble(plan, request, dependency.scoped)
