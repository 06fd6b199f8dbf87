/**
 * An answer recorded for one order or spelling of a set of parameters, as another order or spelling would have
 * got it. What cannot be rebuilt exactly is impossible, never approximated.
 */
import type { Interaction, RecordedResponse } from '../../cassette/interaction.ts'
import { memberAt, memberOf, textOf } from '../../json/json-tree.ts'
import type { Derivation } from '../../request/derive.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { atTurn } from '../session/session.ts'
import { reprojectAction, takesSeveral } from './reorder-action.ts'
import { reprojectIds } from './reorder-ids.ts'
import { reprojectProps, sameModules } from './reorder-props.ts'
import { reprojectTitles } from './reorder-titles.ts'

export type Reprojection =
  | { readonly kind: 'same' | 'reprojected'; readonly response: RecordedResponse }
  | { readonly kind: 'impossible'; readonly why: string }

/** @param turn which of the recorded answers, from 0; the last repeats */
export function reproject(
  interaction: Interaction,
  derivation: Derivation,
  site: SiteFacts | undefined,
  turn = 0,
): Reprojection {
  const response = atTurn(interaction.responses, turn)
  const names = new Set([...interaction.asked.keys(), ...derivation.asked.keys()])
  const differing = [...names].filter((name) => interaction.asked.get(name) !== derivation.asked.get(name))
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
  const [recordedProp, askedProp] = [interaction, derivation].map(
    ({ asked }) => asked.get('prop') ?? derivation.canonical.get('prop') ?? '',
  )
  const turned =
    derivation.canonical.get('action') === 'query' &&
    differing.includes('prop') &&
    !sameModules(recordedProp ?? '', askedProp ?? '')
  if (significant.length === 0 && !turned) return { kind: 'reprojected', response }
  if (turned) {
    const tree =
      significant.length === 0 && response.body.kind === 'json'
        ? reprojectProps(response.body.tree, recordedProp ?? '', askedProp ?? '')
        : undefined
    return tree === undefined || response.body.kind !== 'json'
      ? { kind: 'impossible', why: 'the order of "prop" shows in the answer' }
      : { kind: 'reprojected', response: { ...response, body: { ...response.body, tree } } }
  }
  const [name, second] = significant
  const action = derivation.canonical.get('action') ?? ''
  const several = action === 'query' || takesSeveral.has(action)
  const rebuilt =
    several && name !== undefined && second === undefined && !derivation.canonical.has('generator')
      ? rebuild(interaction, response, derivation, name, site)
      : undefined
  if (rebuilt !== undefined) return { kind: 'reprojected', response: rebuilt }
  return {
    kind: 'impossible',
    why: `the order or spelling of "${significant.join('", "')}" can show in the answer`,
  }
}

/** A response with its pages as this request's `titles`, `pageids` or `revids` would have got them. */
function rebuild(
  interaction: Interaction,
  response: RecordedResponse,
  derivation: Derivation,
  name: string,
  site: SiteFacts | undefined,
): RecordedResponse | undefined {
  if (response.body.kind !== 'json') return undefined
  const standard = interaction.request.get(name) ?? ''
  const [recorded = '', asked = ''] = [interaction, derivation].map(
    (side) => side.asked.get(name) ?? standard,
  )
  const body = response.body.tree
  const action = derivation.canonical.get('action') ?? ''
  if (action !== 'query') {
    const tree =
      name === 'titles' && site !== undefined
        ? reprojectAction(body, action, recorded, asked, site)
        : undefined
    return tree && { ...response, body: { ...response.body, tree } }
  }
  const tree =
    name === 'pageids' || name === 'revids'
      ? reprojectIds(body, name, asked)
      : name === 'titles' && site !== undefined
        ? reprojectTitles(body, recorded, asked, site)
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
