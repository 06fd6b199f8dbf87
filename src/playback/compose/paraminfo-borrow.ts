/**
 * What the wiki says of a module where nobody asked just so: as other callers were told it, in the other formatversion,
 * or as the recorder was when it asked for itself.
 */
import type { Interaction } from '../../cassette/interaction.ts'
import { type JsonTree, sameTree } from '../../json/json-tree.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import {
  classShownBy,
  forClass,
  inFormat1,
  isForAllReaders,
  type LimitClass,
  modulesBelow,
  withLicence,
} from './paraminfo-module.ts'
import { type Meaning, modulesIn, naming, pathOf, type Source, sourceOf } from './paraminfo-sources.ts'

/** What the wiki said of a module when the recorder asked, in formatversion 2; undefined where it did not. */
export type Described = (path: string) => JsonTree | undefined

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
export function plainModel(all: readonly Interaction[], canonical: CanonicalRequest): Source | undefined {
  if (!isPlain(canonical)) return undefined
  return all.flatMap((one) => (isPlain(one.request) ? (sourceOf(one, one.request) ?? []) : []))[0]
}

/** A module as other callers were told it, in the other formatversion, or as the recorder itself was. */
export interface Elsewhere {
  readonly module: (path: string) => Meaning | undefined
  readonly described: Described
}

export function toldElsewhere(
  all: readonly Interaction[],
  canonical: CanonicalRequest,
  described: Described,
): Elsewhere | undefined {
  const plain = all.flatMap((one) => (isPlain(one.request) ? (sourceOf(one, one.request) ?? []) : []))
  const [first] = plain
  // Beside another parameter, such as a language, nothing holds that was told without it.
  const format = canonical.get('formatversion') ?? '1'
  const isAlike = [...canonical.keys()].every((name) => plainParams.has(name) || naming.has(name))
  if (first === undefined || !isAlike || !['1', '2'].includes(format)) return undefined
  const told = plain.flatMap((source) => modulesIn(source.tree).map((tree) => ({ tree, source })))
  const limits = classOf(plain, canonical)
  const second = format === '2'
  const turned = (given: JsonTree, isSecond: boolean): JsonTree | undefined => {
    if (second && !isSecond) return undefined
    const spelled = isSecond && !second ? inFormat1(given) : given
    const shown = limits === undefined ? undefined : forClass(spelled, limits)
    const plainly = shown ?? (classShownBy(spelled) === undefined ? spelled : undefined)
    return plainly !== undefined && isForAllReaders(plainly) ? plainly : undefined
  }
  const own = (path: string): JsonTree | undefined => {
    const description = described(path)
    const whole =
      description &&
      withLicence(
        description,
        told.map(({ tree }) => tree),
      )
    return whole && turned(whole, true)
  }
  return {
    described,
    module: (path) => {
      const found = told.flatMap(({ tree, source }) => {
        if (pathOf(tree) !== path) return []
        const item = turned(tree, source.request.get('formatversion') === '2')
        return item === undefined ? [] : [{ items: [item], source }]
      })
      const [one] = found
      const mine = own(path)
      const [item] = one?.items ?? []
      // Two that differ mean that the wiki has changed in between.
      if (found.some(({ items: [other] }) => other && item && !sameTree(other, item))) return undefined
      if (item !== undefined && mine !== undefined && !sameTree(item, mine)) return undefined
      return one ?? (mine && { items: [mine], source: first })
    },
  }
}

/** What the caller is told of limits, by what the same caller was told. */
function classOf(plain: readonly Source[], canonical: CanonicalRequest): LimitClass | undefined {
  const own = plain.filter(({ request }) => request.get('as user') === canonical.get('as user'))
  const shown = new Set(own.flatMap(({ tree }) => modulesIn(tree).flatMap((one) => classShownBy(one) ?? [])))
  const [only, other] = shown
  return other === undefined ? only : undefined
}

/** One module, or all below the one that stands before a `*`; undefined where one of them is not known. */
export function meantElsewhere(
  name: string,
  elsewhere: Elsewhere | undefined,
): readonly Meaning[] | undefined {
  if (elsewhere === undefined) return undefined
  const star = /^(?:(.+)\+)?(\*{1,2})$/.exec(name)
  const paths =
    star === null ? [name] : modulesBelow(star[1] ?? 'main', star[2] === '**', elsewhere.described)
  const meant = paths?.map(elsewhere.module)
  return meant?.every((one) => one !== undefined) ? meant.filter((one) => one !== undefined) : undefined
}
