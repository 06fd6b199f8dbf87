/**
 * A recorded answer, turned into the answer to the same request with another order or spelling of values. What cannot
 * be rebuilt exactly is impossible, never approximated.
 */
import type { Interaction, RecordedResponse } from '../../cassette/interaction.ts'
import { type JsonTree, memberAt, memberOf, textOf } from '../../json/json-tree.ts'
import type { Derivation } from '../../request/derive.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { responseAt } from '../session/session.ts'
import { multiTitleActions, reorderAction } from './reorder-action.ts'
import { reorderIds } from './reorder-ids.ts'
import { reorderProps, sameModules } from './reorder-props.ts'
import { reorderTitles } from './reorder-titles.ts'

export type Reordering =
  | { readonly kind: 'same' | 'reordered'; readonly response: RecordedResponse }
  | { readonly kind: 'impossible'; readonly why: string }

const impossible = (why: string): Reordering => ({ kind: 'impossible', why })

/** @param position which of the recorded answers, from 0; the last repeats */
export function reorderResponse(
  interaction: Interaction,
  derivation: Derivation,
  site: SiteFacts | undefined,
  position = 0,
): Reordering {
  const response = responseAt(interaction.responses, position)
  const names = new Set([...interaction.sentValues.keys(), ...derivation.sentValues.keys()])
  const differing = [...names].filter(
    (name) => interaction.sentValues.get(name) !== derivation.sentValues.get(name),
  )
  if (differing.length === 0) return { kind: 'same', response }
  if (mentionsValues(response))
    return impossible('the recorded answer has warnings or an error, which list values in the order sent')
  if (listsModules(response))
    return impossible('the recorded answer continues, and lists modules in the order sent')
  const significant = differing.filter((name) => !derivation.orderless.has(name))
  if (differing.includes('prop') && hasOtherModules(interaction, derivation)) {
    const { recorded, requested } = valuesOf('prop', interaction, derivation)
    const reordered =
      significant.length === 0
        ? withTree(response, (tree) => reorderProps(tree, recorded, requested))
        : undefined
    return reordered ?? impossible('the order of "prop" shows in the answer')
  }
  const [name, second] = significant
  if (name === undefined) return { kind: 'reordered', response }
  const reordered =
    second === undefined
      ? withTree(response, (tree) => reorderBy(name, tree, interaction, derivation, site))
      : undefined
  return (
    reordered ?? impossible(`the order or spelling of "${significant.join('", "')}" can show in the answer`)
  )
}

const valuesOf = (
  name: string,
  interaction: Interaction,
  derivation: Derivation,
): { readonly recorded: string; readonly requested: string } => ({
  recorded: interaction.sentValues.get(name) ?? interaction.request.get(name) ?? '',
  requested: derivation.sentValues.get(name) ?? derivation.canonical.get(name) ?? '',
})

function hasOtherModules(interaction: Interaction, derivation: Derivation): boolean {
  const { recorded, requested } = valuesOf('prop', interaction, derivation)
  return derivation.canonical.get('action') === 'query' && !sameModules(recorded, requested)
}

function withTree(
  response: RecordedResponse,
  change: (tree: JsonTree) => JsonTree | undefined,
): Reordering | undefined {
  const { body } = response
  const tree = body.kind === 'json' ? change(body.tree) : undefined
  if (tree === undefined || body.kind !== 'json') return undefined
  return { kind: 'reordered', response: { ...response, body: { ...body, tree } } }
}

/** The body for the order of values in `name`; undefined where that order can show in other ways. */
function reorderBy(
  name: string,
  body: JsonTree,
  interaction: Interaction,
  derivation: Derivation,
  site: SiteFacts | undefined,
): JsonTree | undefined {
  if (derivation.canonical.has('generator')) return undefined
  const { recorded, requested } = valuesOf(name, interaction, derivation)
  const action = derivation.canonical.get('action') ?? ''
  const isQuery = action === 'query'
  if (isQuery && (name === 'pageids' || name === 'revids')) return reorderIds(body, name, requested)
  if (name !== 'titles' || site === undefined) return undefined
  if (isQuery) return reorderTitles(body, recorded, requested, site)
  return multiTitleActions.has(action) ? reorderAction(body, action, recorded, requested, site) : undefined
}

/** `continue` names the finished modules behind `||`, in the request's order. */
const listsModules = ({ body }: RecordedResponse): boolean =>
  body.kind === 'json' && /\|\|.*\|/.test(textOf(memberAt(body.tree, 'continue', 'continue')) ?? '')

/** Warnings and errors may quote values as they were sent. */
const mentionsValues = ({ body }: RecordedResponse): boolean =>
  body.kind !== 'json' ||
  ['warnings', 'error', 'errors'].some((name) => memberOf(body.tree, name) !== undefined)
