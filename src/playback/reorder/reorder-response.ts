/**
 * An answer recorded for one order or spelling of a set of parameters, as another order or spelling would have
 * got it. What cannot be rebuilt exactly is impossible, never approximated.
 */
import type { Interaction, RecordedResponse } from '../../cassette/interaction.ts'
import { memberAt, memberOf, textOf } from '../../json/json-tree.ts'
import type { Derivation } from '../../request/derive.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { responseAt } from '../session/session.ts'
import { multiTitleActions, reorderAction } from './reorder-action.ts'
import { reorderIds } from './reorder-ids.ts'
import { reorderProps, sameModules } from './reorder-props.ts'
import { reorderTitles } from './reorder-titles.ts'

export type Reordering =
  | { readonly kind: 'same' | 'reprojected'; readonly response: RecordedResponse }
  | { readonly kind: 'impossible'; readonly why: string }

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
  if (mentionsValues(response)) {
    return {
      kind: 'impossible',
      why: 'the recorded answer has warnings or an error, which list values in the order sent',
    }
  }
  if (listsModules(response)) {
    return { kind: 'impossible', why: 'the recorded answer continues, and lists modules in the order sent' }
  }
  const significant = differing.filter((name) => !derivation.orderless.has(name))
  const [recordedProp, requestedProp] = [interaction, derivation].map(
    ({ sentValues }) => sentValues.get('prop') ?? derivation.canonical.get('prop') ?? '',
  )
  const propsReordered =
    derivation.canonical.get('action') === 'query' &&
    differing.includes('prop') &&
    !sameModules(recordedProp ?? '', requestedProp ?? '')
  if (significant.length === 0 && !propsReordered) return { kind: 'reprojected', response }
  if (propsReordered) {
    const tree =
      significant.length === 0 && response.body.kind === 'json'
        ? reorderProps(response.body.tree, recordedProp ?? '', requestedProp ?? '')
        : undefined
    return tree === undefined || response.body.kind !== 'json'
      ? { kind: 'impossible', why: 'the order of "prop" shows in the answer' }
      : { kind: 'reprojected', response: { ...response, body: { ...response.body, tree } } }
  }
  const [name, second] = significant
  const action = derivation.canonical.get('action') ?? ''
  const several = action === 'query' || multiTitleActions.has(action)
  const rebuilt =
    several && name !== undefined && second === undefined && !derivation.canonical.has('generator')
      ? rebuildResponse(interaction, response, derivation, name, site)
      : undefined
  if (rebuilt !== undefined) return { kind: 'reprojected', response: rebuilt }
  return {
    kind: 'impossible',
    why: `the order or spelling of "${significant.join('", "')}" can show in the answer`,
  }
}

/** A response with its pages as this request's `titles`, `pageids` or `revids` would have got them. */
function rebuildResponse(
  interaction: Interaction,
  response: RecordedResponse,
  derivation: Derivation,
  name: string,
  site: SiteFacts | undefined,
): RecordedResponse | undefined {
  if (response.body.kind !== 'json') return undefined
  const standard = interaction.request.get(name) ?? ''
  const [recorded = '', requested = ''] = [interaction, derivation].map(
    (side) => side.sentValues.get(name) ?? standard,
  )
  const body = response.body.tree
  const action = derivation.canonical.get('action') ?? ''
  if (action !== 'query') {
    const tree =
      name === 'titles' && site !== undefined
        ? reorderAction(body, action, recorded, requested, site)
        : undefined
    return tree && { ...response, body: { ...response.body, tree } }
  }
  const tree =
    name === 'pageids' || name === 'revids'
      ? reorderIds(body, name, requested)
      : name === 'titles' && site !== undefined
        ? reorderTitles(body, recorded, requested, site)
        : undefined
  return tree && { ...response, body: { ...response.body, tree } }
}

/** `continue` names the finished modules behind `||`, in the request's order. */
const listsModules = ({ body }: RecordedResponse): boolean =>
  body.kind === 'json' && /\|\|.*\|/.test(textOf(memberAt(body.tree, 'continue', 'continue')) ?? '')

/** Warnings and errors may quote values as they were sent. */
const mentionsValues = ({ body }: RecordedResponse): boolean =>
  body.kind !== 'json' ||
  ['warnings', 'error', 'errors'].some((name) => memberOf(body.tree, name) !== undefined)
