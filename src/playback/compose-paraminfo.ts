/**
 * `action=paraminfo` answered module by module: what the wiki says of one does not depend on which others were asked
 * for with it. Clients ask for whatever they do not know yet, so the combination changes from run to run.
 * Source: ApiParamInfo of MediaWiki 1.25 to 1.43; compared with 1.35, 1.39 and 1.43.
 */
import type { Interaction } from '../cassette/interaction.ts'
import { itemsOf, type JsonTree, jsonArray, memberOf, membersOf, sameTree, textOf } from '../json/tree.ts'
import type { Derivation } from '../request/derive.ts'
import type { CanonicalRequest, RequestKey } from '../request/key.ts'
import { splitValues } from '../wiki/params.ts'

/** A composed answer and the recordings that it was made of. */
export interface Composed {
  readonly body: JsonTree
  readonly from: readonly RequestKey[]
}

/** Parameters that name modules, what is put before the names, and the member of the answer that lists them. */
const naming: ReadonlyMap<string, string> = new Map([
  ['modules', ''],
  ['querymodules', 'query+'],
  ['formatmodules', ''],
])

/** Values that one request of an ordinary caller may name. */
const mostModules = 50

interface Source {
  readonly key: RequestKey
  readonly tree: JsonTree
  readonly request: CanonicalRequest
}

/** What a name stands for: one module, or all that a `*` does. */
type Meaning = { readonly items: readonly JsonTree[]; readonly source: Source }

/** @param recordings those of `paraminfo` */
export function composeParaminfo(
  { canonical, asked }: Derivation,
  recordings: Iterable<Interaction>,
): Composed | undefined {
  if (canonical.get('action') !== 'paraminfo') return undefined
  const sources = [...recordings].flatMap((one) => sourceOf(one, canonical) ?? [])
  const [model] = sources
  if (model === undefined || !sources.every((one) => sameFrame(one.tree, model.tree))) return undefined
  const used = new Set<RequestKey>([model.key])
  const lists = new Map<string, readonly JsonTree[]>()
  for (const [param, prefix] of naming) {
    const sent = asked.get(param) ?? canonical.get(param)
    if (sent === undefined) continue
    const meanings = meaningsOf(sources, param, prefix)
    const items = itemsFor(splitValues(sent), prefix, meanings, used)
    if (items === undefined) return undefined
    lists.set(param, items)
  }
  // What is named by two parameters the wiki puts into one list only.
  const paths = [...lists.values()].flat().map(pathOf)
  if (new Set(paths).size < paths.length) return undefined
  return lists.size === 0 ? undefined : { body: withLists(model.tree, lists), from: [...used] }
}

/** A recording that differs at most in which modules it names; it must tell of each of them, and in that order. */
function sourceOf(
  { key, request, asked, responses }: Interaction,
  canonical: CanonicalRequest,
): Source | undefined {
  const [{ body, cookies }, another] = responses
  if (another !== undefined || body.kind !== 'json' || cookies.length > 0) return undefined
  if (request.size !== canonical.size) return undefined
  if (
    ![...canonical].every(([name, value]) =>
      naming.has(name) ? request.has(name) : request.get(name) === value,
    )
  )
    return undefined
  const sent = new Map([...request, ...asked])
  const whole = [...naming].every(([param, prefix]) => {
    const names = splitValues(sent.get(param) ?? '')
    const paths = itemsOf(memberOf(memberOf(body.tree, 'paraminfo'), param)).map(pathOf)
    // What a `*` stands for only the wiki knows.
    if (names.length === 1 && names[0]?.endsWith('*')) return paths.length > 0
    return names.length <= mostModules && names.map((name) => prefix + name).join() === paths.join()
  })
  return whole ? { key, tree: body.tree, request: sent } : undefined
}

const pathOf = (module: JsonTree): string => textOf(memberOf(module, 'path')) ?? ''

/** Equal but for the lists of modules: the same warnings, the same help format. */
const sameFrame = (a: JsonTree, b: JsonTree): boolean =>
  sameTree(withLists(a, new Map()), withLists(b, new Map()))

/** The tree with other lists of modules; without those that are not given. */
function withLists(tree: JsonTree, lists: ReadonlyMap<string, readonly JsonTree[]>): JsonTree {
  const inside = (member: JsonTree): JsonTree => ({
    kind: 'object',
    members: membersOf(member).map(({ key, value }) =>
      naming.has(key) ? { key, value: jsonArray(lists.get(key) ?? []) } : { key, value },
    ),
  })
  return {
    kind: 'object',
    members: membersOf(tree).map(({ key, value }) => ({
      key,
      value: key === 'paraminfo' ? inside(value) : value,
    })),
  }
}

/** By the value of the parameter; a value that two recordings tell differently of means nothing. */
function meaningsOf(sources: readonly Source[], param: string, prefix: string): ReadonlyMap<string, Meaning> {
  const meanings = new Map<string, Meaning>()
  const doubtful = new Set<string>()
  const add = (name: string, items: readonly JsonTree[], source: Source): void => {
    const known = meanings.get(name)
    if (known === undefined) meanings.set(name, { items, source })
    else if (!sameTree(jsonArray(known.items), jsonArray(items))) doubtful.add(name)
  }
  for (const source of sources) {
    const items = itemsOf(memberOf(memberOf(source.tree, 'paraminfo'), param))
    const names = splitValues(source.request.get(param) ?? '')
    if (names.length === 1 && names[0]?.endsWith('*')) add(names[0], items, source)
    for (const item of items)
      if (pathOf(item).startsWith(prefix)) add(pathOf(item).slice(prefix.length), [item], source)
  }
  for (const name of doubtful) meanings.delete(name)
  return meanings
}

/** Each module once, where it is first named; undefined where one is not recorded. */
function itemsFor(
  names: readonly string[],
  prefix: string,
  meanings: ReadonlyMap<string, Meaning>,
  used: Set<RequestKey>,
): readonly JsonTree[] | undefined {
  if (names.length === 0 || names.length > mostModules) return undefined
  const items = new Map<string, JsonTree>()
  for (const name of names) {
    const meaning = meanings.get(name)
    if (meaning === undefined) return undefined
    used.add(meaning.source.key)
    for (const item of meaning.items) {
      const path = pathOf(item) || prefix + name
      if (!items.has(path)) items.set(path, item)
    }
  }
  return [...items.values()]
}
