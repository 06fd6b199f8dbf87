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
  ['1', '2'].includes(request.get('formatversion') ?? '1')

/** Plain answers in either formatversion, to any caller. */
export const plainSources = (all: readonly Interaction[]): readonly ParaminfoSource[] =>
  all.flatMap((one) => (isPlain(one.request) ? (paraminfoSource(one, one.request) ?? []) : []))

export interface BorrowedDescriptions {
  readonly borrow: (path: string) => NamedModules | undefined
  readonly describe: DescriptionLookup
}

export function borrowDescriptions(
  all: readonly Interaction[],
  canonical: CanonicalRequest,
  describe: DescriptionLookup,
): BorrowedDescriptions | undefined {
  const plain = plainSources(all)
  const [first] = plain
  // Another parameter, such as a language, may change every description.
  const format = canonical.get('formatversion') ?? '1'
  const isAlike = [...canonical.keys()].every((name) => plainParams.has(name) || moduleListParams.has(name))
  if (first === undefined || !isAlike || !['1', '2'].includes(format)) return undefined
  const plainModules = plain.flatMap((source) =>
    modulesInAnswer(source.tree).map((tree) => ({ tree, source })),
  )
  const limitClass = callerLimitClass(plain, canonical)
  const wantsFormat2 = format === '2'
  const convert = (given: JsonTree, isFormat2: boolean): JsonTree | undefined => {
    if (wantsFormat2 && !isFormat2) return undefined
    const spelled = isFormat2 && !wantsFormat2 ? inFormat1(given) : given
    const forCaller = limitClass === undefined ? undefined : forLimitClass(spelled, limitClass)
    const converted = forCaller ?? (shownLimitClass(spelled) === undefined ? spelled : undefined)
    return converted !== undefined && isLanguageIndependent(converted) ? converted : undefined
  }
  const ownDescription = (path: string): JsonTree | undefined => {
    const description = describe(path)
    const others = plainModules.map(({ tree }) => tree)
    const withLink = description && withLicence(description, others)
    return withLink && convert(withLink, true)
  }
  return {
    describe,
    borrow: (path) => {
      const found = plainModules.flatMap(({ tree, source }) => {
        if (modulePath(tree) !== path) return []
        const item = convert(tree, source.request.get('formatversion') === '2')
        return item === undefined ? [] : [{ items: [item], source }]
      })
      const [one] = found
      const ownItem = ownDescription(path)
      const [item] = one?.items ?? []
      // Descriptions differ where the wiki changed in between.
      if (found.some(({ items: [other] }) => other && item && !sameTree(other, item))) return undefined
      if (item !== undefined && ownItem !== undefined && !sameTree(item, ownItem)) return undefined
      return one ?? (ownItem && { items: [ownItem], source: first })
    },
  }
}

/** The limit class that recorded answers to the same caller show; undefined where they show none, or both. */
function callerLimitClass(
  plain: readonly ParaminfoSource[],
  canonical: CanonicalRequest,
): LimitClass | undefined {
  const own = plain.filter(({ request }) => request.get('as user') === canonical.get('as user'))
  const shown = new Set(
    own.flatMap(({ tree }) => modulesInAnswer(tree).flatMap((one) => shownLimitClass(one) ?? [])),
  )
  const [only, other] = shown
  return other === undefined ? only : undefined
}

/** The module of a name, or all modules that its `*` stands for; undefined where one is not known. */
export function borrowNamed(
  name: string,
  borrowed: BorrowedDescriptions | undefined,
): readonly NamedModules[] | undefined {
  if (borrowed === undefined) return undefined
  const star = /^(?:(.+)\+)?(\*{1,2})$/.exec(name)
  const paths = star === null ? [name] : submodulesOf(star[1] ?? 'main', star[2] === '**', borrowed.describe)
  const named = paths?.map(borrowed.borrow)
  return named?.every((one) => one !== undefined) ? named.filter((one) => one !== undefined) : undefined
}
