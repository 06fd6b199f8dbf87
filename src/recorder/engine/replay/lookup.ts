/** Looks up requests in the store of a cassette, and reports recordings that cannot be read. */
import { sameTexts } from '../../cassette/interaction.ts'
import type { IncomingHeaders } from '../../http/incoming-request.ts'
import {
  findInSession,
  type InteractionLookup,
  type SessionMatch
} from '../../playback/lookup/find-in-session.ts'
import type { FindInteraction, Match } from '../../playback/lookup/match.ts'
import { writeDependencyOf } from '../../playback/session/session.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { keyForHeaders } from '../../request/scoped-keys.ts'
import { type Call, isMatchable } from '../call.ts'
import { chosenBy } from '../choosing-headers.ts'
import type { EngineContext } from '../engine-options.ts'
import { brokenText } from '../miss/remedies.ts'

export interface LookupResult extends SessionMatch {
  /** The recordings that were read, or could not be; none where they are not known. */
  readonly dependsOn: readonly RequestKey[]
}

const noMatch: LookupResult = {
  match: { kind: 'missing' },
  fromEarlierEpoch: false,
  dependsOn: []
}

/** @throws PendingRead */
export function findRecording(
  call: Call,
  { store, sessions, onEvent, live }: EngineContext
): LookupResult {
  if (!isMatchable(call) || call.derivation.aboutSecret !== undefined) return noMatch
  const { incoming, parsed, derivation, session, dependency } = call
  const read = new Set<RequestKey>()
  const isReplay = live === undefined
  const find: FindInteraction = (key, canonical, isKnown = isReplay) => {
    // A replay follows changes of the folder; while recording, another process may have written this one just now.
    const stored = isKnown ? store.get(key) : store.getOrDiscover(key, canonical)
    if (store.has(key)) read.add(key)
    if (stored.kind === 'broken')
      onEvent({ kind: 'broken-recording', why: brokenText(stored) })
    return stored.interaction
  }
  const { site } = store.manifest
  // Callers by Authorization are told apart by whom it names.
  const mayTakeTurns = isReplay && incoming.headers['authorization'] === undefined
  const sources: InteractionLookup = {
    find,
    has: (key) => store.has(key),
    site,
    isOlder: store.manifest.writes === undefined,
    turnOf: (another, one) =>
      mayTakeTurns ? sessions.turns.next(another, one) : undefined
  }
  const first = findInSession(parsed.request, derivation, session, dependency, sources)
  const others = otherHeaders(incoming.headers, first.match)
  let found = first
  if (others) {
    const narrowed = keyForHeaders(derivation, others)
    found = findInSession(
      parsed.request,
      narrowed,
      session,
      writeDependencyOf(narrowed, session, site),
      sources
    )
  }
  // A match of another epoch depends on all recordings of its folder.
  const { match, fromEarlierEpoch } = found
  return { match, fromEarlierEpoch, dependsOn: fromEarlierEpoch ? [] : [...read] }
}

/** The headers of the request, if the answer varies by any and was recorded for others. */
function otherHeaders(headers: IncomingHeaders, match: Match) {
  const recorded = match.kind === 'recorded' ? match.interaction.chosenBy : undefined
  const sent = recorded && chosenBy(recorded.keys(), headers)
  return recorded && sent && !sameTexts(recorded, sent) ? sent : undefined
}
