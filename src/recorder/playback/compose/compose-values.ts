/** Answers about several values, each with a result of its own, composed of recordings of other values or in another order. */
import { type Interaction, sameTexts } from '../../cassette/interaction.ts'
import {
  itemsAt,
  type JsonTree,
  jsonArray,
  membersOf,
  objectOf,
  textAt
} from '../../json/json-tree.ts'
import { quirkText } from '../../knowledge/module-quirks.ts'
import { inOtherVersion } from '../../paging/joining/other-version.ts'
import { singleAnswerOf } from '../../paging/reading/batch.ts'
import type { Derivation } from '../../request/derive.ts'
import { mapAll } from '../../text/group-by.ts'
import { splitValues, withoutParams } from '../../wiki/parameters/request-params.ts'
import { type ComposedAnswer, composedFrom, maxValues } from './composed-answer.ts'

export function composeValues(
  { canonical, sentValues }: Derivation,
  recordings: Iterable<Interaction>
): ComposedAnswer | undefined {
  const names = quirkText('values-apart', canonical.get('action') ?? '')
  if (names === undefined) return undefined
  const [param = '', list = '', own = ''] = names.split(' ')
  const values = splitValues(sentValues.get(param) ?? canonical.get(param) ?? '')
  const isPlain = !values.includes('') && new Set(values).size === values.length
  if (values.length === 0 || values.length > maxValues || !isPlain) return undefined
  const found = new Map<string, { from: Interaction; result: JsonTree }>()
  for (const from of recordings)
    for (const one of [from, inOtherVersion(from) ?? from]) {
      const isAlike = sameTexts(
        withoutParams(one.request, param),
        withoutParams(canonical, param)
      )
      const body = isAlike ? singleAnswerOf(one) : undefined
      // Beside an error nothing is certain.
      if (!body || !membersOf(body).every(({ key }) => key === list)) continue
      for (const result of itemsAt(body, list))
        found.set(textAt(result, own) ?? '', { from, result })
    }
  const parts = mapAll(values, (value) => found.get(value))
  if (!parts) return undefined
  const results = jsonArray(parts.map(({ result }) => result))
  return composedFrom(objectOf([{ key: list, value: results }]), parts)
}
