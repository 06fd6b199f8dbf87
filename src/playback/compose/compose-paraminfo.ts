/**
 * Answers to `action=paraminfo` composed module by module: a description does not depend on the other modules of the
 * request. Clients request what they do not know yet, so the combination changes from run to run.
 * Source: ApiParamInfo of MediaWiki 1.25 to 1.43; compared with 1.35, 1.39 and 1.43.
 */
import type { Interaction } from '../../cassette/interaction.ts'
import {
  itemsOf,
  type JsonTree,
  jsonArray,
  mapMembers,
  memberAt,
  replaceMember,
  sameTree,
} from '../../json/json-tree.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import { type ComposedAnswer, maxValues } from './composed-answer.ts'
import {
  type BorrowModules,
  borrowDescriptions,
  type DescriptionLookup,
  isPlain,
  moduleListParams,
  modulePath,
  type NamedModules,
  type ParaminfoSource,
  paraminfoSource,
  plainSources,
} from './paraminfo-borrow.ts'

/** @param recordings of `paraminfo` */
export function composeParaminfo(
  { canonical, sentValues }: Derivation,
  recordings: Iterable<Interaction>,
  describe: DescriptionLookup,
): ComposedAnswer | undefined {
  if (canonical.get('action') !== 'paraminfo') return undefined
  const all = [...recordings]
  const sources = all.flatMap((one) => paraminfoSource(one, canonical) ?? [])
  const model = sources[0] ?? (isPlain(canonical) ? plainSources(all)[0] : undefined)
  // Compares all but the lists of modules: warnings, the help format.
  const frameOf = ({ tree }: ParaminfoSource): JsonTree => withModuleLists(tree, new Map())
  if (model === undefined || !sources.every((one) => sameTree(frameOf(one), frameOf(model)))) return undefined
  const used = new Set<RequestKey>([model.key])
  const lists = new Map<string, readonly JsonTree[]>()
  const borrow = borrowDescriptions(all, canonical, describe)
  for (const [param, prefix] of moduleListParams) {
    const sent = sentValues.get(param) ?? canonical.get(param)
    if (sent === undefined) continue
    const named = namedModulesIn(sources, param, prefix)
    const items = itemsNamed(splitValues(sent), prefix, named, used, borrow)
    if (items === undefined) return undefined
    lists.set(param, items)
  }
  // The wiki lists a module that two parameters name only once.
  const paths = [...lists.values()].flat().map(modulePath)
  if (lists.size === 0 || new Set(paths).size < paths.length) return undefined
  return { kind: 'composed', body: withModuleLists(model.tree, lists), from: [...used] }
}

/** The tree with these lists of modules; a list that is not given becomes empty. */
const withModuleLists = (tree: JsonTree, lists: ReadonlyMap<string, readonly JsonTree[]>): JsonTree =>
  replaceMember(tree, 'paraminfo', (paraminfo) =>
    mapMembers(paraminfo, (value, key) =>
      moduleListParams.has(key) ? jsonArray(lists.get(key) ?? []) : value,
    ),
  )

/** The modules of each name; without names that two recordings describe differently. */
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
    const items = itemsOf(memberAt(source.tree, 'paraminfo', param))
    const names = splitValues(source.request.get(param) ?? '')
    if (names.length === 1 && names[0]?.endsWith('*')) add(names[0], items, source)
    for (const item of items)
      if (modulePath(item).startsWith(prefix)) add(modulePath(item).slice(prefix.length), [item], source)
  }
  for (const name of conflicting) namedModules.delete(name)
  return namedModules
}

/** Each module once, at its first name; undefined where one is not recorded. */
function itemsNamed(
  names: readonly string[],
  prefix: string,
  namedModules: ReadonlyMap<string, NamedModules>,
  used: Set<RequestKey>,
  borrow: BorrowModules,
): readonly JsonTree[] | undefined {
  if (names.length === 0 || names.length > maxValues) return undefined
  const items = new Map<string, JsonTree>()
  for (const name of names) {
    const known = namedModules.get(name)
    const resolved = known === undefined ? borrow(prefix + name) : [known]
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
