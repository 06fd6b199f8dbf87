/** Recordings of `action=paraminfo` as sources of what the wiki says of its modules. */
import type { Interaction } from '../../cassette/interaction.ts'
import { itemsOf, type JsonTree, memberOf, textOf } from '../../json/json-tree.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'

/** Parameters that name modules, what is put before the names, and the member of the answer that lists them. */
export const moduleListParams: ReadonlyMap<string, string> = new Map([
  ['modules', ''],
  ['querymodules', 'query+'],
  ['formatmodules', ''],
])

/** Values that one request of an ordinary caller may name. */
export const maxModules = 50

/** A recording that tells of modules, and the request as it was sent. */
export interface ParaminfoSource {
  readonly key: RequestKey
  readonly tree: JsonTree
  readonly request: CanonicalRequest
}

/** What a name stands for: one module, or all that a `*` does. */
export type NamedModules = { readonly items: readonly JsonTree[]; readonly source: ParaminfoSource }

/** A recording that differs at most in which modules it names; it must tell of each of them, and in that order. */
export function paraminfoSource(
  { key, request, sentValues, responses }: Interaction,
  canonical: CanonicalRequest,
): ParaminfoSource | undefined {
  const [{ body, cookies }, another] = responses
  if (another !== undefined || body.kind !== 'json' || cookies.length > 0) return undefined
  if (request.size !== canonical.size) return undefined
  if (
    ![...canonical].every(([name, value]) =>
      moduleListParams.has(name) ? request.has(name) : request.get(name) === value,
    )
  )
    return undefined
  const sent = new Map([...request, ...sentValues])
  const whole = [...moduleListParams].every(([param, prefix]) => {
    const names = splitValues(sent.get(param) ?? '')
    const paths = itemsOf(memberOf(memberOf(body.tree, 'paraminfo'), param)).map(modulePath)
    // What a `*` stands for only the wiki knows.
    if (names.length === 1 && names[0]?.endsWith('*')) return paths.length > 0
    return names.length <= maxModules && names.map((name) => prefix + name).join() === paths.join()
  })
  return whole ? { key, tree: body.tree, request: sent } : undefined
}

export const modulePath = (module: JsonTree): string => textOf(memberOf(module, 'path')) ?? ''

/** The modules of an answer to `modules=`. */
export const modulesInAnswer = (tree: JsonTree): readonly JsonTree[] =>
  itemsOf(memberOf(memberOf(tree, 'paraminfo'), 'modules'))
