/** Looks a request up in a cassette: recorded, or missing and why. */
import { type Interaction, type RecordedResponse, sameTexts } from '../../cassette/interaction.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import { keyForExactOrder, keyForRefusedOrigin } from '../../request/scoped-keys.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { reorderResponse } from '../reorder/reorder-response.ts'
import { responseAt } from '../session/session.ts'

/** Finds an interaction by key; undefined where there is none that can be read. */
export type FindInteraction = (key: RequestKey, request: CanonicalRequest) => Interaction | undefined

export type Match =
  | {
      readonly kind: 'recorded'
      readonly key: RequestKey
      readonly interaction: Interaction
      /** The answer of this turn as the request must see it: its own order of titles, its own spelling. */
      readonly response: RecordedResponse
      /** What its turns are counted by. */
      readonly exactKey: RequestKey
      readonly reordered: boolean
    }
  /** Recorded for another order or spelling of the same set, and what that order does to the answer is not certain. */
  | { readonly kind: 'other-order'; readonly interaction: Interaction; readonly why: string }
  /** Sessions that have no name got different answers, and nothing tells which of them asks. */
  | { readonly kind: 'contradicted'; readonly between: readonly [RequestKey, RequestKey] }
  | { readonly kind: 'missing' }

/**
 * @param site how the wiki spells titles, for rebuilding an answer in another order of them
 * @param positionOf how many answers the session had to a request so spelled
 */
export function findMatch(
  request: WikiRequest,
  derivation: Derivation,
  find: FindInteraction,
  site: SiteFacts | undefined,
  positionOf: (exactKey: RequestKey) => number = () => 0,
): Match {
  const ordered = keyForExactOrder(derivation)
  const exactKey = ordered.key
  const position = positionOf(exactKey)
  for (const exact of narrowerDerivations(request, derivation, ordered)) {
    const interaction = findSameRequest(exact, find)
    if (interaction === undefined) continue
    const response = responseAt(interaction.responses, position)
    return { kind: 'recorded', key: interaction.key, interaction, response, exactKey, reordered: false }
  }
  const interaction = findSameRequest(derivation, find)
  if (interaction === undefined) return { kind: 'missing' }
  const reordering = reorderResponse(interaction, derivation, site, position)
  if (reordering.kind === 'impossible') return { kind: 'other-order', interaction, why: reordering.why }
  const { kind, response } = reordering
  const reordered = kind === 'reprojected'
  return { kind: 'recorded', key: interaction.key, interaction, response, exactKey, reordered }
}

/** Two requests can share a key by chance: only an equal canonical request counts. */
function findSameRequest({ key, canonical }: Derivation, find: FindInteraction): Interaction | undefined {
  const interaction = find(key, canonical)
  return interaction !== undefined && sameTexts(interaction.request, canonical) ? interaction : undefined
}

/** Keys that are narrower than the derived one, the narrowest first: a refused `origin`, a set in its order. */
function narrowerDerivations(
  request: WikiRequest,
  derivation: Derivation,
  ordered: Derivation,
): readonly Derivation[] {
  const variants = request.kind === 'api' ? [ordered] : []
  const refused = withRefusedOrigin(request, derivation)
  return refused === undefined ? variants : [refused, ...variants]
}

/**
 * `origin` does not change an answer, except that a wiki may refuse it altogether (403, measured on 1.25); the
 * refusal must not be served to callers that send none.
 */
export function withRefusedOrigin(request: WikiRequest, derivation: Derivation): Derivation | undefined {
  const origin = request.kind === 'api' ? request.params.get('origin') : undefined
  return origin === undefined ? undefined : keyForRefusedOrigin(derivation, origin)
}
