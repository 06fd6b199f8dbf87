/** Finds the recording for a request: in one session's present epoch, in others, of an anonymous caller; or says why it is missing. */
import {
  type Interaction,
  type RecordedResponse,
  sameTexts,
} from '../../cassette/interaction.ts'
import { hasMember } from '../../json/json-tree.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import { cacheBuster } from '../../request/key-step.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import {
  inOtherSpelling,
  keyForAnonymous,
  keyForExactOrder,
  keyForRefusedLag,
  keyForRefusedOrigin,
  keyForSession,
  keyForUnposted,
} from '../../request/scoped-keys.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { hasOnlyQuery, isModern } from '../reorder/page-siblings.ts'
import { reorderResponse } from '../reorder/reorder-response.ts'
import type { RecordedTurn } from '../session/answer-order.ts'
import {
  equivalentDerivations,
  responseAt,
  type Session,
  type WriteDependency,
} from '../session/session.ts'
import { answerFor } from '../session/write-log.ts'
import { hidesAnything, isCallerIndependent } from './caller-independent.ts'
import { isAnswerAsPosted } from './unposted.ts'

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
  lookup: InteractionLookup,
): SessionMatch {
  const choose: ChooseAnswer = ({ responses }, exactKey) =>
    answerFor(responses, session.position(exactKey), dependency)
  const find = (scoped: Derivation): Match =>
    findInEpoch(request, scoped, session, choose, lookup)
  let nearest: Match = { kind: 'missing' }
  for (const scoped of equivalentDerivations(
    derivation,
    session,
    dependency,
    lookup.isOlder,
  )) {
    const match = find(scoped)
    if (match.kind === 'recorded' || match.kind === 'contradicted')
      return { match, fromEarlierEpoch: scoped.key !== dependency.scoped.key }
    if (nearest.kind === 'missing') nearest = match
  }
  const other = findCallerIndependent(dependency.scoped, find, lookup.site)
  return { match: other ?? nearest, fromEarlierEpoch: other !== undefined }
}

/** The answer to an anonymous caller, where it is the same for all callers. */
function findCallerIndependent(
  scoped: Derivation,
  find: (scoped: Derivation) => Match,
  site: SiteFacts | undefined,
): Match | undefined {
  if (
    scoped.effect !== 'read' ||
    !scoped.canonical.has('as user') ||
    !isCallerIndependent(scoped.canonical, site)
  )
    return undefined
  const match = find(keyForAnonymous(scoped))
  if (match.kind !== 'recorded' || match.response.body.kind !== 'json') return undefined
  const { body, cookies } = match.response
  const isForAll =
    hasOnlyQuery(body.tree) && !hidesAnything(body.tree) && cookies.length === 0
  return isForAll ? match : undefined
}

/** What was recorded for this very `maxlag` while the wiki was behind, else what is recorded for all. */
function findInEpoch(
  request: WikiRequest,
  scoped: Derivation,
  session: Session,
  choose: ChooseAnswer,
  lookup: InteractionLookup,
): Match {
  const refused = withRefusedLag(request, scoped)
  const match = refused && findInSlots(request, refused, session, choose, lookup)
  if (match !== undefined && match.kind !== 'missing') return match
  return findInSlots(request, scoped, session, choose, lookup)
}

/** The recording of this very session, else the one for all sessions. */
function findInSlots(
  request: WikiRequest,
  scoped: Derivation,
  session: Session,
  choose: ChooseAnswer,
  { find, has, site, turnOf }: InteractionLookup,
): Match {
  const own = keyForSession(scoped, session.name)
  const ownKey = [own.key, keyForExactOrder(own).key].find(has)
  if (ownKey !== undefined && session.name === undefined) {
    const another = find(own.key, own.canonical)
    const turn = another && turnOf(another, session)
    if (another === undefined || turn === undefined || isAboutPassword(scoped))
      return { kind: 'contradicted', between: [scoped.key, ownKey] }
    const source = turn.from === 'shared' ? scoped : own
    const match = findMatch(request, source, find, site, () => turn.at)
    return match.kind === 'recorded' ? { ...match, turnsIn: another } : match
  }
  const match =
    ownKey === undefined ? undefined : findMatch(request, own, find, site, choose)
  return match?.kind === 'recorded'
    ? match
    : findMatch(request, scoped, find, site, choose)
}

/** Passwords are not stored, so that the order tells a wrong one from a right one only as long as none is left out. */
const isAboutPassword = ({ canonical }: Derivation): boolean =>
  canonical.has('lgpassword') || canonical.has('password')

/** Finds an interaction by key; undefined where there is none that can be read. */
export type FindInteraction = (
  key: RequestKey,
  request: CanonicalRequest,
) => Interaction | undefined

export type Match =
  | {
      readonly kind: 'recorded'
      readonly key: RequestKey
      readonly interaction: Interaction
      /** The answer at the session's position, in the request's order and spelling of values. */
      readonly response: RecordedResponse
      /** Positions in the sequence are counted by it. */
      readonly exactKey: RequestKey
      readonly reordered: boolean
      /** The recording that says whose turn it was, where sessions without a name got different answers. */
      readonly turnsIn?: Interaction | undefined
    }
  /** Recorded in another order or spelling, and how the answer would differ is not certain. */
  | {
      readonly kind: 'other-order'
      readonly interaction: Interaction
      readonly why: string
    }
  /** Recorded after other writes of other sessions. */
  | { readonly kind: 'other-state'; readonly interaction: Interaction }
  /** Sessions without a name got different answers, and nothing tells them apart. */
  | { readonly kind: 'contradicted'; readonly between: readonly [RequestKey, RequestKey] }
  | { readonly kind: 'missing' }

/** Which of a recording's answers is for the session; undefined if none is. @param exactKey by which its answers are counted */
export type ChooseAnswer = (
  interaction: Interaction,
  exactKey: RequestKey,
) => number | undefined

/** @param site how the wiki spells titles */
export function findMatch(
  request: WikiRequest,
  derivation: Derivation,
  find: FindInteraction,
  site: SiteFacts | undefined,
  choose: ChooseAnswer = () => 0,
): Match {
  const match = findSpelled(request, derivation, find, site, choose)
  const other =
    match.kind === 'missing' ? inOtherSpelling(derivation, site?.generator) : undefined
  if (other === undefined) return match
  const found = findSpelled(request, other, find, site, choose)
  return found.kind === 'recorded' && hasOneForm(other, found.response) ? found : match
}

/** What `opensearch` finds is an array in both formats; the modern dialect of `query` says how far it came. */
function hasOneForm({ canonical }: Derivation, { body }: RecordedResponse): boolean {
  if (canonical.has('plain target')) return true
  if (body.kind !== 'json') return false
  // It is not known whether the wiki has read it there.
  if (canonical.has(cacheBuster)) return !hasMember(body.tree, 'warnings')
  return canonical.get('action') === 'opensearch'
    ? body.tree.kind === 'array'
    : isModern(body.tree)
}

function findSpelled(
  request: WikiRequest,
  derivation: Derivation,
  find: FindInteraction,
  site: SiteFacts | undefined,
  choose: ChooseAnswer,
): Match {
  const ordered = keyForExactOrder(derivation)
  const exactKey = ordered.key
  if (derivation.unposted !== undefined && !derivation.canonical.has('not posted')) {
    const match = findSpelled(request, keyForUnposted(derivation), find, site, choose)
    if (match.kind === 'recorded') return match
  }
  const isRefused = request.kind === 'api' && request.hasFalseOrigin === true
  // Narrower keys come first: a refused `origin`, values in their exact order.
  const refused = withRefusedOrigin(request, derivation)
  const narrower = [
    ...(refused ? [refused] : []),
    ...(request.kind === 'api' && !isRefused ? [ordered] : []),
  ]
  for (const exact of narrower) {
    // Refusals are a sequence of their own.
    const counted = exact === refused ? keyForExactOrder(refused).key : exactKey
    const found = findAsPosted(exact, find, choose, counted)
    if (found === undefined) continue
    const { interaction, at } = found
    if (at === undefined) return { kind: 'other-state', interaction }
    const response = responseAt(interaction.responses, at)
    return {
      kind: 'recorded',
      key: interaction.key,
      interaction,
      response,
      exactKey: counted,
      reordered: false,
    }
  }
  const found = isRefused ? undefined : findAsPosted(derivation, find, choose, exactKey)
  if (found === undefined) return { kind: 'missing' }
  const { interaction, at } = found
  if (at === undefined) return { kind: 'other-state', interaction }
  const reordering = reorderResponse(interaction, derivation, site, at)
  if (reordering.kind === 'impossible')
    return { kind: 'other-order', interaction, why: reordering.why }
  const reordered = reordering.kind === 'reordered'
  return {
    ...reordering,
    kind: 'recorded',
    key: interaction.key,
    interaction,
    exactKey,
    reordered,
  }
}

/** Compares the whole request, since two can share a key by chance. */
function findAsPosted(
  one: Derivation,
  find: FindInteraction,
  choose: ChooseAnswer,
  exactKey: RequestKey,
): { readonly interaction: Interaction; readonly at: number | undefined } | undefined {
  const interaction = find(one.key, one.canonical)
  if (interaction === undefined || !sameTexts(interaction.request, one.canonical))
    return undefined
  const at = choose(interaction, exactKey)
  const response = responseAt(interaction.responses, at ?? 0)
  return isAnswerAsPosted(one, response) ? { interaction, at } : undefined
}

/**
 * The key of a refused `origin`. A wiki may refuse it altogether (403, measured on 1.25), and the refusal must not be
 * served to callers that send none. Otherwise `origin` does not change an answer.
 */
export function withRefusedOrigin(
  request: WikiRequest,
  derivation: Derivation,
): Derivation | undefined {
  const origin = request.kind === 'api' ? request.params.get('origin') : undefined
  return origin === undefined ? undefined : keyForRefusedOrigin(derivation, origin)
}

/** The key of a refusal for lag; undefined where no `maxlag` was sent, or the key has it. */
export function withRefusedLag(
  request: WikiRequest,
  derivation: Derivation,
): Derivation | undefined {
  const maxlag = request.kind === 'api' ? request.params.get('maxlag') : undefined
  if (maxlag === undefined || derivation.canonical.has('maxlag')) return undefined
  return keyForRefusedLag(derivation, maxlag)
}
