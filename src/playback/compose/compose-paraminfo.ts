/**
 * `action=paraminfo` answered module by module: what the wiki says of one does not depend on which others were asked
 * for with it. Clients ask for whatever they do not know yet, so the combination changes from run to run.
 * Source: ApiParamInfo of MediaWiki 1.25 to 1.43; compared with 1.35, 1.39 and 1.43.
 */
import type { Interaction } from '../../cassette/interaction.ts'
import { itemsOf, type JsonTree, jsonArray, memberOf, membersOf, sameTree } from '../../json/json-tree.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import {
  type BorrowedDescriptions,
  borrowDescriptions,
  borrowNamed,
  type DescriptionLookup,
  plainSource,
} from './paraminfo-borrow.ts'
import {
  maxModules,
  moduleListParams,
  modulePath,
  type NamedModules,
  type ParaminfoSource,
  paraminfoSource,
} from './paraminfo-sources.ts'

/** A composed answer and the recordings that it was made of. */
export interface ComposedParaminfo {
  readonly body: JsonTree
  readonly from: readonly RequestKey[]
}

/** @param recordings those of `paraminfo` */
export function composeParaminfo(
  { canonical, sentValues }: Derivation,
  recordings: Iterable<Interaction>,
  describe: DescriptionLookup,
): ComposedParaminfo | undefined {
  if (canonical.get('action') !== 'paraminfo') return undefined
  const all = [...recordings]
  const sources = all.flatMap((one) => paraminfoSource(one, canonical) ?? [])
  const model = sources[0] ?? plainSource(all, canonical)
  if (model === undefined || !sources.every((one) => isSameFrame(one.tree, model.tree))) return undefined
  const used = new Set<RequestKey>([model.key])
  const lists = new Map<string, readonly JsonTree[]>()
  const borrowed = borrowDescriptions(all, canonical, describe)
  for (const [param, prefix] of moduleListParams) {
    const sent = sentValues.get(param) ?? canonical.get(param)
    if (sent === undefined) continue
    const namedModules = namedModulesIn(sources, param, prefix)
    const items = itemsNamed(splitValues(sent), prefix, namedModules, used, borrowed)
    if (items === undefined) return undefined
    lists.set(param, items)
  }
  // What is named by two parameters the wiki puts into one list only.
  const paths = [...lists.values()].flat().map(modulePath)
  if (new Set(paths).size < paths.length) return undefined
  return lists.size === 0 ? undefined : { body: withModuleLists(model.tree, lists), from: [...used] }
}

/** Equal but for the lists of modules: the same warnings, the same help format. */
const isSameFrame = (a: JsonTree, b: JsonTree): boolean =>
  sameTree(withModuleLists(a, new Map()), withModuleLists(b, new Map()))

/** The tree with other lists of modules; without those that are not given. */
function withModuleLists(tree: JsonTree, lists: ReadonlyMap<string, readonly JsonTree[]>): JsonTree {
  const inside = (member: JsonTree): JsonTree => ({
    kind: 'object',
    members: membersOf(member).map(({ key, value }) =>
      moduleListParams.has(key) ? { key, value: jsonArray(lists.get(key) ?? []) } : { key, value },
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
function namedModulesIn(
  sources: readonly ParaminfoSource[],
  param: string,
  prefix: string,
): ReadonlyMap<string, NamedModules> {
  const namedModules = new Map<string, NamedModules>()
  const conflicting = new Set<string>()
  const add = (name: string, items: readonly JsonTree[], source: ParaminfoSource): void => {
    const known = namedModules.get(name)
    if (known === undefined) namedModules.set(name, { items, source })
    else if (!sameTree(jsonArray(known.items), jsonArray(items))) conflicting.add(name)
  }
  for (const source of sources) {
    const items = itemsOf(memberOf(memberOf(source.tree, 'paraminfo'), param))
    const names = splitValues(source.request.get(param) ?? '')
    if (names.length === 1 && names[0]?.endsWith('*')) add(names[0], items, source)
    for (const item of items)
      if (modulePath(item).startsWith(prefix)) add(modulePath(item).slice(prefix.length), [item], source)
  }
  for (const name of conflicting) namedModules.delete(name)
  return namedModules
}

/** Each module once, where it is first named; undefined where one is not recorded. */
function itemsNamed(
  names: readonly string[],
  prefix: string,
  namedModules: ReadonlyMap<string, NamedModules>,
  used: Set<RequestKey>,
  borrowed: BorrowedDescriptions | undefined,
): readonly JsonTree[] | undefined {
  if (names.length === 0 || names.length > maxModules) return undefined
  const items = new Map<string, JsonTree>()
  for (const name of names) {
    const known = namedModules.get(name)
    const resolved = known === undefined ? borrowNamed(prefix + name, borrowed) : [known]
    if (resolved === undefined) return undefined
    for (const { items: moduleItems, source } of resolved) {
      used.add(source.key)
      for (const item of moduleItems) {
        const path = modulePath(item) || prefix + name
        if (!items.has(path)) items.set(path, item)
      }
    }
  }
  return [...items.values()]
}
