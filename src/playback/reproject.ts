/**
 * An answer recorded for one order or spelling of a set of parameters, as another order or spelling would have
 * got it. What cannot be rebuilt exactly is impossible, never approximated.
 */
import type { Interaction, RecordedResponse } from '../cassette/interaction.ts'
import { memberOf } from '../json/tree.ts'
import type { Derivation } from '../request/derive.ts'

type Responses = readonly [RecordedResponse, ...RecordedResponse[]]

export type Reprojection =
  | { readonly kind: 'same'; readonly responses: Responses }
  | { readonly kind: 'reprojected'; readonly responses: Responses }
  | { readonly kind: 'impossible'; readonly why: string }

export function reproject(interaction: Interaction, derivation: Derivation): Reprojection {
  const names = new Set([...interaction.asked.keys(), ...derivation.asked.keys()])
  const differing = [...names].filter((name) => interaction.asked.get(name) !== derivation.asked.get(name))
  if (differing.length === 0) return { kind: 'same', responses: interaction.responses }
  const significant = differing.find((name) => !derivation.orderless.has(name))
  if (significant !== undefined) {
    return { kind: 'impossible', why: `the order or spelling of "${significant}" can show in the answer` }
  }
  if (interaction.responses.some(mentionsValues)) {
    return {
      kind: 'impossible',
      why: 'the recorded answer has warnings or an error, which list values in the order sent',
    }
  }
  return { kind: 'reprojected', responses: interaction.responses }
}

/** Warnings and errors may quote values as they were sent. */
const mentionsValues = ({ body }: RecordedResponse): boolean =>
  body.kind !== 'json' ||
  ['warnings', 'error', 'errors'].some((name) => memberOf(body.tree, name) !== undefined)
