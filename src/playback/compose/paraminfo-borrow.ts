/**
 * What the wiki says of a module where nobody asked just so: as other callers were told it, in the other formatversion,
 * or as the recorder was when it asked for itself.
 */
import type { Interaction } from '../../cassette/interaction.ts'
import { type JsonTree, sameTree } from '../../json/json-tree.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
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

/** What the wiki said of a module when the recorder asked, in formatversion 2; undefined where it did not. */
export type DescriptionLookup = (path: string) => JsonTree | undefined

/** Parameters beside which a description holds for everybody: nothing in the reader's language is asked for. */
const plainParams: ReadonlySet<string> = new Set([
  'action',
  'modules',
  'formatversion',
  'as user',
  'after writes',
])
const isPlain = (request: CanonicalRequest): boolean =>
  request.has('modules') &&
  [...request.keys()].every((name) => plainParams.has(name)) &&
  ['1', '2'].includes(request.get('formatversion') ?? '1')

/** Where nobody asked just so: an answer of the same plain kind in either formatversion, whoever got it, lists aside. */
export function plainSource(
  all: readonly Interaction[],
  canonical: CanonicalRequest,
): ParaminfoSource | undefined {
  if (!isPlain(canonical)) return undefined
  return all.flatMap((one) => (isPlain(one.request) ? (paraminfoSource(one, one.request) ?? []) : []))[0]
}

/** A module as other callers were told it, in the other formatversion, or as the recorder itself was. */
export interface BorrowedDescriptions {
  readonly borrow: (path: string) => NamedModules | undefined
  readonly describe: DescriptionLookup
}

export function borrowDescriptions(
  all: readonly Interaction[],
  canonical: CanonicalRequest,
  describe: DescriptionLookup,
): BorrowedDescriptions | undefined {
  const plain = all.flatMap((one) => (isPlain(one.request) ? (paraminfoSource(one, one.request) ?? []) : []))
  const [first] = plain
  // Beside another parameter, such as a language, nothing holds that was told without it.
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
    const withLink =
      description &&
      withLicence(
        description,
        plainModules.map(({ tree }) => tree),
      )
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
      // Two that differ mean that the wiki has changed in between.
      if (found.some(({ items: [other] }) => other && item && !sameTree(other, item))) return undefined
      if (item !== undefined && ownItem !== undefined && !sameTree(item, ownItem)) return undefined
      return one ?? (ownItem && { items: [ownItem], source: first })
    },
  }
}

/** What the caller is told of limits, by what the same caller was told. */
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

/** One module, or all below the one that stands before a `*`; undefined where one of them is not known. */
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
