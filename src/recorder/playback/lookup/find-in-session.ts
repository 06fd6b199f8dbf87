/** Finds the recording for a request: in one session's present epoch, in others, of an anonymous caller; or says why it is missing. */

import type { Interaction } from '../../cassette/interaction.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import {
  keyForAnonymous,
  keyForExactOrder,
  keyForSession
} from '../../request/scoped-keys.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { hasOnlyQuery } from '../reorder/page-siblings.ts'
import type { RecordedTurn } from '../session/answer-order.ts'
import {
  equivalentDerivations,
  type Session,
  type WriteDependency
} from '../session/session.ts'
import { answerFor } from '../session/write-log.ts'
import { hidesAnything, isCallerIndependent } from './caller-independent.ts'
import {
  type ChooseAnswer,
  type FindInteraction,
  findMatch,
  type Match,
  withRefusedLag
} from './match.ts'

export interface SessionMatch {
  readonly match: Match
  /** Recorded under another key than the present epoch's, and valid there too. */
  readonly fromEarlierEpoch: boolean
}

export interface InteractionLookup {
  readonly find: FindInteraction
  readonly has: (key: RequestKey) => boolean
  readonly site: SiteFacts | undefined
  /** True of a cassette of an older version, which named epochs by less. */
  readonly isOlder: boolean
  /** Which of different answers a session without a name gets, by the recording of the others; undefined in another order. */
  readonly turnOf: (another: Interaction, session: Session) => RecordedTurn | undefined
}

export function findInSession(
  request: WikiRequest,
  derivation: Derivation,
  session: Session,
  dependency: WriteDependency,
  lookup: InteractionLookup
): SessionMatch {
  const search: SessionSearch = {
    ...lookup,
    request,
    session,
    choose: ({ responses }, exactKey) =>
      answerFor(responses, session.position(exactKey), dependency)
  }
  const { scoped: present } = dependency
  let nearest: Match = { kind: 'missing' }
  for (const scoped of equivalentDerivations(
    derivation,
    session,
    dependency,
    lookup.isOlder
  )) {
    const match = findInEpoch(scoped, search)
    if (match.kind === 'recorded' || match.kind === 'contradicted')
      return { match, fromEarlierEpoch: scoped.key !== present.key }
    if (nearest.kind === 'missing') nearest = match
  }
  const other = findCallerIndependent(present, search)
  return { match: other ?? nearest, fromEarlierEpoch: other !== undefined }
}

interface SessionSearch extends InteractionLookup {
  readonly request: WikiRequest
  readonly session: Session
  readonly choose: ChooseAnswer
}

/** The answer to an anonymous caller, where it is the same for all callers. */
function findCallerIndependent(
  scoped: Derivation,
  search: SessionSearch
): Match | undefined {
  if (
    scoped.effect !== 'read' ||
    !scoped.canonical.has('as user') ||
    !isCallerIndependent(scoped.canonical, search.site)
  )
    return undefined
  const match = findInEpoch(keyForAnonymous(scoped), search)
  if (match.kind !== 'recorded' || match.response.body.kind !== 'json') return undefined
  const { body, cookies } = match.response
  const isForAll =
    hasOnlyQuery(body.tree) && !hidesAnything(body.tree) && cookies.length === 0
  return isForAll ? match : undefined
}

/** What was recorded for this very `maxlag` while the wiki was behind, else what is recorded for all. */
function findInEpoch(scoped: Derivation, search: SessionSearch): Match {
  const refused = withRefusedLag(search.request, scoped)
  const match = refused && findInSlots(refused, search)
  return !match || match.kind === 'missing' ? findInSlots(scoped, search) : match
}

/** The recording of this very session, else the one for all sessions. */
function findInSlots(scoped: Derivation, search: SessionSearch): Match {
  const { request, session, choose, find, has, site, turnOf } = search
  const own = keyForSession(scoped, session.name)
  const ownKey = [own.key, keyForExactOrder(own).key].find(has)
  if (ownKey !== undefined && session.name === undefined) {
    const another = find(own.key, own.canonical)
    const turn = another && turnOf(another, session)
    if (!another || !turn) return { kind: 'contradicted', between: [scoped.key, ownKey] }
    const source = turn.from === 'shared' ? scoped : own
    const match = findMatch(request, source, find, site, () => turn.at)
    return match.kind === 'recorded' ? { ...match, turnsIn: another } : match
  }
  const match = ownKey && findMatch(request, own, find, site, choose)
  return match?.kind === 'recorded'
    ? match
    : findMatch(request, scoped, find, site, choose)
}
