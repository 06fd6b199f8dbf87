/**
 * Pages asked for by `pageids` that were recorded in other sets. They stand by id, as the key of the wiki's table does;
 * measured on 1.35, 1.39 and 1.43 (test/live/page-sets.test.ts).
 */
import type { Interaction } from '../../cassette/interaction.ts'
import {
  itemsOf,
  type JsonTree,
  jsonArray,
  jsonObject,
  jsonString,
  memberAt,
  memberOf,
  membersOf,
  replaceMember,
} from '../../json/json-tree.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import { isAscending, pageExists, pageIdOf } from '../reorder/database-order.ts'
import { haveSameSiblings, pageSiblings } from '../reorder/page-siblings.ts'
import {
  type ComposedAnswer,
  fitsLimits,
  onlyJsonBody,
  recordedInOtherEpoch,
  type UncertainComposition,
} from './composed-answer.ts'
import { differsOnlyInPages, isPageCurrent, type WriteHistory } from './page-validity.ts'

/** Parameters that make an answer more than the sum of its pages. */
const unsupportedParams = ['generator', 'list', 'titles', 'revids', 'redirects', 'converttitles', 'export']
/** Ids that one request of an ordinary caller may name. */
const maxIds = 50

interface RecordedPage {
  readonly from: Interaction
  readonly body: JsonTree
  readonly page: JsonTree
}

/**
 * @param recordings those of the same modules, of any epoch; others are passed over
 * @param history after which writes each page is wanted
 */
export function composeIds(
  derivation: Derivation,
  recordings: Iterable<Interaction>,
  facts: WikiFacts,
  history: WriteHistory,
): ComposedAnswer | UncertainComposition | undefined {
  const { canonical, effect } = derivation
  const wanted = [...new Set(splitValues(canonical.get('pageids') ?? ''))].map(Number)
  const plain =
    canonical.get('action') === 'query' &&
    effect === 'read' &&
    !unsupportedParams.some((name) => canonical.has(name))
  if (!plain || wanted.length === 0 || wanted.length > maxIds) return undefined
  const candidates = [...recordings].filter((one) => differsOnlyInPages(one.request, canonical, 'pageids'))
  const recordedPages = candidates.flatMap(recordedPagesIn)
  const isCurrent = (from: Interaction, id: number): boolean =>
    isPageCurrent(from, canonical, 'pageids', String(id), history, facts.site)
  const used = [...wanted]
    .sort((a, b) => a - b)
    .flatMap(
      (id) => recordedPages.find(({ from, page }) => pageIdOf(page) === id && isCurrent(from, id)) ?? [],
    )
  const [first] = used
  if (first === undefined || used.length < wanted.length) {
    const outdated = wanted.find((id) => !used.some(({ page }) => pageIdOf(page) === id))
    const allRecorded = wanted.every((id) => recordedPages.some(({ page }) => pageIdOf(page) === id))
    const alone = candidates.every(({ request }) => request.get('pageids') !== canonical.get('pageids'))
    return allRecorded && alone && outdated !== undefined ? recordedInOtherEpoch(String(outdated)) : undefined
  }
  const pages = used.map(({ page }) => page)
  if (!fitsLimits(pages, derivation, facts)) return undefined
  if (!used.every(({ body }) => haveSameSiblings(body, first.body))) return undefined
  return {
    kind: 'assembled',
    body: withPages(first.body, pages),
    from: [...new Set(used.map(({ from }) => from.key))],
  }
}

/** The pages of a whole answer that stand by id; none where it tells of more than pages that exist. */
function recordedPagesIn(from: Interaction): readonly RecordedPage[] {
  const body = onlyJsonBody(from)
  const query = memberOf(body, 'query')
  const siblings = pageSiblings(body)
  if (body === undefined || siblings === undefined) return []
  const top = membersOf(body).every(({ key }) => key === 'query' || key === 'batchcomplete')
  const known = new Set(['pages', 'pageids', ...siblings.map(({ key }) => key)])
  const pages = itemsOf(memberOf(query, 'pages'))
  const whole = membersOf(query).every(({ key }) => known.has(key)) && pages.every(pageExists)
  return top && whole && isAscending(pages.map(pageIdOf)) ? pages.map((page) => ({ from, body, page })) : []
}

/** The answer with other pages, in the order given. */
function withPages(model: JsonTree, pages: readonly JsonTree[]): JsonTree {
  const numbers = pages.map((page) => String(pageIdOf(page)))
  const newPages: JsonTree =
    memberAt(model, 'query', 'pages')?.kind === 'array'
      ? jsonArray(pages)
      : jsonObject(pages.map((page) => [String(pageIdOf(page)), page]))
  return replaceMember(model, 'query', (query) => ({
    kind: 'object',
    members: membersOf(query).map(({ key, value }) => {
      if (key === 'pages') return { key, value: newPages }
      return { key, value: key === 'pageids' ? jsonArray(numbers.map(jsonString)) : value }
    }),
  }))
}
