/** Looks a request up as one session sees the cassette: after its own writes, with its own answers. */
import type { WikiRequest } from '../request/api-request.ts'
import type { Derivation } from '../request/derive.ts'
import type { RequestKey } from '../request/key.ts'
import { afterWrites, inOrderSent, inSession } from '../request/places.ts'
import { whyStale } from '../wiki/effects.ts'
import type { SiteFacts } from '../wiki/site.ts'
import { type FindInteraction, findMatch, type Match } from './match.ts'
import type { Session } from './session.ts'

export interface Found {
  readonly match: Match
  /** Found in an earlier epoch than the session's present one. */
  readonly earlier: boolean
  /** What stands between this session and older recordings. */
  readonly why?: string
}

export interface Library {
  readonly find: FindInteraction
  readonly has: (key: RequestKey) => boolean
  readonly site: SiteFacts | undefined
}

export function findInSession(
  request: WikiRequest,
  derivation: Derivation,
  session: Session,
  library: Library,
): Found {
  const { places, why } = placesOf(derivation, session)
  let nearest: Match = { kind: 'missing' }
  for (const [back, place] of places.entries()) {
    const match = findAt(request, place, session, library)
    if (match.kind === 'recorded' || match.kind === 'contradicted') return { match, earlier: back > 0 }
    if (nearest.kind === 'missing') nearest = match
  }
  return { match: nearest, earlier: false, ...(why === undefined ? {} : { why }) }
}

/** The request in the present epoch, then in those before, back to a write that concerns it. */
export function placesOf(
  derivation: Derivation,
  session: Session,
): { readonly places: readonly [Derivation, ...Derivation[]]; readonly why?: string } {
  const [present, ...older] = session.epochs()
  const places: [Derivation, ...Derivation[]] = [afterWrites(derivation, present.state)]
  let newer = present
  for (const epoch of older) {
    const why = whyStale(derivation.canonical, newer.written)
    if (why !== undefined) return { places, why }
    places.push(afterWrites(derivation, epoch.state))
    newer = epoch
  }
  return { places }
}

/** In one epoch: what was recorded for this very session, then what holds for all. */
function findAt(request: WikiRequest, place: Derivation, session: Session, library: Library): Match {
  const own = inSession(place, session.name)
  const turns = (spelled: RequestKey): number => session.turn(spelled)
  const [kept] = [own.key, inOrderSent(own).key].filter((key) => library.has(key))
  if (kept !== undefined) {
    if (session.name === undefined) return { kind: 'contradicted', between: [place.key, kept] }
    const match = findMatch(request, own, library.find, library.site, turns)
    if (match.kind === 'recorded') return match
  }
  return findMatch(request, place, library.find, library.site, turns)
}
