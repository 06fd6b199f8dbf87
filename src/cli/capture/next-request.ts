/** The requests that a client makes to walk a listing to its end, in either dialect. Source: spec, "Continuation format". */

import { type JsonTree, memberOf, membersOf, scalarTextOf } from '../../json/json-tree.ts'
import { readTree } from '../../json/read-json.ts'
import type { Params } from '../../wiki/parameters/request-params.ts'

/** The parameters of the next request, or undefined at the end. */
export function nextRequest(first: Params, last: Params, body: string): Params | undefined {
  const tree = readTree(body)
  const modern = memberOf(tree, 'continue')
  if (modern?.kind === 'object') return new Map([...first, ...valuesOf(modern)])
  const legacy = memberOf(tree, 'query-continue')
  return legacy?.kind === 'object' ? legacyNext(first, last, legacy) : undefined
}

/** Props of a generator's batch are walked to their end before the generator goes on. */
function legacyNext(first: Params, last: Params, legacy: JsonTree): Params {
  const generator = first.get('generator')
  const parts = membersOf(legacy)
  const others = parts.filter((part) => part.key !== generator)
  if (others.length === 0) return new Map([...first, ...parts.flatMap((part) => valuesOf(part.value))])
  const others_ = others.flatMap((part) => valuesOf(part.value))
  return new Map([...(generator === undefined ? first : last), ...others_])
}

const valuesOf = (tree: JsonTree): readonly (readonly [string, string])[] =>
  membersOf(tree).map(({ key, value }) => [key, scalarTextOf(value) ?? ''])
