/**
 * Answers to `titles=` and `pageids=` composed of pages recorded in a larger set, or in several sets: what props say of a
 * page does not depend on the other pages, as long as no limit cuts the answer. By id, pages come sorted; measured on
 * 1.35, 1.39 and 1.43 (test/live/page-sets.test.ts).
 */
import type { Interaction } from '../../../cassette/interaction.ts'
import {
  hasMember,
  itemsAt,
  type JsonTree,
  memberAt,
  withoutMember
} from '../../../json/json-tree.ts'
import type { Derivation, WikiFacts } from '../../../request/derive.ts'
import { inTurn } from '../../../text/group-by.ts'
import { readInteger } from '../../../wiki/parameters/integers.ts'
import { valuesOf, withoutParams } from '../../../wiki/parameters/request-params.ts'
import type { SiteFacts } from '../../../wiki/site/site-facts.ts'
import {
  inDatabaseOrder,
  inEveryOrder,
  namespaceOf,
  pageExists,
  pageIdOf,
  sortedById,
  type TitleMap,
  titleIn
} from '../../reorder/page-order.ts'
import { haveSameSiblings, isModern } from '../../reorder/page-siblings.ts'
import { canonicalTitles, reorderTitles } from '../../reorder/reorder-pages.ts'
import {
  answerForOthers,
  type Composition,
  composedOf,
  fitsLimits,
  hasPagesAlone,
  inOtherEpoch,
  onlyPagesDiffer,
  type PageParam,
  type PageSource,
  pagesIn,
  requestedPages,
  type UncertainComposition,
  withPages
} from '../composed-answer.ts'
import { isPageCurrent, type WriteHistory } from '../page-validity.ts'

/** A recording of the same request for other pages, with its answer in this one's dialect and order of modules. */
function pageSource(
  from: Interaction,
  derivation: Derivation,
  by: PageParam,
  site: SiteFacts | undefined
): PageSource | undefined {
  const { canonical } = derivation
  const body = answerForOthers(from, derivation, by, { site })
  if (body) {
    const isSameDialect = from.request.has('continue') === canonical.has('continue')
    return isSameDialect || isModern(body) ? { from, body } : undefined
  }
  if (!canonical.has('rawcontinue')) return undefined
  const request = withoutParams(canonical, 'rawcontinue')
  const modern = answerForOthers(from, derivation, by, { site, request })
  // A complete answer. Wikis that do not write the member may not know `rawcontinue`.
  return modern && hasMember(modern, 'batchcomplete')
    ? { from, body: withoutMember(modern, 'batchcomplete') }
    : undefined
}

/** @param recordings in any epoch; those of other modules are ignored. @param history writes before this request. @param others recordings of any props, which may show the database's order */
export function composePages(
  derivation: Derivation,
  recordings: Iterable<Interaction>,
  facts: WikiFacts,
  history: WriteHistory,
  others: Iterable<Interaction> = []
): Composition | undefined {
  const { canonical } = derivation
  const { site } = facts
  const by: PageParam = canonical.has('titles') ? 'titles' : 'pageids'
  const names = requestedPages(derivation, by)
  if (names.length === 0 || (by === 'titles' && !site)) return undefined
  const requested = derivation.sentValues.get(by) ?? canonical.get(by) ?? ''
  const all = [...recordings]
  const usable = all
    .flatMap((one) => pageSource(one, derivation, by, site) ?? [])
    .filter(({ body }) => by === 'titles' || hasPagesAlone(body))
  const pagesNamed = (body: JsonTree | undefined, name: string): readonly JsonTree[] =>
    pagesIn(body).filter((page) =>
      by === 'titles' ? titleIn(page) === name : pageIdOf(page) === readInteger(name)
    )
  const shows = ({ from, body }: PageSource, name: string): boolean =>
    by === 'titles'
      ? valuesOf(from.request, 'titles').includes(name)
      : pagesNamed(body, name).length > 0
  const showsCurrent = (source: PageSource, name: string): boolean => {
    const [shown] = pagesNamed(source.body, name)
    const part = { from: source.from, requested: canonical, by, page: name, shown }
    return shows(source, name) && isPageCurrent(part, history, site)
  }
  const reorder = (body: JsonTree, from: string, to: string): JsonTree | undefined =>
    site && by === 'titles' ? reorderTitles(body, from, to, site) : body
  const pagesOf = ({ from, body }: PageSource, to: string): JsonTree | undefined =>
    reorder(body, from.sentValues.get('titles') ?? from.request.get('titles') ?? '', to)

  for (const source of by === 'titles' ? usable : []) {
    if (!names.every((name) => showsCurrent(source, name))) continue
    const body = pagesOf(source, requested)
    if (body) return composedOf(body, [source], derivation, facts)
  }
  if (!names.every((name) => usable.some((one) => shows(one, name)))) return undefined
  const sources: PageSource[] = []
  const pages: JsonTree[] = []
  for (const name of names) {
    const source = usable.find((one) => showsCurrent(one, name))
    // A recording of the same pages says more, as a near miss.
    if (!source)
      return all.some(
        ({ request }) =>
          request.get(by) === canonical.get(by) && onlyPagesDiffer(request, canonical, by)
      )
        ? undefined
        : inOtherEpoch(`"${name}"`)
    sources.push(source)
    const body = pagesOf(source, name)
    pages.push(...(by === 'titles' ? pagesIn(body) : pagesNamed(body, name)))
  }
  if (pages.length !== sources.length || !fitsLimits(pages, all, derivation, facts))
    return undefined
  const merged = merge({
    sources,
    pages,
    by,
    showingOrder: inTurn([all, others]),
    requested: site && canonicalTitles(requested, site)
  })
  if (!merged || merged.kind === 'uncertain') return merged
  const body = reorder(merged, requested, requested)
  return body && composedOf(body, sources, derivation, facts)
}

interface PageParts {
  readonly sources: readonly PageSource[]
  readonly pages: readonly JsonTree[]
  readonly by: PageParam
  readonly showingOrder: Iterable<Interaction>
  readonly requested: TitleMap | undefined
}

/** The pages of several recordings in one answer; undefined or uncertain where their order is not certain. */
function merge({
  sources,
  pages,
  by,
  showingOrder,
  requested
}: PageParts): JsonTree | UncertainComposition | undefined {
  const [model, ...others] = sources.map(({ body }) => body)
  if (!model || !others.every((body) => haveSameSiblings(body, model))) return undefined
  const found = sortedById(pages.filter(pageExists))
  // Formatversion 2 sorts pages by id, but lists their ids (`indexpageids`) in the database's order.
  const isArray = memberAt(model, 'query', 'pages')?.kind === 'array'
  const isById = by === 'pageids' || (isArray && !hasMember(model, 'query', 'pageids'))
  const isOneNamespace = new Set(pages.map(namespaceOf)).size <= 1
  const inOrder = (): readonly JsonTree[] | undefined =>
    isOneNamespace
      ? inDatabaseOrder(found, pages.length, showingOrder)
      : requested && inEveryOrder(found, pages, requested)
  const existing = isById ? found : inOrder()
  if (!existing) {
    return {
      kind: 'uncertain',
      why: `no recording shows in which order the wiki returns ${sources.length} of them together`,
      inOtherEpoch: false
    }
  }
  const missing = pages.filter((page) => !pageExists(page))
  const normalized = sources.flatMap(({ body }) => itemsAt(body, 'query', 'normalized'))
  return withPages(model, missing, existing, normalized)
}
