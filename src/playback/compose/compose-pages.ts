/**
 * Answers to `titles=` and `pageids=` composed of pages recorded in a larger set, or in several sets: what props say of a
 * page does not depend on the other pages, as long as no limit cuts the answer. By id, pages come sorted; measured on
 * 1.35, 1.39 and 1.43 (test/live/page-sets.test.ts).
 */
import type { Interaction } from '../../cassette/interaction.ts'
import { itemsOf, type JsonTree, memberAt, membersOf, objectOf } from '../../json/json-tree.ts'
import { singleAnswerOf } from '../../paging/reading/batch.ts'
import { differTogether } from '../../paging/reading/limit.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { joinValues, splitValues } from '../../wiki/parameters/request-params.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { inDatabaseOrder, isAscending, namespaceOf, pageExists, pageIdOf } from '../reorder/page-order.ts'
import { hasOnlyQuery, haveSameSiblings, pageSiblings } from '../reorder/page-siblings.ts'
import { reorderTitles } from '../reorder/reorder-pages.ts'
import {
  type ComposedAnswer,
  currentSources,
  differsOnlyInPages,
  fitsLimits,
  isPageCurrent,
  type PageParam,
  requestedPages,
  type UncertainComposition,
  type WriteHistory,
  withPages,
} from './composed-answer.ts'

interface PageSource {
  readonly from: Interaction
  readonly body: JsonTree
}

interface RecordedPage extends PageSource {
  readonly page: JsonTree
}

/** Recordings of the same request for other pages, with their answers in its dialect. */
function pageSources(
  recordings: readonly Interaction[],
  canonical: CanonicalRequest,
  by: PageParam,
): readonly PageSource[] {
  const modern = new Map([...canonical].filter(([name]) => name !== 'rawcontinue'))
  return recordings.flatMap((from): readonly PageSource[] => {
    const isSame = differsOnlyInPages(from.request, canonical, by)
    const body = isSame || differsOnlyInPages(from.request, modern, by) ? singleAnswerOf(from) : undefined
    if (body === undefined) return []
    if (isSame) return [{ from, body }]
    // A complete answer. Wikis that do not write the member may not know `rawcontinue`.
    const members = membersOf(body).filter(({ key }) => key !== 'batchcomplete')
    return members.length < membersOf(body).length ? [{ from, body: objectOf(members) }] : []
  })
}

/** Undefined where the pages would differ from the recorded ones. */
function composedOf(
  body: JsonTree,
  used: Iterable<PageSource>,
  { canonical }: Derivation,
  { lookup }: WikiFacts,
): ComposedAnswer | undefined {
  const sources = [...used]
  const recorded = (): readonly (readonly JsonTree[])[] => sources.map((source) => pagesIn(source.body))
  if (differTogether(canonical, pagesIn(body), recorded, lookup)) return undefined
  return { kind: 'composed', body, from: [...new Set(sources.map(({ from }) => from.key))] }
}

const pagesIn = (body: JsonTree): readonly JsonTree[] => itemsOf(memberAt(body, 'query', 'pages'))

/**
 * @param recordings of the same modules, in any epoch; others are ignored
 * @param history the writes after which the pages are requested
 */
export function composeTitles(
  derivation: Derivation,
  recordings: Iterable<Interaction>,
  facts: WikiFacts,
  history: WriteHistory,
): ComposedAnswer | UncertainComposition | undefined {
  const { canonical } = derivation
  const { site } = facts
  const titles = requestedPages(derivation, 'titles')
  if (site === undefined || titles.length === 0) return undefined
  const requested = derivation.sentValues.get('titles') ?? canonical.get('titles') ?? ''
  const all = [...recordings]
  const usable = pageSources(all, canonical, 'titles')
  const isCurrent = ({ from }: PageSource, title: string): boolean =>
    hasTitle(from, title) && isPageCurrent(from, canonical, 'titles', title, history, site)
  for (const source of usable) {
    if (!titles.every((title) => isCurrent(source, title))) continue
    const body = reorderTitles(source.body, sentTitles(source.from), requested, site)
    if (body !== undefined) return composedOf(body, [source], derivation, facts)
  }
  const sourcesOf = (title: string): typeof usable => usable.filter(({ from }) => hasTitle(from, title))
  const sources = currentSources(canonical, 'titles', titles, all, sourcesOf, isCurrent)
  if (sources === undefined || 'kind' in sources) return sources
  const merged = mergeSources(sources, all, (pages) => fitsLimits(pages, derivation, facts), site)
  if (merged === undefined || merged.kind === 'uncertain') return merged
  const body = reorderTitles(merged, joinValues(titles), requested, site)
  return body && composedOf(body, sources.values(), derivation, facts)
}

const hasTitle = ({ request }: Interaction, title: string): boolean =>
  splitValues(request.get('titles') ?? '').includes(title)

const sentTitles = ({ request, sentValues }: Interaction): string =>
  sentValues.get('titles') ?? request.get('titles') ?? ''

/** The pages of several recordings in one answer; undefined or uncertain where their order is not certain, or a limit would cut. */
function mergeSources(
  sources: ReadonlyMap<string, PageSource>,
  all: readonly Interaction[],
  fits: (pages: readonly JsonTree[]) => boolean,
  site: SiteFacts,
): JsonTree | UncertainComposition | undefined {
  const bodies = [...sources.values()].map(({ body }) => body)
  const [model] = bodies
  const pages = [...sources].flatMap(([title, { from, body }]) =>
    itemsOf(memberAt(reorderTitles(body, sentTitles(from), title, site), 'query', 'pages')),
  )
  if (model === undefined || pages.length !== sources.size || !fits(pages)) return undefined
  if (!bodies.every((body) => haveSameSiblings(body, model))) return undefined
  const found = pages.filter(pageExists)
  // Formatversion 2 sorts pages by id, but lists their ids (`indexpageids`) in the database's order.
  const isSortedById = memberAt(model, 'query', 'pages')?.kind === 'array'
  const isAsFound = isSortedById && memberAt(model, 'query', 'pageids') === undefined
  const isOneNamespace = new Set(pages.map(namespaceOf)).size <= 1
  const ordered = isOneNamespace ? inDatabaseOrder(found, pages.length, all) : undefined
  const existing = isAsFound ? found : ordered
  if (existing === undefined) {
    const why = `no recording shows in which order the wiki returns ${sources.size} of them together`
    return { kind: 'uncertain', why, inOtherEpoch: false }
  }
  const missing = pages.filter((page) => !pageExists(page))
  const normalized = bodies.flatMap((body) => itemsOf(memberAt(body, 'query', 'normalized')))
  return withPages(model, missing, existing, normalized)
}

/** As `composeTitles`. */
export function composeIds(
  derivation: Derivation,
  recordings: Iterable<Interaction>,
  facts: WikiFacts,
  history: WriteHistory,
): ComposedAnswer | UncertainComposition | undefined {
  const { canonical } = derivation
  const ids = requestedPages(derivation, 'pageids')
  if (ids.length === 0) return undefined
  const all = [...recordings]
  const recorded = pageSources(all, canonical, 'pageids').flatMap(recordedPagesIn)
  const sourcesOf = (id: string): typeof recorded =>
    recorded.filter(({ page }) => pageIdOf(page) === Number(id))
  const isCurrent = ({ from }: RecordedPage, id: string): boolean =>
    isPageCurrent(from, canonical, 'pageids', id, history, facts.site)
  const sources = currentSources(canonical, 'pageids', ids, all, sourcesOf, isCurrent)
  if (sources === undefined || 'kind' in sources) return sources
  const used = [...sources.values()].sort((a, b) => pageIdOf(a.page) - pageIdOf(b.page))
  const pages = used.map(({ page }) => page)
  const [first] = used
  if (first === undefined || !fitsLimits(pages, derivation, facts)) return undefined
  if (!used.every(({ body }) => haveSameSiblings(body, first.body))) return undefined
  return composedOf(withPages(first.body, [], pages), used, derivation, facts)
}

/** The pages of an answer, sorted by id; none where it is not complete, or has missing pages. */
function recordedPagesIn({ from, body }: PageSource): readonly RecordedPage[] {
  const siblings = pageSiblings(body)
  if (siblings === undefined || !hasOnlyQuery(body)) return []
  const known = new Set(['pages', 'pageids', ...siblings.map(({ key }) => key)])
  const pages = itemsOf(memberAt(body, 'query', 'pages'))
  const isUnderstood =
    membersOf(memberAt(body, 'query')).every(({ key }) => known.has(key)) && pages.every(pageExists)
  return isUnderstood && isAscending(pages.map(pageIdOf)) ? pages.map((page) => ({ from, body, page })) : []
}
