/** Looks a request up as one session sees the cassette: after its own writes, with its own answers. */
import type { Interaction } from '../../cassette/interaction.ts'
import { membersOf } from '../../json/json-tree.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import { keyForAnonymous, keyForExactOrder, keyForSession } from '../../request/scoped-keys.ts'
import { isCallerIndependent } from '../../wiki/effects/caller-independent.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import type { Session } from '../session/session.ts'
import { equivalentDerivations, type WriteDependency } from '../session/write-dependency.ts'
import { type FindInteraction, findMatch, type Match } from './match.ts'
import { findWriteIndependent } from './write-independent.ts'

export interface SessionMatch {
  readonly match: Match
  /** Found under another key than the present epoch's, and good there too. */
  readonly fromEarlierEpoch: boolean
}

export interface InteractionLookup {
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
  dependency: WriteDependency,
  library: InteractionLookup,
): SessionMatch {
  let nearest: Match = { kind: 'missing' }
  for (const scoped of equivalentDerivations(derivation, session, dependency)) {
    const match = findInEpoch(request, scoped, session, library)
    if (match.kind === 'recorded' || match.kind === 'contradicted')
      return { match, fromEarlierEpoch: scoped.key !== dependency.scoped.key }
    if (nearest.kind === 'missing') nearest = match
  }
  const other =
    findInOtherEpochs(request, derivation, dependency, library) ??
    findCallerIndependent(request, dependency.scoped, session, library)
  return other === undefined
    ? { match: nearest, fromEarlierEpoch: false }
    : { match: other, fromEarlierEpoch: true }
}

/** What a caller without a name was answered, where the answer is for all. */
function findCallerIndependent(
  request: WikiRequest,
  scoped: Derivation,
  session: Session,
  library: InteractionLookup,
): Match | undefined {
  if (scoped.effect !== 'read' || !scoped.canonical.has('as user') || !isCallerIndependent(scoped.canonical))
    return undefined
  const match = findInEpoch(request, keyForAnonymous(scoped), session, library)
  const body = match.kind === 'recorded' ? match.response.body : undefined
  if (match.kind !== 'recorded' || body?.kind !== 'json') return undefined
  const plain = membersOf(body.tree).every(({ key }) => key === 'query' || key === 'batchcomplete')
  return plain && match.response.cookies.length === 0 ? match : undefined
}

/** What was recorded the same whatever was written. */
function findInOtherEpochs(
  request: WikiRequest,
  derivation: Derivation,
  { relevantWrites }: WriteDependency,
  library: InteractionLookup,
): Match | undefined {
  if (derivation.effect !== 'read') return undefined
  const writes = relevantWrites.map(({ key }) => key)
  const independent = findWriteIndependent(library.epochsOf(derivation.canonical), writes)
  if (independent === undefined) return undefined
  const { key, request: canonical } = independent
  const match = findMatch(request, { ...derivation, key, canonical }, library.find, library.site)
  return match.kind === 'recorded' ? match : undefined
}

/** In one epoch: what was recorded for this very session, then what holds for all. */
function findInEpoch(
  request: WikiRequest,
  scoped: Derivation,
  session: Session,
  library: InteractionLookup,
): Match {
  const own = keyForSession(scoped, session.name)
  const positionOf = (exactKey: RequestKey): number => session.position(exactKey)
  const [ownKey] = [own.key, keyForExactOrder(own).key].filter((key) => library.has(key))
  if (ownKey !== undefined) {
    if (session.name === undefined) return { kind: 'contradicted', between: [scoped.key, ownKey] }
    const match = findMatch(request, own, library.find, library.site, positionOf)
    if (match.kind === 'recorded') return match
  }
  return findMatch(request, scoped, library.find, library.site, positionOf)
}
