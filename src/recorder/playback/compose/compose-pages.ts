/**
 * Answers to `titles=` and `pageids=` composed of pages recorded in a larger set, or in several sets: what props say of a
 * page does not depend on the other pages, as long as no limit cuts the answer. By id, pages come sorted; measured on
 * 1.35, 1.39 and 1.43 (test/live/page-sets.test.ts). And answers to `generator=templates` recorded in another epoch.
 */
import { type Interaction, sameTexts } from '../../cassette/interaction.ts'
import {
  hasMember,
  itemsAt,
  type JsonTree,
  memberAt,
  memberOf,
  membersOf,
  scalarTextOf,
  textAt,
} from '../../json/json-tree.ts'
import { singleAnswerOf } from '../../paging/reading/batch.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { readInteger } from '../../wiki/parameters/integers.ts'
import {
  joinValues,
  splitValues,
  valuesOf,
} from '../../wiki/parameters/request-params.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import {
  inDatabaseOrder,
  inEveryOrder,
  namespaceOf,
  pageExists,
  pageIdOf,
  type TitleMap,
  titleIn,
} from '../reorder/page-order.ts'
import { haveSameSiblings, isModern } from '../reorder/page-siblings.ts'
import { canonicalTitles, reorderTitles } from '../reorder/reorder-pages.ts'
import { reorderAllBut } from '../reorder/reorder-response.ts'
import {
  type ComposedAnswer,
  composedOf,
  fitsLimits,
  hasPagesAlone,
  onlyPagesDiffer,
  type PageParam,
  type PageSource,
  pagesIn,
  requestedPages,
  type UncertainComposition,
  withoutEmptyContinue,
  withPages,
} from './composed-answer.ts'
import { isPageCurrent, type WriteHistory } from './page-validity.ts'

/** Recordings of the same request for other pages, with their answers in its dialect and its order of modules. */
function pageSources(
  recordings: readonly Interaction[],
  derivation: Derivation,
  by: PageParam,
  site: SiteFacts | undefined,
): readonly PageSource[] {
  const canonical = withoutEmptyContinue(derivation.canonical, site)
  const modern = new Map([...canonical].filter(([name]) => name !== 'rawcontinue'))
  return recordings.flatMap((from): readonly PageSource[] => {
    const request = withoutEmptyContinue(from.request, site)
    const isSame = onlyPagesDiffer(request, canonical, by)
    const recorded =
      isSame || onlyPagesDiffer(request, modern, by) ? singleAnswerOf(from) : undefined
    const body = recorded && reorderAllBut(by, recorded, from, derivation, site)
    const hasOtherContinue =
      from.request.has('continue') !== derivation.canonical.has('continue')
    if (body === undefined || (isSame && hasOtherContinue && !isModern(body))) return []
    if (isSame) return [{ from, body }]
    // A complete answer. Wikis that do not write the member may not know `rawcontinue`.
    const members = membersOf(body).filter(({ key }) => key !== 'batchcomplete')
    return members.length < membersOf(body).length
      ? [{ from, body: { kind: 'object', members } }]
      : []
  })
}

const sentTitles = ({ from: { request, sentValues } }: PageSource): string =>
  sentValues.get('titles') ?? request.get('titles') ?? ''

/** @param recordings in any epoch; those of other modules are ignored. @param history writes before this request */
export function composePages(
  derivation: Derivation,
  recordings: Iterable<Interaction>,
  facts: WikiFacts,
  history: WriteHistory,
): ComposedAnswer | UncertainComposition | undefined {
  const { canonical } = derivation
  const { site } = facts
  const by: PageParam = canonical.has('titles') ? 'titles' : 'pageids'
  const names = requestedPages(derivation, by)
  if (names.length === 0 || (by === 'titles' && site === undefined)) return undefined
  const requested = derivation.sentValues.get(by) ?? canonical.get(by) ?? ''
  const all = [...recordings]
  const usable = pageSources(all, derivation, by, site).filter(
    ({ body }) => by === 'titles' || hasPagesAlone(body),
  )
  const shows = ({ from, body }: PageSource, name: string): boolean =>
    by === 'titles'
      ? valuesOf(from.request, 'titles').includes(name)
      : pagesIn(body).some((page) => pageIdOf(page) === readInteger(name))
  const isCurrent = ({ from, body }: PageSource, name: string): boolean => {
    const shown = pagesIn(body).find((page) =>
      by === 'titles' ? titleIn(page) === name : pageIdOf(page) === readInteger(name),
    )
    return isPageCurrent(
      { from, requested: canonical, by, page: name, shown },
      history,
      site,
    )
  }
  const reorder = (
    body: JsonTree,
    recorded: string,
    wanted: string,
  ): JsonTree | undefined =>
    by === 'titles' && site !== undefined
      ? reorderTitles(body, recorded, wanted, site)
      : body
  for (const source of by === 'titles' ? usable : []) {
    if (!names.every((name) => shows(source, name) && isCurrent(source, name))) continue
    const body = reorder(source.body, sentTitles(source), requested)
    if (body !== undefined) return composedOf(body, [source], derivation, facts)
  }
  if (!names.every((name) => usable.some((one) => shows(one, name)))) return undefined
  const sources: PageSource[] = []
  for (const name of names) {
    const source = usable.find((one) => shows(one, name) && isCurrent(one, name))
    if (source === undefined) return inOtherEpoch(name, all, canonical, by)
    sources.push(source)
  }
  const pages = sources.flatMap((source, at) => {
    const name = names[at] ?? ''
    const found = pagesIn(reorder(source.body, sentTitles(source), name))
    return by === 'titles'
      ? found
      : found.filter((page) => pageIdOf(page) === readInteger(name))
  })
  if (pages.length !== sources.length || !fitsLimits(pages, all, derivation, facts))
    return undefined
  const merged = merge(sources, pages, by, all, site && canonicalTitles(requested, site))
  if (merged === undefined || merged.kind === 'uncertain') return merged
  const body = reorder(merged, requested, requested)
  return body && composedOf(body, sources, derivation, facts)
}

/** A page was recorded, but not in the session's present epoch. */
function inOtherEpoch(
  page: string,
  all: readonly Interaction[],
  canonical: CanonicalRequest,
  by: PageParam,
): UncertainComposition | undefined {
  // A recording of the same pages says more, as a near miss.
  const isSame = ({ request }: Interaction): boolean =>
    request.get(by) === canonical.get(by) && onlyPagesDiffer(request, canonical, by)
  const why = `"${page}" only in an epoch with other writes of the session`
  return all.some(isSame) ? undefined : { kind: 'uncertain', why, inOtherEpoch: true }
}

/** The pages of several recordings in one answer; undefined or uncertain where their order is not certain. */
function merge(
  sources: readonly PageSource[],
  pages: readonly JsonTree[],
  by: PageParam,
  all: readonly Interaction[],
  requested: TitleMap | undefined,
): JsonTree | UncertainComposition | undefined {
  const [model, ...others] = sources.map(({ body }) => body)
  if (model === undefined || !others.every((body) => haveSameSiblings(body, model)))
    return undefined
  const found = pages.filter(pageExists).sort((a, b) => pageIdOf(a) - pageIdOf(b))
  // Formatversion 2 sorts pages by id, but lists their ids (`indexpageids`) in the database's order.
  const isArray = memberAt(model, 'query', 'pages')?.kind === 'array'
  const isById = by === 'pageids' || (isArray && !hasMember(model, 'query', 'pageids'))
  const isOneNamespace = new Set(pages.map(namespaceOf)).size <= 1
  const inOrder = (): readonly JsonTree[] | undefined =>
    isOneNamespace
      ? inDatabaseOrder(found, pages.length, all)
      : requested && inEveryOrder(found, pages, requested)
  const existing = isById ? found : inOrder()
  if (existing === undefined) {
    const why = `no recording shows in which order the wiki returns ${sources.length} of them together`
    return { kind: 'uncertain', why, inOtherEpoch: false }
  }
  const missing = pages.filter((page) => !pageExists(page))
  const normalized = sources.flatMap(({ body }) => itemsAt(body, 'query', 'normalized'))
  return withPages(model, missing, existing, normalized)
}

/** @param recordings in any epoch; those of other modules are ignored. @param history writes before this request */
export function composeTemplates(
  { canonical, sentValues }: Derivation,
  recordings: Iterable<Interaction>,
  site: SiteFacts | undefined,
  history: WriteHistory,
): ComposedAnswer | undefined {
  const titles = canonical.get('titles')
  const isPlain = [...canonical.keys()].every((name) => !narrowingParams.test(name))
  if (canonical.get('generator') !== 'templates' || titles === undefined || !isPlain)
    return undefined
  // A request for the pages themselves depends on the same writes.
  const pagesRequest = new Map(
    [...canonical].filter(([name]) => !['generator', 'gtllimit', 'prop'].includes(name)),
  )
  const props = valuesOf(canonical, 'prop').filter((one) => !isHeld(one, canonical))
  if (props.length > 0) pagesRequest.set('prop', joinValues(props))
  for (const one of recordings) {
    const isSame =
      onlyPagesDiffer(one.request, canonical, 'titles') &&
      one.request.get('titles') === titles
    const body =
      isSame && sameTexts(one.sentValues, sentValues) ? singleAnswerOf(one) : undefined
    const templates = body && allTemplates(body)
    if (body === undefined || templates === undefined) continue
    const all = joinValues([...splitValues(titles), ...templates])
    const part = { from: one, requested: pagesRequest, by: 'titles', page: all } as const
    if (isPageCurrent(part, history, site))
      return { kind: 'composed', body, from: [one.key] }
  }
  return undefined
}

/** Of a page that is neither a file's nor a category's they show nothing that a write of another page changes, but `touched`. */
const isHeld = (prop: string, canonical: CanonicalRequest): boolean =>
  prop === 'imageinfo' ||
  prop === 'categoryinfo' ||
  (prop === 'info' &&
    splitValues(canonical.get('inprop') ?? 'url').every((one) =>
      /^(?:protection|url)$/.test(one),
    ))

/** Parameters that leave out templates, or add other pages. */
const narrowingParams =
  /^(?:gtl(?!limit$).*|.*continue|list|pageids|revids|redirects|converttitles|export.*)$/

/** Undefined where the answer may not be complete. */
function allTemplates(body: JsonTree): readonly string[] | undefined {
  const isCut = ['continue', 'query-continue', 'error', 'errors'].some((name) =>
    memberOf(body, name),
  )
  const entries = pagesIn(body)
  const titles = entries.flatMap((one) => textAt(one, 'title') ?? [])
  const countsOthers = entries.some((one) =>
    /^(?:6|14)$/.test(scalarTextOf(memberOf(one, 'ns')) ?? ''),
  )
  return isCut || countsOthers || titles.length < entries.length ? undefined : titles
}
