/** Recordings of `action=paraminfo` as sources of module descriptions. */
import type { Interaction } from '../../cassette/interaction.ts'
import { itemsOf, type JsonTree, memberAt, memberOf, textOf } from '../../json/json-tree.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import { maxValues } from './composed-answer.ts'

/** Parameters that name modules (members of the answer have the same names), with the prefix of their names' paths. */
export const moduleListParams: ReadonlyMap<string, string> = new Map([
  ['modules', ''],
  ['querymodules', 'query+'],
  ['formatmodules', ''],
])

/** A recorded answer, with its request as it was sent. */
export interface ParaminfoSource {
  readonly key: RequestKey
  readonly tree: JsonTree
  readonly request: CanonicalRequest
}

/** The modules that a name stands for: one, or with `*` several. */
export type NamedModules = { readonly items: readonly JsonTree[]; readonly source: ParaminfoSource }

/** Undefined unless it differs from the request in its modules alone, and lists each of them in order. */
export function paraminfoSource(
  { key, request, sentValues, responses }: Interaction,
  canonical: CanonicalRequest,
): ParaminfoSource | undefined {
  const [{ body, cookies }, another] = responses
  if (another !== undefined || body.kind !== 'json' || cookies.length > 0) return undefined
  const isAlike = [...canonical].every(([name, value]) =>
    moduleListParams.has(name) ? request.has(name) : request.get(name) === value,
  )
  if (request.size !== canonical.size || !isAlike) return undefined
  const sent = new Map([...request, ...sentValues])
  const whole = [...moduleListParams].every(([param, prefix]) => {
    const names = splitValues(sent.get(param) ?? '')
    const paths = itemsOf(memberAt(body.tree, 'paraminfo', param)).map(modulePath)
    // Which modules a `*` stands for only the wiki knows.
    if (names.length === 1 && names[0]?.endsWith('*')) return paths.length > 0
    return names.length <= maxValues && names.map((name) => prefix + name).join() === paths.join()
  })
  return whole ? { key, tree: body.tree, request: sent } : undefined
}

export const modulePath = (module: JsonTree): string => textOf(memberOf(module, 'path')) ?? ''

/** The modules of an answer to `modules=`. */
export const modulesInAnswer = (tree: JsonTree): readonly JsonTree[] =>
  itemsOf(memberAt(tree, 'paraminfo', 'modules'))
