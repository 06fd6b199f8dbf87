/** Module descriptions borrowed from recordings of other callers, of the other formatversion, and of the recorder itself. */
import type { Interaction } from '../../cassette/interaction.ts'
import { itemsOf, type JsonTree, memberAt, memberOf, sameTree, textOf } from '../../json/json-tree.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import { maxValues } from './composed-answer.ts'
import {
  forLimitClass,
  inFormat1,
  isLanguageIndependent,
  type LimitClass,
  shownLimitClass,
  submodulesOf,
  withLicence,
} from './paraminfo-module.ts'

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

const modulesInAnswer = (tree: JsonTree): readonly JsonTree[] =>
  itemsOf(memberAt(tree, 'paraminfo', 'modules'))

/** The recorder's own description of a module, in formatversion 2; undefined where it has none. */
export type DescriptionLookup = (path: string) => JsonTree | undefined

/** With these alone a description is the same for all callers: it has nothing in the caller's language. */
const plainParams = new Set(['action', 'modules', 'formatversion', 'as user', epochParam])

export const isPlain = (request: CanonicalRequest): boolean =>
  request.has('modules') &&
  [...request.keys()].every((name) => plainParams.has(name)) &&
  ['1', '2'].includes(formatOf(request))

/** Plain answers in either formatversion, to any caller. */
export const plainSources = (all: readonly Interaction[]): readonly ParaminfoSource[] =>
  all.flatMap((one) => (isPlain(one.request) ? (paraminfoSource(one, one.request) ?? []) : []))

/** The modules of a path, or all that its `*` stands for; undefined where one cannot be borrowed. */
export type BorrowModules = (name: string) => readonly NamedModules[] | undefined

export function borrowDescriptions(
  all: readonly Interaction[],
  canonical: CanonicalRequest,
  describe: DescriptionLookup,
): BorrowModules {
  const plain = plainSources(all)
  const [first] = plain
  // Another parameter, such as a language, may change every description.
  const isAlike = [...canonical.keys()].every((name) => plainParams.has(name) || moduleListParams.has(name))
  const format = formatOf(canonical)
  if (first === undefined || !isAlike || !['1', '2'].includes(format)) return () => undefined
  const recorded = plain.flatMap((source) =>
    modulesInAnswer(source.tree).map((tree) => ({ tree, source, from: formatOf(source.request) })),
  )
  const trees = recorded.map(({ tree }) => tree)
  // The limit class that recorded answers to the same caller show; undefined where they show none, or both.
  const own = plain.filter(({ request }) => request.get('as user') === canonical.get('as user'))
  const shown = own.flatMap(({ tree }) => modulesInAnswer(tree)).flatMap((one) => shownLimitClass(one) ?? [])
  const limitClass = new Set(shown).size === 1 ? shown[0] : undefined
  const borrow = (path: string): NamedModules | undefined => {
    const description = describe(path)
    const own = description && withLicence(description, trees)
    const candidates = [
      ...recorded.filter(({ tree }) => modulePath(tree) === path),
      ...(own === undefined ? [] : [{ tree: own, source: first, from: '2' }]),
    ]
    const found = candidates.flatMap(({ tree, source, from }) => {
      const item = convert(tree, from, format, limitClass)
      return item === undefined ? [] : [{ item, source }]
    })
    const [one] = found
    // Descriptions differ where the wiki changed in between.
    if (one === undefined || found.some(({ item }) => !sameTree(item, one.item))) return undefined
    return { items: [one.item], source: one.source }
  }
  return (name) => {
    const paths = pathsNamed(name, describe)
    const borrowed = paths?.flatMap((path) => borrow(path) ?? [])
    return borrowed?.length === paths?.length ? borrowed : undefined
  }
}

function pathsNamed(name: string, describe: DescriptionLookup): readonly string[] | undefined {
  const star = /^(?:(.+)\+)?(\*{1,2})$/.exec(name)
  return star === null ? [name] : submodulesOf(star[1] ?? 'main', star[2] === '**', describe)
}

const formatOf = (request: CanonicalRequest): string => request.get('formatversion') ?? '1'

/** A description in another format for a caller of that class; undefined where that is not certain. */
function convert(
  tree: JsonTree,
  from: string,
  to: string,
  limitClass: LimitClass | undefined,
): JsonTree | undefined {
  if (from === '1' && to === '2') return undefined
  const spelled = from === to ? tree : inFormat1(tree)
  const forCaller = limitClass === undefined ? undefined : forLimitClass(spelled, limitClass)
  const converted = forCaller ?? (shownLimitClass(spelled) === undefined ? spelled : undefined)
  return converted !== undefined && isLanguageIndependent(converted) ? converted : undefined
}
