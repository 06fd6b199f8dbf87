/** A recorded answer in another order or spelling of values. What cannot be rebuilt exactly is impossible, never approximated. */
import type {
  Interaction,
  JsonBody,
  RecordedBody,
  RecordedResponse,
  TextBody
} from '../../cassette/interaction.ts'
import {
  hasMember,
  itemsAt,
  type JsonTree,
  memberAt,
  memberOf,
  textAt
} from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { hasKeyedPages } from '../../paging/reading/batch.ts'
import type { Derivation } from '../../request/derive.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { responseAt } from '../session/session.ts'
import { multiTitleActions, reorderAction } from './reorder-action.ts'
import {
  haveSameOrder,
  memberOrder,
  reorderProps,
  reorderSiblings,
  reorderSiteinfo,
  reorderTokens,
  type SentValues
} from './reorder-members.ts'
import { reorderIds, reorderTitles } from './reorder-pages.ts'

export type Reordering =
  | { readonly kind: 'same' | 'reordered'; readonly response: RecordedResponse }
  | { readonly kind: 'impossible'; readonly why: string }

const impossible = (why: string): Reordering => ({ kind: 'impossible', why })

/** @param position which of the recorded answers, from 0; the last repeats */
export function reorderResponse(
  interaction: Interaction,
  derivation: Derivation,
  site: SiteFacts | undefined,
  position = 0
): Reordering {
  const response = responseAt(interaction.responses, position)
  const differing = differingValues(interaction, derivation)
  const { body } = response
  if (namesInOtherOrder(body, derivation.unknownNames))
    return impossible(
      'the recorded answer warns of unknown parameters, in the order sent'
    )
  if (differing.length === 0) return { kind: 'same', response }
  const isQuoting =
    body.kind !== 'json' ||
    ['warnings', 'error', 'errors'].some((name) => hasMember(body.tree, name))
  if (isQuoting)
    return impossible(
      'the recorded answer has warnings or an error, which list values in the order sent'
    )
  if (!hasKeyedPages(interaction.request, body.tree))
    return impossible('the recorded answer has its pages in an array, without their ids')
  // `continue` names the finished modules behind `||`.
  if (/\|\|.*\|/.test(textAt(body.tree, 'continue', 'continue') ?? ''))
    return impossible(
      'the recorded answer continues, and lists modules in the order sent'
    )
  const sent = sentPairs(interaction, derivation)
  const visible = visibleValues(differing, derivation, sent)
  const tree = reorderValues(body.tree, visible, sent, derivation.canonical, site)
  if (tree)
    return { kind: 'reordered', response: { ...response, body: { ...body, tree } } }
  return impossible(
    `the order or spelling of "${visible.join('", "')}" can show in the answer`
  )
}

/** Parameters that were sent in another order or spelling. */
function differingValues(
  interaction: Interaction,
  { sentValues }: Derivation
): readonly string[] {
  const names = new Set([...interaction.sentValues.keys(), ...sentValues.keys()])
  return [...names].filter(
    (name) => interaction.sentValues.get(name) !== sentValues.get(name)
  )
}

/** The values of each parameter, of a recording and as requested. */
const sentPairs =
  (interaction: Interaction, { canonical, sentValues }: Derivation): SentLookup =>
  (name) => ({
    recorded: interaction.sentValues.get(name) ?? interaction.request.get(name) ?? '',
    requested: sentValues.get(name) ?? canonical.get(name) ?? ''
  })

type SentLookup = (name: string) => SentValues

/** Those of the differing parameters that can show in the answer. */
const visibleValues = (
  differing: readonly string[],
  { orderless, canonical }: Derivation,
  sent: SentLookup
) =>
  differing.filter(
    (name) =>
      !orderless.has(name) &&
      (memberOrder(name, canonical) === undefined || !haveSameOrder(sent(name)))
  )

/** A body of a larger or smaller request in this one's order of everything but its pages. @param by what names them */
export function reorderAllBut(
  by: string,
  body: JsonTree,
  interaction: Interaction,
  derivation: Derivation,
  site: SiteFacts | undefined
): JsonTree | undefined {
  const differing = differingValues(interaction, derivation).filter((name) => name !== by)
  const sent = sentPairs(interaction, derivation)
  const visible = visibleValues(differing, derivation, sent)
  return reorderValues(body, visible, sent, derivation.canonical, site)
}

const reorderValues = (
  body: JsonTree,
  names: readonly string[],
  sent: SentLookup,
  canonical: CanonicalRequest,
  site: SiteFacts | undefined
) =>
  names.reduce<JsonTree | undefined>(
    (tree, name) => tree && reorderBy(name, tree, sent, canonical, site),
    body
  )

/** The body for the order of values in `name`; undefined where that order can show in other ways. */
function reorderBy(
  name: string,
  body: JsonTree,
  sent: SentLookup,
  canonical: CanonicalRequest,
  site: SiteFacts | undefined
) {
  const values = sent(name)
  const { recorded, requested } = values
  const action = canonical.get('action') ?? ''
  switch (memberOrder(name, canonical)) {
    case 'prop':
      return reorderProps(body, values)
    case 'siblings': {
      const siprop = canonical.get('siprop') ?? 'general'
      return reorderSiblings(body, sent('list'), sent('meta'), siprop)
    }
    case 'siteinfo':
      return reorderSiteinfo(body, values)
    case 'tokens':
      return reorderTokens(
        body,
        action === 'tokens' ? ['tokens'] : ['query', 'tokens'],
        values
      )
    case undefined:
      break
  }
  if (canonical.has('generator')) return undefined
  const isQuery = action === 'query'
  if (isQuery && (name === 'pageids' || name === 'revids'))
    return reorderIds(body, name, requested)
  if (name !== 'titles' || !site) return undefined
  if (isQuery) return reorderTitles(body, recorded, requested, site)
  return multiTitleActions.has(action)
    ? reorderAction(body, action, recorded, requested, site)
    : undefined
}

/**
 * A wiki that does not know several parameters lists them in the order sent (ApiMain::reportUnusedParams). In a body that
 * is not JSON the list may stand anywhere: what tells it is two of the names in a row.
 */
function namesInOtherOrder(body: RecordedBody, names: readonly string[]) {
  if (names.length < 2 || body.kind === 'binary') return false
  const words = warningText(body).match(/[^\s,.:;"'\\<>&、،]+/g) ?? []
  const places = words.map((word) => names.indexOf(word))
  return places.some((place, at) => place >= 0 && place < (places[at - 1] ?? -1))
}

/** What may have `warnings`: with `warningsaserror` the error. */
export const warningPlaces = (tree: JsonTree): readonly (JsonTree | undefined)[] => [
  tree,
  memberOf(tree, 'error')
]

/** The text of a body that may list parameters. Other modules than `main` speak of them in sentences. */
function warningText(body: JsonBody | TextBody) {
  if (body.kind === 'text') return body.text
  const named = warningPlaces(body.tree).flatMap(
    (place) => memberAt(place, 'warnings', 'main') ?? []
  )
  const warnings =
    named.length > 0
      ? named
      : itemsAt(body.tree, 'warnings').filter((one) => textAt(one, 'module') === 'main')
  return warnings.map((one) => writeCompact(one, 'utf8')).join()
}
