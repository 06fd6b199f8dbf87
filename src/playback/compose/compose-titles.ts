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
import { existsAt, idOf, inDatabaseOrder, namespaceOf } from '../reorder/database-order.ts'
import { membersBeside, sayTheSameBeside } from '../reorder/page-siblings.ts'
import { reprojectTitles } from '../reorder/reorder-titles.ts'
import {
  type Assembled,
  bodyOf,
  fits,
  recordedOtherwise,
  type Unassembled,
  unassembled,
} from './composed-answer.ts'
import { isAlike, type Past, partHolds } from './page-validity.ts'

/** Titles that one request of an ordinary caller may name. */
const mostTitles = 50

/**
 * @param recordings those of the same modules, of any epoch; others are passed over
 * @param past after which writes each page is wanted
 */
export function assemblePages(
  derivation: Derivation,
  recordings: Iterable<Interaction>,
  facts: WikiFacts,
  past: Past,
): Assembled | Unassembled | undefined {
  const { canonical } = derivation
  const wanted = splitValues(canonical.get('titles') ?? '')
  const { site } = facts
  const plain =
    canonical.get('action') === 'query' &&
    derivation.effect === 'read' &&
    [...canonical.keys()].every((name) => !entangling.has(name))
  if (!plain || site === undefined || wanted.length === 0 || wanted.length > mostTitles) return undefined
  const all = [...recordings]
  const alike = all.filter((one) => isAlike(one.request, canonical, 'titles'))
  const asked = derivation.asked.get('titles') ?? canonical.get('titles') ?? ''
  const holds = (one: Interaction, title: string): boolean =>
    titlesOf(one).includes(title) && partHolds(one, canonical, 'titles', title, past, site)
  const several: Several = { alike, all, wanted, holds, asked, facts, site, derivation }
  return fromOne(several) ?? fromSeveral(several)
}

/** Parameters that make an answer more than the sum of its pages. */
const entangling: ReadonlySet<string> = new Set([
  'generator',
  'list',
  'pageids',
  'revids',
  'redirects',
  'converttitles',
  'export',
])

const titlesOf = (one: Interaction): readonly string[] => splitValues(one.request.get('titles') ?? '')
const sentTitles = (one: Interaction): string => one.asked.get('titles') ?? one.request.get('titles') ?? ''

/** What may be put together, and what is wanted of it. */
interface Several {
  /** Recordings that differ from the request in their titles alone. */
  readonly alike: readonly Interaction[]
  readonly all: readonly Interaction[]
  readonly wanted: readonly string[]
  /** Whether a recording tells of a page as it is now. */
  readonly holds: (one: Interaction, title: string) => boolean
  /** The titles as sent. */
  readonly asked: string
  readonly facts: WikiFacts
  readonly site: SiteFacts
  readonly derivation: Derivation
}

function fromOne({ alike, wanted, holds, asked, site }: Several): Assembled | undefined {
  for (const one of alike) {
    const body = wanted.every((title) => holds(one, title)) ? bodyOf(one) : undefined
    const rebuilt = body && reprojectTitles(body, sentTitles(one), asked, site)
    if (rebuilt !== undefined) return { kind: 'assembled', body: rebuilt, from: [one.key] }
  }
  return undefined
}

/** For each title a recording that tells of it as it is now; undefined where one was never recorded. */
function tellersOf({
  alike,
  wanted,
  holds,
  derivation,
}: Several): ReadonlyMap<string, Interaction> | Unassembled | undefined {
  const tellers = new Map<string, Interaction>()
  let late: string | undefined
  for (const title of wanted) {
    const there = alike.filter((one) => titlesOf(one).includes(title) && bodyOf(one) !== undefined)
    if (there.length === 0) return undefined
    const teller = there.find((one) => holds(one, title))
    if (teller === undefined) late ??= title
    else tellers.set(title, teller)
  }
  if (late === undefined) return tellers
  // The very set was recorded: that one says more, as the nearest of its kind.
  const set = derivation.canonical.get('titles')
  return alike.some(({ request }) => request.get('titles') === set) ? undefined : recordedOtherwise(late)
}

/** The pages of several recordings in one answer, where their order is certain and no limit would cut them. */
function fromSeveral(several: Several): Assembled | Unassembled | undefined {
  const { wanted, asked, facts, site, derivation } = several
  const used = tellersOf(several)
  if (used === undefined || 'kind' in used) return used
  const parts = [...used].map(([title, one]) => {
    const body = bodyOf(one)
    const part = body && reprojectTitles(body, sentTitles(one), title, site)
    return part === undefined ? [] : itemsOf(memberAt(part, 'query', 'pages'))
  })
  const pages = parts.flat()
  const model = [...used.values()].map(bodyOf).find((body) => body !== undefined)
  if (pages.length !== wanted.length || !fits(pages, derivation, facts)) return undefined
  if (![...used.values()].every((one) => sayTheSameBeside(bodyOf(one), model))) return undefined
  const ordered = orderOf(pages, model, several)
  if (ordered === undefined)
    return unassembled(`in which order the wiki gives ${wanted.length} of them together no recording shows`)
  const missing = pages.filter((page) => !existsAt(page))
  const merged = model && mergeInto(model, missing, ordered, [...used.values()])
  const body = merged && reprojectTitles(merged, joinValues(wanted), asked, site)
  const from = [...new Set([...used.values()].map(({ key }) => key))]
  return body && { kind: 'assembled', body, from }
}

/** The existing pages in their order; undefined where that is not certain. */
function orderOf(
  pages: readonly JsonTree[],
  model: JsonTree | undefined,
  { wanted, all }: Several,
): readonly JsonTree[] | undefined {
  const existing = pages.filter(existsAt)
  // In formatversion 2 pages stand by id; the list of their ids tells of the database's order all the same.
  const byId = memberAt(model, 'query', 'pages')?.kind === 'array'
  if (byId && memberAt(model, 'query', 'pageids') === undefined) return existing
  return new Set(pages.map(namespaceOf)).size > 1 ? undefined : inDatabaseOrder(existing, wanted.length, all)
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
    at < missing.length ? String(-1 - at) : String(idOf(page))
  const asArray = memberAt(model, 'query', 'pages')?.kind === 'array'
  const byId = [...existing].sort((a, b) => idOf(a) - idOf(b))
  const merged = asArray
    ? jsonArray([...missing, ...byId])
    : jsonObject(ordered.map((page, at) => [numbered(page, at), page]))
  const samples = used.flatMap((one) => itemsOf(memberAt(bodyOf(one), 'query', 'normalized')))
  const normalized = samples.length === 0 ? [] : [{ key: 'normalized', value: jsonArray(samples) }]
  const ids = ordered.map((page, at) => jsonString(numbered(page, at)))
  const indexed =
    memberAt(model, 'query', 'pageids') === undefined ? [] : [{ key: 'pageids', value: jsonArray(ids) }]
  const pages = { key: 'pages', value: merged }
  return replaceMember(model, 'query', () =>
    objectOf([...normalized, ...indexed, pages, ...(membersBeside(model) ?? [])]),
  )
}
