/** Answers composed of several recordings: their type, and what must hold for the recorded pages. */

import { type Interaction, sameTexts } from '../../cassette/interaction.ts'
import {
  hasMember,
  itemsAt,
  type JsonTree,
  jsonArray,
  jsonObject,
  jsonString,
  memberAt,
  membersAt,
  membersOf,
  objectOf,
  replaceMember
} from '../../json/json-tree.ts'
import { hasQuirk, quirkNames } from '../../knowledge/module-quirks.ts'
import { singleAnswerOf } from '../../paging/reading/batch.ts'
import { differTogether, isCostly } from '../../paging/reading/driver.ts'
import { sentLimit } from '../../paging/reading/limits.ts'
import { basePageMembers } from '../../paging/reading/page-members.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { maxResultSize, resultSize } from '../../wiki/answers/result-size.ts'
import { readInteger } from '../../wiki/parameters/integers.ts'
import {
  splitValues,
  valuesOf,
  withoutParams
} from '../../wiki/parameters/request-params.ts'
import { isVersionSince, type SiteFacts } from '../../wiki/site/site-facts.ts'
import { isAscending, pageExists, pageIdOf, sortedById } from '../reorder/page-order.ts'
import { hasOnlyQuery, listMember, pageSiblings } from '../reorder/page-siblings.ts'
import { writerOfPageMember } from '../reorder/reorder-members.ts'
import { reorderAllBut } from '../reorder/reorder-response.ts'

export interface ComposedAnswer {
  readonly kind: 'composed'
  readonly body: JsonTree
  readonly from: readonly RequestKey[]
}

/** A recording with its answer, in the dialect and order of another request. */
export interface PageSource {
  readonly from: Interaction
  readonly body: JsonTree
}

/** Undefined where the pages would differ from the recorded ones. */
export function composedOf(
  body: JsonTree,
  sources: readonly PageSource[],
  { canonical }: Derivation,
  { lookup }: WikiFacts
): ComposedAnswer | undefined {
  const recorded = () => sources.map((source) => pagesIn(source.body))
  const isCertain = !differTogether(canonical, pagesIn(body), recorded, lookup)
  return isCertain ? composedFrom(body, sources) : undefined
}

export const composedFrom = (
  body: JsonTree,
  sources: readonly Pick<PageSource, 'from'>[]
): ComposedAnswer => ({
  kind: 'composed',
  body,
  from: [...new Set(sources.map(({ from }) => from.key))]
})

/** All pages are recorded, but the answer is not certain. */
export interface UncertainComposition {
  readonly kind: 'uncertain'
  readonly why: string
  /** A page was recorded only after other writes. */
  readonly inOtherEpoch: boolean
}

export type Composition = ComposedAnswer | UncertainComposition

/** A page or entity was recorded, but not in the session's present epoch. */
export const inOtherEpoch = (what: string): UncertainComposition => ({
  kind: 'uncertain',
  why: `${what} only in an epoch with other writes of the session`,
  inOtherEpoch: true
})

/** Values that one request may name without `apihighlimits`. */
export const maxValues = 50

export type PageParam = 'titles' | 'pageids'

/** The pages that a query names by one parameter; none where its answer is more than the sum of its pages. Ids are in the order sent. */
export function requestedPages(
  { canonical, sentValues, effect }: Derivation,
  by: PageParam
): readonly string[] {
  const wider = ['generator', 'list', 'export', 'revids', 'redirects', 'converttitles']
  const others = [...wider, by === 'titles' ? 'pageids' : 'titles']
  const isQuery = canonical.get('action') === 'query' && effect === 'read'
  if (!isQuery || others.some((name) => canonical.has(name))) return []
  const pages = splitValues(sentValues.get(by) ?? canonical.get(by) ?? '')
  if (pages.length > maxValues) return []
  if (by === 'titles') return valuesOf(canonical, by)
  const ids = pages.map(readInteger)
  return ids.includes(undefined) || new Set(ids).size < pages.length ? [] : pages
}

/**
 * True where the rows of all pages together stay within the limit of each requested module, and all of them within the
 * size of an answer. @param recorded answers of the same wiki, of which one may be cut
 */
export function fitsLimits(
  pages: readonly JsonTree[],
  recorded: readonly Interaction[],
  { canonical }: Derivation,
  facts: WikiFacts
): boolean {
  const size = pages.reduce((sum, page) => sum + resultSize(page), 0)
  if (size > maxResultSize(recorded.flatMap((one) => singleAnswerOf(one) ?? [])))
    return false
  const modules = valuesOf(canonical, 'prop')
  return modules.every((module) => {
    const description = facts.lookup(`query+${module}`)
    if (!description) return false
    const { prefix, parameters } = description
    if (hasQuirk('counts-tests', module)) {
      const tests = quirkNames('counts-tests').flatMap((name) =>
        valuesOf(canonical, prefix + name)
      )
      if (tests.length * (pages.length - 1) >= maxValues) return false
    }
    const limit = parameters.get('limit')
    if (!limit) return true
    const sent = sentLimit(canonical, { module, prefix, description })
    // Without a limit, each page gets its last revision.
    if (sent === undefined) return hasQuirk('newest-of-each', module)
    const most = sent === 'max' ? limit.max : readInteger(sent)
    if (most === undefined) return false
    if (hasQuirk('fills-pages', module))
      return pages.length <= (isCostly(canonical, { module, prefix }) ? 1 : most)
    return rowsOf(module, modules, pages) <= most
  })
}

/** The rows that a module wrote, as far as one can tell: no fewer than it counts. */
function rowsOf(module: string, modules: readonly string[], pages: readonly JsonTree[]) {
  const rows = new Map<string, number>()
  for (const { key, value } of pages.flatMap(membersOf)) {
    const writer = basePageMembers.has(key) ? '' : writerOfPageMember(modules, key)
    if (writer !== undefined && writer !== module) continue
    rows.set(key, (rows.get(key) ?? 0) + countRows(value))
  }
  return Math.max(0, ...rows.values())
}

/** Items of an array; what is in an object, at whatever depth, since its members may be rows (pageassessments). */
function countRows(value: JsonTree): number {
  if (value.kind === 'array') return value.items.length
  return value.kind === 'object'
    ? membersOf(value).reduce((sum, one) => sum + Math.max(1, countRows(one.value)), 0)
    : 0
}

/** Since 1.26 an empty `continue` says nothing: before, it chose the dialect. Source: ApiQuery::execute. */
const withoutEmptyContinue = (request: CanonicalRequest, site: SiteFacts | undefined) =>
  request.get('continue') === '' && isVersionSince(site?.generator, 26)
    ? withoutParams(request, 'continue')
    : request

/** The recorded answer to that request for other pages, in the present request's order of modules. */
export function answerForOthers(
  from: Interaction,
  derivation: Derivation,
  by: PageParam | 'revids',
  { site, request = derivation.canonical }: OtherAnswer
): JsonTree | undefined {
  const recorded = withoutEmptyContinue(from.request, site)
  const isSame = onlyPagesDiffer(recorded, withoutEmptyContinue(request, site), by)
  const body = isSame ? singleAnswerOf(from) : undefined
  return body && reorderAllBut(by, body, from, derivation, site)
}

interface OtherAnswer extends Pick<WikiFacts, 'site'> {
  /** In place of the present one. */
  readonly request?: CanonicalRequest
}

/** The model's frame and siblings with other pages. @param normalized entries for a later reordering to copy from */
export function withPages(
  model: JsonTree,
  missing: readonly JsonTree[],
  existing: readonly JsonTree[],
  normalized: readonly JsonTree[] = []
): JsonTree {
  // With `pageids=` a missing page keeps its id.
  const all = [...missing, ...existing]
  const numbered = all.map(
    (page, at) => [String(pageIdOf(page) || -1 - at), page] as const
  )
  const byId = sortedById(all.filter((page) => pageIdOf(page) > 0))
  const withoutId = missing.filter((page) => pageIdOf(page) === 0)
  const isArray = memberAt(model, 'query', 'pages')?.kind === 'array'
  const pages = isArray ? jsonArray([...withoutId, ...byId]) : jsonObject(numbered)
  const ids = jsonArray(numbered.map(([id]) => jsonString(id)))
  const hasIds = hasMember(model, 'query', 'pageids')
  return replaceMember(model, 'query', () =>
    objectOf([
      ...listMember('normalized', normalized),
      ...(hasIds ? [{ key: 'pageids', value: ids }] : []),
      { key: 'pages', value: pages },
      ...(pageSiblings(model) ?? [])
    ])
  )
}

/** True for an answer with pages alone, which all have ids: existing ones are sorted by them. */
export function hasPagesAlone(body: JsonTree): boolean {
  const siblings = pageSiblings(body)
  const known = new Set(['pages', 'pageids', ...(siblings ?? []).map(({ key }) => key)])
  const pages = pagesIn(body)
  return (
    siblings !== undefined &&
    hasOnlyQuery(body) &&
    membersAt(body, 'query').every(({ key }) => known.has(key)) &&
    pages.every((page) => pageIdOf(page) > 0) &&
    isAscending(pages.filter(pageExists).map(pageIdOf))
  )
}

export const pagesIn = (body: JsonTree | undefined): readonly JsonTree[] =>
  itemsAt(body, 'query', 'pages')

export const onlyPagesDiffer = (
  one: CanonicalRequest,
  other: CanonicalRequest,
  by: PageParam | 'revids'
): boolean =>
  one.has(by) &&
  sameTexts(withoutParams(one, by, epochParam), withoutParams(other, by, epochParam))
