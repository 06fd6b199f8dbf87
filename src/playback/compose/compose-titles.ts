/**
 * Titles asked for together that were recorded in a larger set, or in several: what a page's props say does not
 * depend on the other pages, as long as nothing was cut off by a limit.
 */
import type { Interaction } from '../../cassette/interaction.ts'
import {
  itemsOf,
  type JsonTree,
  jsonArray,
  jsonObject,
  jsonString,
  memberAt,
  objectOf,
  replaceMember,
} from '../../json/json-tree.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import { joinValues, splitValues } from '../../wiki/parameters/request-params.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { inDatabaseOrder, namespaceOf, pageExists, pageIdOf } from '../reorder/database-order.ts'
import { haveSameSiblings, pageSiblings } from '../reorder/page-siblings.ts'
import { reorderTitles } from '../reorder/reorder-titles.ts'
import {
  type ComposedAnswer,
  fitsLimits,
  onlyJsonBody,
  recordedInOtherEpoch,
  type UncertainComposition,
  uncertainComposition,
} from './composed-answer.ts'
import { differsOnlyInPages, isPageCurrent, type WriteHistory } from './page-validity.ts'

/** Titles that one request of an ordinary caller may name. */
const maxTitles = 50

/**
 * @param recordings those of the same modules, of any epoch; others are passed over
 * @param history after which writes each page is wanted
 */
export function composeTitles(
  derivation: Derivation,
  recordings: Iterable<Interaction>,
  facts: WikiFacts,
  history: WriteHistory,
): ComposedAnswer | UncertainComposition | undefined {
  const { canonical } = derivation
  const wanted = splitValues(canonical.get('titles') ?? '')
  const { site } = facts
  const plain =
    canonical.get('action') === 'query' &&
    derivation.effect === 'read' &&
    [...canonical.keys()].every((name) => !unsupportedParams.has(name))
  if (!plain || site === undefined || wanted.length === 0 || wanted.length > maxTitles) return undefined
  const allRecordings = [...recordings]
  const candidates = allRecordings.filter((one) => differsOnlyInPages(one.request, canonical, 'titles'))
  const requestedTitles = derivation.sentValues.get('titles') ?? canonical.get('titles') ?? ''
  const isCurrent = (one: Interaction, title: string): boolean =>
    titlesIn(one).includes(title) && isPageCurrent(one, canonical, 'titles', title, history, site)
  const composition: TitleComposition = {
    candidates,
    allRecordings,
    wanted,
    isCurrent,
    requestedTitles,
    facts,
    site,
    derivation,
  }
  return fromOneRecording(composition) ?? fromSeveralRecordings(composition)
}

/** Parameters that make an answer more than the sum of its pages. */
const unsupportedParams: ReadonlySet<string> = new Set([
  'generator',
  'list',
  'pageids',
  'revids',
  'redirects',
  'converttitles',
  'export',
])

const titlesIn = (one: Interaction): readonly string[] => splitValues(one.request.get('titles') ?? '')
const sentTitlesOf = (one: Interaction): string =>
  one.sentValues.get('titles') ?? one.request.get('titles') ?? ''

/** What may be put together, and what is wanted of it. */
interface TitleComposition {
  /** Recordings that differ from the request in their titles alone. */
  readonly candidates: readonly Interaction[]
  readonly allRecordings: readonly Interaction[]
  readonly wanted: readonly string[]
  /** Whether a recording tells of a page as it is now. */
  readonly isCurrent: (one: Interaction, title: string) => boolean
  /** The titles as sent. */
  readonly requestedTitles: string
  readonly facts: WikiFacts
  readonly site: SiteFacts
  readonly derivation: Derivation
}

function fromOneRecording({
  candidates,
  wanted,
  isCurrent,
  requestedTitles,
  site,
}: TitleComposition): ComposedAnswer | undefined {
  for (const one of candidates) {
    const body = wanted.every((title) => isCurrent(one, title)) ? onlyJsonBody(one) : undefined
    const rebuilt = body && reorderTitles(body, sentTitlesOf(one), requestedTitles, site)
    if (rebuilt !== undefined) return { kind: 'assembled', body: rebuilt, from: [one.key] }
  }
  return undefined
}

/** For each title a recording that tells of it as it is now; undefined where one was never recorded. */
function sourcesByTitle({
  candidates,
  wanted,
  isCurrent,
  derivation,
}: TitleComposition): ReadonlyMap<string, Interaction> | UncertainComposition | undefined {
  const sources = new Map<string, Interaction>()
  let outdated: string | undefined
  for (const title of wanted) {
    const there = candidates.filter((one) => titlesIn(one).includes(title) && onlyJsonBody(one) !== undefined)
    if (there.length === 0) return undefined
    const source = there.find((one) => isCurrent(one, title))
    if (source === undefined) outdated ??= title
    else sources.set(title, source)
  }
  if (outdated === undefined) return sources
  // The very set was recorded: that one says more, as the nearest of its kind.
  const set = derivation.canonical.get('titles')
  return candidates.some(({ request }) => request.get('titles') === set)
    ? undefined
    : recordedInOtherEpoch(outdated)
}

/** The pages of several recordings in one answer, where their order is certain and no limit would cut them. */
function fromSeveralRecordings(
  composition: TitleComposition,
): ComposedAnswer | UncertainComposition | undefined {
  const { wanted, requestedTitles, facts, site, derivation } = composition
  const used = sourcesByTitle(composition)
  if (used === undefined || 'kind' in used) return used
  const parts = [...used].map(([title, one]) => {
    const body = onlyJsonBody(one)
    const part = body && reorderTitles(body, sentTitlesOf(one), title, site)
    return part === undefined ? [] : itemsOf(memberAt(part, 'query', 'pages'))
  })
  const pages = parts.flat()
  const model = [...used.values()].map(onlyJsonBody).find((body) => body !== undefined)
  if (pages.length !== wanted.length || !fitsLimits(pages, derivation, facts)) return undefined
  if (![...used.values()].every((one) => haveSameSiblings(onlyJsonBody(one), model))) return undefined
  const ordered = existingInOrder(pages, model, composition)
  if (ordered === undefined)
    return uncertainComposition(
      `in which order the wiki gives ${wanted.length} of them together no recording shows`,
    )
  const missing = pages.filter((page) => !pageExists(page))
  const merged = model && mergeInto(model, missing, ordered, [...used.values()])
  const body = merged && reorderTitles(merged, joinValues(wanted), requestedTitles, site)
  const from = [...new Set([...used.values()].map(({ key }) => key))]
  return body && { kind: 'assembled', body, from }
}

/** The existing pages in their order; undefined where that is not certain. */
function existingInOrder(
  pages: readonly JsonTree[],
  model: JsonTree | undefined,
  { wanted, allRecordings }: TitleComposition,
): readonly JsonTree[] | undefined {
  const existing = pages.filter(pageExists)
  // In formatversion 2 pages stand by id; the list of their ids tells of the database's order all the same.
  const byId = memberAt(model, 'query', 'pages')?.kind === 'array'
  if (byId && memberAt(model, 'query', 'pageids') === undefined) return existing
  return new Set(pages.map(namespaceOf)).size > 1
    ? undefined
    : inDatabaseOrder(existing, wanted.length, allRecordings)
}

/** The first recording's answer with all the pages, and every recorded form of `normalized` as a sample. */
function mergeInto(
  model: JsonTree,
  missing: readonly JsonTree[],
  existing: readonly JsonTree[],
  used: readonly Interaction[],
): JsonTree {
  const ordered = [...missing, ...existing]
  const numbered = (page: JsonTree, at: number): string =>
    at < missing.length ? String(-1 - at) : String(pageIdOf(page))
  const asArray = memberAt(model, 'query', 'pages')?.kind === 'array'
  const byId = [...existing].sort((a, b) => pageIdOf(a) - pageIdOf(b))
  const merged = asArray
    ? jsonArray([...missing, ...byId])
    : jsonObject(ordered.map((page, at) => [numbered(page, at), page]))
  const samples = used.flatMap((one) => itemsOf(memberAt(onlyJsonBody(one), 'query', 'normalized')))
  const normalized = samples.length === 0 ? [] : [{ key: 'normalized', value: jsonArray(samples) }]
  const ids = ordered.map((page, at) => jsonString(numbered(page, at)))
  const indexed =
    memberAt(model, 'query', 'pageids') === undefined ? [] : [{ key: 'pageids', value: jsonArray(ids) }]
  const pages = { key: 'pages', value: merged }
  return replaceMember(model, 'query', () =>
    objectOf([...normalized, ...indexed, pages, ...(pageSiblings(model) ?? [])]),
  )
}
