/**
 * Answers to `pageids=` composed of pages recorded in other sets. Pages come sorted by id; measured on 1.35, 1.39 and 1.43
 * (test/live/page-sets.test.ts).
 */
import type { Interaction } from '../../cassette/interaction.ts'
import { itemsOf, type JsonTree, memberOf, membersOf } from '../../json/json-tree.ts'
import { singleAnswerOf } from '../../paging/reading/batch.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import { isAscending, pageExists, pageIdOf } from '../reorder/database-order.ts'
import { hasOnlyQuery, haveSameSiblings, pageSiblings } from '../reorder/page-siblings.ts'
import {
  type ComposedAnswer,
  currentSources,
  differsOnlyInPages,
  fitsLimits,
  isPageCurrent,
  requestedPages,
  type UncertainComposition,
  type WriteHistory,
  withPages,
} from './composed-answer.ts'

interface RecordedPage {
  readonly from: Interaction
  readonly body: JsonTree
  readonly page: JsonTree
}

/**
 * @param recordings of the same modules, in any epoch; others are ignored
 * @param history the writes after which the pages are requested
 */
export function composeIds(
  derivation: Derivation,
  recordings: Iterable<Interaction>,
  facts: WikiFacts,
  history: WriteHistory,
): ComposedAnswer | UncertainComposition | undefined {
  const { canonical } = derivation
  const ids = requestedPages(derivation, 'pageids')
  if (ids.length === 0) return undefined
  const candidates = [...recordings].filter((one) => differsOnlyInPages(one.request, canonical, 'pageids'))
  const recorded = candidates.flatMap(recordedPagesIn)
  const sources = currentSources(canonical, 'pageids', ids, {
    candidates,
    sourcesOf: (id) => recorded.filter(({ page }) => pageIdOf(page) === Number(id)),
    isCurrent: ({ from }, id) => isPageCurrent(from, canonical, 'pageids', id, history, facts.site),
  })
  if (sources === undefined || 'kind' in sources) return sources
  const used = [...sources.values()].sort((a, b) => pageIdOf(a.page) - pageIdOf(b.page))
  const pages = used.map(({ page }) => page)
  const [first] = used
  if (first === undefined || !fitsLimits(pages, derivation, facts)) return undefined
  if (!used.every(({ body }) => haveSameSiblings(body, first.body))) return undefined
  const from = [...new Set(used.map((one) => one.from.key))]
  return { kind: 'composed', body: withPages(first.body, [], pages), from }
}

/** The pages of an answer, sorted by id; none where it is not complete, or has missing pages. */
function recordedPagesIn(from: Interaction): readonly RecordedPage[] {
  const body = singleAnswerOf(from)
  const query = memberOf(body, 'query')
  const siblings = pageSiblings(body)
  if (body === undefined || siblings === undefined || !hasOnlyQuery(body)) return []
  const known = new Set(['pages', 'pageids', ...siblings.map(({ key }) => key)])
  const pages = itemsOf(memberOf(query, 'pages'))
  const isUnderstood = membersOf(query).every(({ key }) => known.has(key)) && pages.every(pageExists)
  return isUnderstood && isAscending(pages.map(pageIdOf)) ? pages.map((page) => ({ from, body, page })) : []
}
