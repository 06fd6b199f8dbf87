/**
 * Module descriptions borrowed from other recordings: of other callers, of the other formatversion, or those that the
 * recorder requested for itself.
 */
import type { Interaction } from '../../cassette/interaction.ts'
import { type JsonTree, sameTree } from '../../json/json-tree.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import {
  forLimitClass,
  inFormat1,
  isLanguageIndependent,
  type LimitClass,
  shownLimitClass,
  submodulesOf,
  withLicence,
} from './paraminfo-module.ts'
import {
  moduleListParams,
  modulePath,
  modulesInAnswer,
  type NamedModules,
  type ParaminfoSource,
  paraminfoSource,
} from './paraminfo-sources.ts'

/** The recorder's own description of a module, in formatversion 2; undefined where it has none. */
export type DescriptionLookup = (path: string) => JsonTree | undefined

/** With these alone a description is the same for all callers: it has nothing in the caller's language. */
const plainParams: ReadonlySet<string> = new Set([
  'action',
  'modules',
  'formatversion',
  'as user',
  epochParam,
])

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
  const limitClass = callerLimitClass(plain, canonical)
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

/** The limit class that recorded answers to the same caller show; undefined where they show none, or both. */
function callerLimitClass(
  plain: readonly ParaminfoSource[],
  canonical: CanonicalRequest,
): LimitClass | undefined {
  const own = plain.filter(({ request }) => request.get('as user') === canonical.get('as user'))
  const modules = own.flatMap(({ tree }) => modulesInAnswer(tree))
  const [only, other] = new Set(modules.flatMap((one) => shownLimitClass(one) ?? []))
  return other === undefined ? only : undefined
}
