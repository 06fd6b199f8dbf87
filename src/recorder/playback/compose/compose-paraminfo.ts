/**
 * Answers to `action=paraminfo` composed module by module: a description does not depend on the other modules of the
 * request. Clients request what they do not know yet, so the combination changes from run to run. Descriptions are also
 * borrowed from recordings of other callers, of the other formatversion, and of the recorder itself.
 * Source: ApiParamInfo of MediaWiki 1.25 to 1.43; compared with 1.35, 1.39 and 1.43.
 */
import type { Interaction } from '../../cassette/interaction.ts'
import {
  itemsAt,
  type JsonTree,
  jsonArray,
  mapMembers,
  memberOf,
  membersOf,
  objectOf,
  replaceMember,
  sameTree,
  textAt,
  withoutMember
} from '../../json/json-tree.ts'
import type { Derivation } from '../../request/derive.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { splitValues, valuesOf } from '../../wiki/parameters/request-params.ts'
import { type ComposedAnswer, maxValues } from './composed-answer.ts'
import {
  convert,
  type DescriptionLookup,
  limitClassOf,
  pathsNamed,
  withLicence
} from './paraminfo-module.ts'

/** Parameters that name modules (members of the answer have the same names), with the prefix of their names' paths. */
const moduleListParams: ReadonlyMap<string, string> = new Map([
  ['modules', ''],
  ['querymodules', 'query+'],
  ['formatmodules', '']
])

/** A recorded answer, with its request as it was sent. */
interface ParaminfoSource {
  readonly key: RequestKey
  readonly tree: JsonTree
  readonly request: CanonicalRequest
}

interface RecordedDescription {
  readonly tree: JsonTree
  readonly source: ParaminfoSource
}

/** @param recordings of `paraminfo` */
export function composeParaminfo(
  { canonical, sentValues }: Derivation,
  recordings: Iterable<Interaction>,
  describe: DescriptionLookup
): ComposedAnswer | undefined {
  if (canonical.get('action') !== 'paraminfo') return undefined
  const all = [...recordings]
  const sources = all.flatMap((one) => paraminfoSource(one, canonical) ?? [])
  const plain = all.flatMap((one) =>
    isPlain(one.request) ? (paraminfoSource(one, one.request) ?? []) : []
  )
  const model = sources[0] ?? (isPlain(canonical) ? plain[0] : undefined)
  // Compares all but the lists of modules: warnings, the help format.
  const frameOf = ({ tree }: ParaminfoSource) => withModuleLists(tree, new Map())
  if (!model || !sources.every((one) => sameTree(frameOf(one), frameOf(model))))
    return undefined
  const recorded = sources.flatMap(descriptionsIn)
  const borrow = borrowDescriptions(plain, canonical, describe)
  const find = (path: string) =>
    agreed(recorded.filter(({ tree }) => modulePath(tree) === path)) ?? borrow(path)
  const used = new Set<RequestKey>([model.key])
  const lists = new Map<string, readonly JsonTree[]>()
  for (const [param, prefix] of moduleListParams) {
    const sent = sentValues.get(param) ?? canonical.get(param)
    if (sent === undefined) continue
    const names = splitValues(sent)
    const modules = new Map<string, JsonTree>()
    for (const name of names) {
      const paths =
        recordedNames(sources, param, name) ?? pathsNamed(prefix + name, describe)
      const found = paths?.flatMap((path) => find(path) ?? [])
      if (!found || found.length < (paths?.length ?? 0)) return undefined
      for (const { tree, source } of found) {
        used.add(source.key)
        const listed = param === 'querymodules' ? withQueryType(tree) : tree
        // Each module once, at its first name.
        if (!modules.has(modulePath(tree))) modules.set(modulePath(tree), listed)
      }
    }
    if (names.length === 0 || names.length > maxValues) return undefined
    lists.set(param, [...modules.values()])
  }
  // The wiki lists a module that two parameters name only once.
  const paths = [...lists.values()].flat().map(modulePath)
  if (lists.size === 0 || new Set(paths).size < paths.length) return undefined
  return { kind: 'composed', body: withModuleLists(model.tree, lists), from: [...used] }
}

/** The first, if all are the same: descriptions differ where the wiki changed in between. */
function agreed(all: readonly RecordedDescription[]) {
  const [first, ...others] = all
  return first && others.every(({ tree }) => sameTree(tree, first.tree))
    ? first
    : undefined
}

/** The tree with these lists of modules; a list that is not given becomes empty. */
const withModuleLists = (
  tree: JsonTree,
  lists: ReadonlyMap<string, readonly JsonTree[]>
) =>
  replaceMember(tree, 'paraminfo', (paraminfo) =>
    mapMembers(paraminfo, (value, key) =>
      moduleListParams.has(key) ? jsonArray(lists.get(key) ?? []) : value
    )
  )

const modulePath = (module: JsonTree) => textAt(module, 'path') ?? ''

const modulesIn = (tree: JsonTree, param: string) => itemsAt(tree, 'paraminfo', param)

const descriptionsIn = (source: ParaminfoSource) =>
  [...moduleListParams.keys()].flatMap((param) =>
    modulesIn(source.tree, param).map((tree) => ({
      tree: withoutMember(tree, queryType),
      source
    }))
  )

/** What only `querymodules` adds to a description, behind all else: its group once more (ApiParamInfo::execute). */
const queryType = 'querytype'

function withQueryType(module: JsonTree) {
  const group = memberOf(module, 'group')
  return group
    ? objectOf([...membersOf(module), { key: queryType, value: group }])
    : module
}

/** Undefined unless it differs from the request in its modules alone, and lists each of them in order. */
function paraminfoSource(
  { key, request, sentValues, responses }: Interaction,
  canonical: CanonicalRequest
) {
  const [{ body, cookies }, another] = responses
  if (another || body.kind !== 'json' || cookies.length > 0) return undefined
  const isAlike = [...canonical].every(([name, value]) =>
    moduleListParams.has(name) ? request.has(name) : request.get(name) === value
  )
  if (request.size !== canonical.size || !isAlike) return undefined
  const sent = new Map([...request, ...sentValues])
  const whole = [...moduleListParams].every(([param, prefix]) => {
    const names = valuesOf(sent, param)
    const paths = modulesIn(body.tree, param).map(modulePath)
    // Which modules a `*` stands for only the wiki knows.
    if (names.length === 1 && names.every(isStar)) return paths.length > 0
    return (
      names.length <= maxValues &&
      names.map((name) => prefix + name).join() === paths.join()
    )
  })
  return whole ? { key, tree: body.tree, request: sent } : undefined
}

const isStar = (name: string) => name.endsWith('*')

/** The modules that a `*` stands for, where all recordings of it have the same. */
function recordedNames(sources: readonly ParaminfoSource[], param: string, name: string) {
  const lists = sources
    .filter(({ request }) => isStar(name) && request.get(param) === name)
    .map(({ tree }) => modulesIn(tree, param).map(modulePath))
  return new Set(lists.map(String)).size === 1 ? lists[0] : undefined
}

/** With these alone a description is the same for all callers: it has nothing in the caller's language. */
const plainParams = new Set(['action', 'modules', 'formatversion', 'as user', epochParam])

const formatOf = (request: CanonicalRequest) => request.get('formatversion') ?? '1'

/** True for a request whose answer can be borrowed, in either formatversion and to any caller. */
const isPlain = (request: CanonicalRequest) =>
  request.has('modules') &&
  [...request.keys()].every((name) => plainParams.has(name)) &&
  ['1', '2'].includes(formatOf(request))

/** @returns the description of a path from plain answers or the recorder; undefined where it is not certain */
function borrowDescriptions(
  plain: readonly ParaminfoSource[],
  canonical: CanonicalRequest,
  describe: DescriptionLookup
): (path: string) => RecordedDescription | undefined {
  const [first] = plain
  // Another parameter, such as a language, may change every description.
  const isAlike = [...canonical.keys()].every(
    (name) => plainParams.has(name) || moduleListParams.has(name)
  )
  const format = formatOf(canonical)
  if (!first || !isAlike || !['1', '2'].includes(format)) return () => undefined
  const recorded = plain.flatMap(descriptionsIn)
  const trees = recorded.map(({ tree }) => tree)
  // The limit class that recorded answers to the same caller show; undefined where they show none, or both.
  const own = recorded.filter(
    ({ source }) => source.request.get('as user') === canonical.get('as user')
  )
  const shown = own.flatMap(({ tree }) => limitClassOf(tree) ?? [])
  const limitClass = new Set(shown).size === 1 ? shown[0] : undefined
  return (path) => {
    const description = describe(path)
    const own = description && withLicence(description, trees)
    const candidates = [
      ...recorded.filter(({ tree }) => modulePath(tree) === path),
      ...(own ? [{ tree: own, source: undefined }] : [])
    ]
    const converted = candidates.flatMap(({ tree, source }) => {
      const from = source ? formatOf(source.request) : '2'
      const one = convert(tree, from, format, limitClass)
      return one ? [{ tree: one, source: source ?? first }] : []
    })
    return agreed(converted)
  }
}
