/** The match of a request with the recordings of one epoch: recorded, or missing and why. */
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
      /** The answer at the session's position, in the request's order and spelling of values. */
      readonly response: RecordedResponse
      /** Positions in the sequence are counted by it. */
      readonly exactKey: RequestKey
      readonly reordered: boolean
    }
  /** Recorded in another order or spelling, and how the answer would differ is not certain. */
  | { readonly kind: 'other-order'; readonly interaction: Interaction; readonly why: string }
  /** Sessions without a name got different answers, and nothing tells them apart. */
  | { readonly kind: 'contradicted'; readonly between: readonly [RequestKey, RequestKey] }
  | { readonly kind: 'missing' }

/**
 * @param site how the wiki spells titles, for answers in another order of them
 * @param positionOf how many answers the session got already, by exact key
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
  // Narrower keys come first: a refused `origin`, values in their exact order.
  const refused = withRefusedOrigin(request, derivation)
  const isRefused = request.kind === 'api' && request.hasFalseOrigin === true
  const narrower = [...(refused ? [refused] : []), ...(request.kind === 'api' && !isRefused ? [ordered] : [])]
  for (const exact of narrower) {
    const interaction = findSameRequest(exact, find)
    if (interaction === undefined) continue
    const response = responseAt(interaction.responses, position)
    return { kind: 'recorded', key: interaction.key, interaction, response, exactKey, reordered: false }
  }
  const interaction = isRefused ? undefined : findSameRequest(derivation, find)
  if (interaction === undefined) return { kind: 'missing' }
  const reordering = reorderResponse(interaction, derivation, site, position)
  if (reordering.kind === 'impossible') return { kind: 'other-order', interaction, why: reordering.why }
  const { kind, response } = reordering
  const reordered = kind === 'reordered'
  return { kind: 'recorded', key: interaction.key, interaction, response, exactKey, reordered }
}

/** Compares the whole request, since two can share a key by chance. */
function findSameRequest({ key, canonical }: Derivation, find: FindInteraction): Interaction | undefined {
  const interaction = find(key, canonical)
  return interaction !== undefined && sameTexts(interaction.request, canonical) ? interaction : undefined
}

/**
 * The key of a refused `origin`. A wiki may refuse it altogether (403, measured on 1.25), and the refusal must not be
 * served to callers that send none. Otherwise `origin` does not change an answer.
 */
export function withRefusedOrigin(request: WikiRequest, derivation: Derivation): Derivation | undefined {
  const origin = request.kind === 'api' ? request.params.get('origin') : undefined
  return origin === undefined ? undefined : keyForRefusedOrigin(derivation, origin)
}
