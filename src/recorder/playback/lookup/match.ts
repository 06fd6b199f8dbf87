/** Finds the recording of one key: in the request's order or spelling of values, or reordered. */

import {
  type Interaction,
  type RecordedResponse,
  sameTexts
} from '../../cassette/interaction.ts'
import { hasMember } from '../../json/json-tree.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import { cacheBuster } from '../../request/key-step.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import {
  inOtherSpelling,
  keyForExactOrder,
  keyForRefusedLag,
  keyForRefusedOrigin,
  keyForUnposted
} from '../../request/scoped-keys.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { isModern } from '../reorder/page-siblings.ts'
import { reorderResponse, warningPlaces } from '../reorder/reorder-response.ts'
import { responseAt } from '../session/session.ts'

/**
 * Finds an interaction by key; undefined where there is none that can be read.
 * @param isKnown true to look only at what is known to be there, and not for what another process has just written
 */
export type FindInteraction = (
  key: RequestKey,
  request: CanonicalRequest,
  isKnown?: boolean
) => Interaction | undefined

export type Match =
  | RecordedMatch
  /** Recorded in another order or spelling, and how the answer would differ is not certain. */
  | {
      readonly kind: 'other-order'
      readonly interaction: Interaction
      readonly why: string
    }
  | OtherState
  /** Sessions without a name got different answers, and nothing tells them apart. */
  | { readonly kind: 'contradicted'; readonly between: readonly [RequestKey, RequestKey] }
  | { readonly kind: 'missing' }

export interface RecordedMatch {
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

/** Recorded after other writes of other sessions. */
interface OtherState {
  readonly kind: 'other-state'
  readonly interaction: Interaction
}

/** Which of a recording's answers is for the session; undefined if none is. @param exactKey by which its answers are counted */
export type ChooseAnswer = (
  interaction: Interaction,
  exactKey: RequestKey
) => number | undefined

/** @param site how the wiki spells titles */
export function findMatch(
  request: WikiRequest,
  derivation: Derivation,
  find: FindInteraction,
  site: SiteFacts | undefined,
  choose: ChooseAnswer = () => 0
): Match {
  const search = { request, find, site, choose }
  const match = findSpelled(derivation, search)
  const other =
    match.kind === 'missing' ? inOtherSpelling(derivation, site?.generator) : undefined
  const findKnown: FindInteraction = (key, canonical) => find(key, canonical, true)
  const found = other && findSpelled(other, { ...search, find: findKnown })
  return found?.kind === 'recorded' && hasOneForm(found) ? found : match
}

/** What `opensearch` finds is an array in both formats; the modern dialect of `query` says how far it came. */
function hasOneForm({ interaction, response: { body } }: RecordedMatch) {
  const canonical = interaction.request
  if (canonical.has('plain target')) return true
  if (body.kind !== 'json') return false
  // It is not known whether the wiki has read it there.
  if (canonical.has(cacheBuster))
    return !warningPlaces(body.tree).some((place) => hasMember(place, 'warnings'))
  return canonical.get('action') === 'opensearch'
    ? body.tree.kind === 'array'
    : isModern(body.tree)
}

interface KeySearch {
  readonly request: WikiRequest
  readonly find: FindInteraction
  readonly site: SiteFacts | undefined
  readonly choose: ChooseAnswer
}

function findSpelled(derivation: Derivation, search: KeySearch): Match {
  const { request, find, site, choose } = search
  const ordered = keyForExactOrder(derivation)
  const exactKey = ordered.key
  if (derivation.unposted !== undefined && !derivation.canonical.has('not posted')) {
    const match = findSpelled(keyForUnposted(derivation), search)
    if (match.kind === 'recorded') return match
  }
  // Narrower keys come first: a refused `origin`, values in their exact order.
  const refused = withRefusedOrigin(request, derivation)
  const found =
    (refused &&
      // Refusals are a sequence of their own.
      findAsPosted(refused, find, choose, keyForExactOrder(refused).key)) ??
    (request.kind === 'api' && !request.hasFalseOrigin
      ? findAsPosted(ordered, find, choose, exactKey)
      : undefined)
  if (found) return found
  if (request.kind === 'api' && request.hasFalseOrigin) return { kind: 'missing' }
  const folded = findAsPosted(derivation, find, choose, exactKey)
  if (folded?.kind !== 'recorded') return folded ?? { kind: 'missing' }
  const { interaction, at } = folded
  const reordering = reorderResponse(interaction, derivation, site, at)
  if (reordering.kind === 'impossible')
    return { kind: 'other-order', interaction, why: reordering.why }
  const { kind, response } = reordering
  return { ...folded, response, reordered: kind === 'reordered' }
}

/** Compares the whole request, since two can share a key by chance. */
function findAsPosted(
  one: Derivation,
  find: FindInteraction,
  choose: ChooseAnswer,
  exactKey: RequestKey
): (RecordedMatch & { readonly at: number }) | OtherState | undefined {
  const interaction = find(one.key, one.canonical)
  if (!interaction || !sameTexts(interaction.request, one.canonical)) return undefined
  const at = choose(interaction, exactKey)
  const response = responseAt(interaction.responses, at ?? 0)
  if (!isAnswerAsPosted(one, response)) return undefined
  if (at === undefined) return { kind: 'other-state', interaction }
  const { key } = interaction
  return {
    kind: 'recorded',
    key,
    interaction,
    response,
    exactKey,
    reordered: false,
    at
  }
}

/**
 * The key of a refused `origin`. A wiki may refuse it altogether (403, measured on 1.25), and the refusal must not be
 * served to callers that send none. Otherwise `origin` does not change an answer.
 */
export function withRefusedOrigin(
  request: WikiRequest,
  derivation: Derivation
): Derivation | undefined {
  const origin = request.kind === 'api' ? request.params.get('origin') : undefined
  return origin === undefined ? undefined : keyForRefusedOrigin(derivation, origin)
}

/** The key of a refusal for lag; undefined where no `maxlag` was sent, or the key has it. */
export function withRefusedLag(
  request: WikiRequest,
  derivation: Derivation
): Derivation | undefined {
  const maxlag = request.kind === 'api' ? request.params.get('maxlag') : undefined
  if (maxlag === undefined || derivation.canonical.has('maxlag')) return undefined
  return keyForRefusedLag(derivation, maxlag)
}

const codeOf = ({ headers }: RecordedResponse) => headers.get('mediawiki-api-error') ?? ''
const isRefusal = (response: RecordedResponse) =>
  /^mustbeposted$|^mustpostparams$/.test(codeOf(response))

/** By GET only a parameter that lacks does a wiki tell first, posted or not (measured on 1.35 to 1.43). */
const isApart = ({ unposted }: Derivation, response: RecordedResponse) =>
  unposted !== undefined &&
  (isRefusal(response) || (unposted === '' && codeOf(response) !== 'missingparam'))

/** Under the plain key a refusal answers only what was not posted: 0.1 kept no refusals apart. */
const isAnswerAsPosted = (derivation: Derivation, response: RecordedResponse): boolean =>
  derivation.canonical.has('not posted') ||
  isApart(derivation, response) === isRefusal(response)

/** The key of its own that an answer needs, if any. */
export const withUnposted = (
  derivation: Derivation,
  fresh: RecordedResponse
): Derivation | undefined =>
  isApart(derivation, fresh) ? keyForUnposted(derivation) : undefined
