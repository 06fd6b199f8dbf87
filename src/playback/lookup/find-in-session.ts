/** Looks a request up as one session sees the cassette: after its own writes, with its own answers. */
import type { Interaction } from '../../cassette/interaction.ts'
import { membersOf } from '../../json/json-tree.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import { asAnybody, inOrderSent, inSession } from '../../request/scoped-keys.ts'
import { isForAnybody } from '../../wiki/effects/caller-independent.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import type { Session } from '../session/session.ts'
import { placesOf, type Standing } from '../session/write-dependency.ts'
import { type FindInteraction, findMatch, type Match } from './match.ts'
import { findUnmoved } from './write-independent.ts'

export interface Found {
  readonly match: Match
  /** Found under another key than the present epoch's, and good there too. */
  readonly earlier: boolean
}

export interface Library {
  readonly find: FindInteraction
  readonly has: (key: RequestKey) => boolean
  readonly site: SiteFacts | undefined
  /** The recordings of one request in all epochs. */
  readonly epochsOf: (request: CanonicalRequest) => readonly Interaction[]
}

export function findInSession(
  request: WikiRequest,
  derivation: Derivation,
  session: Session,
  standing: Standing,
  library: Library,
): Found {
  let nearest: Match = { kind: 'missing' }
  for (const place of placesOf(derivation, session, standing)) {
    const match = findAt(request, place, session, library)
    if (match.kind === 'recorded' || match.kind === 'contradicted')
      return { match, earlier: place.key !== standing.place.key }
    if (nearest.kind === 'missing') nearest = match
  }
  const other =
    findWhateverWritten(request, derivation, standing, library) ??
    findForAnybody(request, standing.place, session, library)
  return other === undefined ? { match: nearest, earlier: false } : { match: other, earlier: true }
}

/** What a caller without a name was answered, where the answer is for all. */
function findForAnybody(
  request: WikiRequest,
  place: Derivation,
  session: Session,
  library: Library,
): Match | undefined {
  if (place.effect !== 'read' || !place.canonical.has('as user') || !isForAnybody(place.canonical))
    return undefined
  const match = findAt(request, asAnybody(place), session, library)
  const body = match.kind === 'recorded' ? match.response.body : undefined
  if (match.kind !== 'recorded' || body?.kind !== 'json') return undefined
  const plain = membersOf(body.tree).every(({ key }) => key === 'query' || key === 'batchcomplete')
  return plain && match.response.cookies.length === 0 ? match : undefined
}

/** What was recorded the same whatever was written. */
function findWhateverWritten(
  request: WikiRequest,
  derivation: Derivation,
  { touching }: Standing,
  library: Library,
): Match | undefined {
  if (derivation.effect !== 'read') return undefined
  const writes = touching.map(({ key }) => key)
  const unmoved = findUnmoved(library.epochsOf(derivation.canonical), writes)
  if (unmoved === undefined) return undefined
  const { key, request: canonical } = unmoved
  const match = findMatch(request, { ...derivation, key, canonical }, library.find, library.site)
  return match.kind === 'recorded' ? match : undefined
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
