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
  type Described,
  type Elsewhere,
  meantElsewhere,
  plainModel,
  toldElsewhere,
} from './paraminfo-borrow.ts'
import { type Meaning, mostModules, naming, pathOf, type Source, sourceOf } from './paraminfo-sources.ts'

/** A composed answer and the recordings that it was made of. */
export interface Composed {
  readonly body: JsonTree
  readonly from: readonly RequestKey[]
}

/** @param recordings those of `paraminfo` */
export function composeParaminfo(
  { canonical, asked }: Derivation,
  recordings: Iterable<Interaction>,
  described: Described,
): Composed | undefined {
  if (canonical.get('action') !== 'paraminfo') return undefined
  const all = [...recordings]
  const sources = all.flatMap((one) => sourceOf(one, canonical) ?? [])
  const model = sources[0] ?? plainModel(all, canonical)
  if (model === undefined || !sources.every((one) => sameFrame(one.tree, model.tree))) return undefined
  const used = new Set<RequestKey>([model.key])
  const lists = new Map<string, readonly JsonTree[]>()
  const elsewhere = toldElsewhere(all, canonical, described)
  for (const [param, prefix] of naming) {
    const sent = asked.get(param) ?? canonical.get(param)
    if (sent === undefined) continue
    const meanings = meaningsOf(sources, param, prefix)
    const items = itemsFor(splitValues(sent), prefix, meanings, used, elsewhere)
    if (items === undefined) return undefined
    lists.set(param, items)
  }
  // What is named by two parameters the wiki puts into one list only.
  const paths = [...lists.values()].flat().map(pathOf)
  if (new Set(paths).size < paths.length) return undefined
  return lists.size === 0 ? undefined : { body: withLists(model.tree, lists), from: [...used] }
}

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
  elsewhere: Elsewhere | undefined,
): readonly JsonTree[] | undefined {
  if (names.length === 0 || names.length > mostModules) return undefined
  const items = new Map<string, JsonTree>()
  for (const name of names) {
    const known = meanings.get(name)
    const meant = known === undefined ? meantElsewhere(prefix + name, elsewhere) : [known]
    if (meant === undefined) return undefined
    for (const { items: told, source } of meant) {
      used.add(source.key)
      for (const item of told) {
        const path = pathOf(item) || prefix + name
        if (!items.has(path)) items.set(path, item)
      }
    }
  }
  return [...items.values()]
}
