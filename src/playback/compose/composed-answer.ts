/** Answers composed of several recordings: their type, and what must hold for the recorded pages. */
import { type Interaction, sameTexts } from '../../cassette/interaction.ts'
import {
  itemsOf,
  type JsonTree,
  jsonArray,
  jsonObject,
  jsonString,
  memberAt,
  membersOf,
  objectOf,
  replaceMember,
} from '../../json/json-tree.ts'
import { hasQuirk } from '../../knowledge/module-quirks.ts'
import { isCostly } from '../../paging/reading/driver.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { readSetOf, whyAffected } from '../../wiki/effects/read-set.ts'
import type { WriteSet } from '../../wiki/effects/write-set.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { namedWrites } from '../lookup/write-independent.ts'
import { isAscending, pageExists, pageIdOf } from '../reorder/page-order.ts'
import { hasOnlyQuery, pageSiblings } from '../reorder/page-siblings.ts'
import { epochAfter, type SessionWrite } from '../session/session.ts'

export interface ComposedAnswer {
  readonly kind: 'composed'
  readonly body: JsonTree
  readonly from: readonly RequestKey[]
}

/** All pages are recorded, but the answer is not certain. */
export interface UncertainComposition {
  readonly kind: 'uncertain'
  readonly why: string
  /** A page was recorded only after other writes. */
  readonly inOtherEpoch: boolean
}

/** Values that one request may name without `apihighlimits`. */
export const maxValues = 50

export type PageParam = 'titles' | 'pageids'

/** The pages that a query names by one parameter; none where its answer is more than the sum of its pages. */
export function requestedPages({ canonical, effect }: Derivation, by: PageParam): readonly string[] {
  const wider = ['generator', 'list', 'export', 'revids', 'redirects', 'converttitles']
  const others = [...wider, by === 'titles' ? 'pageids' : 'titles']
  const isQuery = canonical.get('action') === 'query' && effect === 'read'
  if (!isQuery || others.some((name) => canonical.has(name))) return []
  const pages = splitValues(canonical.get(by) ?? '')
  return pages.length > maxValues ? [] : pages
}

/** True where the rows of all pages together stay within the smallest limit of the requested modules. */
export function fitsLimits(pages: readonly JsonTree[], { canonical }: Derivation, facts: WikiFacts): boolean {
  const rows = new Map<string, number>()
  for (const { key, value } of pages.flatMap(membersOf))
    if (value.kind === 'array') rows.set(key, (rows.get(key) ?? 0) + value.items.length)
  const most = Math.max(0, ...rows.values())
  return splitValues(canonical.get('prop') ?? '').every((module) => {
    const description = facts.lookup(`query+${module}`)
    if (description === undefined) return false
    const { prefix, parameters } = description
    const limit = parameters.get('limit')
    const sent = canonical.get(`${prefix}limit`) ?? limit?.default
    // `revisions` has a limit without a default: not sent, each page gets its last revision.
    if (limit === undefined || sent === undefined) return true
    if (!hasQuirk('fills-pages', module)) return most <= Number(sent)
    return pages.length <= (isCostly(canonical, { module, prefix }) ? 1 : Number(sent))
  })
}

/** The model's frame and siblings with other pages. @param normalized entries for a later reordering to copy from */
export function withPages(
  model: JsonTree,
  missing: readonly JsonTree[],
  existing: readonly JsonTree[],
  normalized: readonly JsonTree[] = [],
): JsonTree {
  const numbered = [...missing, ...existing].map(
    (page, at) => [at < missing.length ? String(-1 - at) : String(pageIdOf(page)), page] as const,
  )
  const byId = [...existing].sort((a, b) => pageIdOf(a) - pageIdOf(b))
  const isArray = memberAt(model, 'query', 'pages')?.kind === 'array'
  const pages = isArray ? jsonArray([...missing, ...byId]) : jsonObject(numbered)
  const ids = jsonArray(numbered.map(([id]) => jsonString(id)))
  const hasIds = memberAt(model, 'query', 'pageids') !== undefined
  return replaceMember(model, 'query', () =>
    objectOf([
      ...(normalized.length === 0 ? [] : [{ key: 'normalized', value: jsonArray(normalized) }]),
      ...(hasIds ? [{ key: 'pageids', value: ids }] : []),
      { key: 'pages', value: pages },
      ...(pageSiblings(model) ?? []),
    ]),
  )
}

/** True for an answer with pages alone: existing ones, sorted by id. */
export function hasPagesAlone(body: JsonTree): boolean {
  const siblings = pageSiblings(body)
  const known = new Set(['pages', 'pageids', ...(siblings ?? []).map(({ key }) => key)])
  const pages = pagesIn(body)
  return (
    siblings !== undefined &&
    hasOnlyQuery(body) &&
    membersOf(memberAt(body, 'query')).every(({ key }) => known.has(key)) &&
    pages.every(pageExists) &&
    isAscending(pages.map(pageIdOf))
  )
}

export const pagesIn = (body: JsonTree | undefined): readonly JsonTree[] =>
  itemsOf(memberAt(body, 'query', 'pages'))

/** The writes of a session, and the write sets of those that recordings name. */
export interface WriteHistory {
  readonly writes: readonly SessionWrite[]
  /** Undefined where the cassette does not tell. */
  readonly writeSetOf: (write: RequestKey) => WriteSet | undefined
}

/**
 * True where a part of a recorded answer still holds in a session: only writes that affect this part count, whatever they
 * did to the others. Then the recorded and the present epoch have the same writes that affect the page.
 * @param requested the present request; for the page, its parameter `by` is replaced by `page`
 */
export function isPageCurrent(
  { request: recorded }: Interaction,
  requested: CanonicalRequest,
  by: PageParam,
  page: string,
  { writes, writeSetOf }: WriteHistory,
  site: SiteFacts | undefined,
): boolean {
  const named = namedWrites(recorded)
  if (named === undefined) return recorded.get(epochParam) === requested.get(epochParam)
  const writeSets = new Map(writes.map(({ key, writeSet }) => [key, writeSet]))
  const known = named.flatMap((key) => {
    const writeSet = writeSets.get(key) ?? writeSetOf(key)
    return writeSet === undefined ? [] : [{ key, writeSet }]
  })
  const readSet = readSetOf(new Map([...requested, [by, page]]), 'read', site)
  const affecting = (made: readonly SessionWrite[]): string =>
    epochAfter(made.filter(({ writeSet }) => whyAffected(writeSet, readSet) !== undefined))
  return known.length === named.length && affecting(known) === affecting(writes)
}

export function onlyPagesDiffer(one: CanonicalRequest, other: CanonicalRequest, by: PageParam): boolean {
  const rest = (request: CanonicalRequest): ReadonlyMap<string, string> =>
    new Map([...request].filter(([name]) => name !== by && name !== epochParam))
  return one.has(by) && sameTexts(rest(one), rest(other))
}
