/**
 * Titles asked for together that were recorded in a larger set, or in several: what a page's props say does not
 * depend on the other pages, as long as nothing was cut off by a limit.
 */
import type { Interaction } from '../cassette/interaction.ts'
import { itemsOf, type JsonTree, jsonArray, jsonString, memberAt, membersOf } from '../json/tree.ts'
import type { Derivation, WikiFacts } from '../request/derive.ts'
import type { RequestKey } from '../request/key.ts'
import { joinValues, splitValues } from '../wiki/params.ts'
import type { SiteFacts } from '../wiki/site.ts'
import { membersBeside, sayTheSameBeside } from './around-pages.ts'
import { existsAt, idOf, inDatabaseOrder, namespaceOf } from './database-order.ts'
import { reprojectTitles } from './reproject-titles.ts'

/** A rebuilt answer and the recordings that it was made of. */
export interface Assembled {
  readonly body: JsonTree
  readonly from: readonly RequestKey[]
}

/** Titles that one request of an ordinary caller may name. */
const mostTitles = 50

/** @param recordings those of the same modules; others are passed over */
export function assemblePages(
  derivation: Derivation,
  recordings: Iterable<Interaction>,
  facts: WikiFacts,
): Assembled | undefined {
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
  const several: Several = { alike, all, wanted, asked, facts, site, derivation }
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

/** Equal but for the parameter that names the pages. */
export const isAlike = (
  recorded: ReadonlyMap<string, string>,
  asked: ReadonlyMap<string, string>,
  by: 'titles' | 'pageids',
): boolean =>
  recorded.has(by) &&
  recorded.size === asked.size &&
  [...asked].every(([name, value]) => name === by || recorded.get(name) === value)

const titlesOf = (one: Interaction): readonly string[] => splitValues(one.request.get('titles') ?? '')
const sentTitles = (one: Interaction): string => one.asked.get('titles') ?? one.request.get('titles') ?? ''

/** The answer, where it is JSON and was always the same. */
export function bodyOf(one: Interaction): JsonTree | undefined {
  const [{ body }, another] = one.responses
  return body.kind === 'json' && another === undefined ? body.tree : undefined
}

/** What may be put together, and what is wanted of it. */
interface Several {
  /** Recordings that differ from the request in their titles alone. */
  readonly alike: readonly Interaction[]
  readonly all: readonly Interaction[]
  readonly wanted: readonly string[]
  /** The titles as sent. */
  readonly asked: string
  readonly facts: WikiFacts
  readonly site: SiteFacts
  readonly derivation: Derivation
}

function fromOne({ alike, wanted, asked, site }: Several): Assembled | undefined {
  for (const one of alike) {
    const held = new Set(titlesOf(one))
    const body = wanted.every((title) => held.has(title)) ? bodyOf(one) : undefined
    const rebuilt = body && reprojectTitles(body, sentTitles(one), asked, site)
    if (rebuilt !== undefined) return { body: rebuilt, from: [one.key] }
  }
  return undefined
}

/** The pages of several recordings in one answer, where their order is certain and no limit would cut them. */
function fromSeveral(several: Several): Assembled | undefined {
  const { alike, wanted, asked, facts, site, derivation } = several
  const used = new Map<string, Interaction>()
  for (const title of wanted) {
    const one = alike.find(
      (candidate) => titlesOf(candidate).includes(title) && bodyOf(candidate) !== undefined,
    )
    if (one === undefined) return undefined
    used.set(title, one)
  }
  const parts = [...used].map(([title, one]) => {
    const body = bodyOf(one)
    const part = body && reprojectTitles(body, sentTitles(one), title, site)
    return part === undefined ? [] : itemsOf(memberAt(part, 'query', 'pages'))
  })
  const pages = parts.flat()
  const model = [...used.values()].map(bodyOf).find((body) => body !== undefined)
  const ordered = orderOf(pages, model, several)
  if (pages.length !== wanted.length || ordered === undefined || !fits(pages, derivation, facts))
    return undefined
  if (![...used.values()].every((one) => sayTheSameBeside(bodyOf(one), model))) return undefined
  const missing = pages.filter((page) => !existsAt(page))
  const merged = model && mergeInto(model, missing, ordered, [...used.values()])
  const body = merged && reprojectTitles(merged, joinValues(wanted), asked, site)
  return body && { body, from: [...new Set([...used.values()].map(({ key }) => key))] }
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

/** True where the rows of all pages together stay within the smallest limit of a module in play. */
export function fits(pages: readonly JsonTree[], { canonical }: Derivation, { lookup }: WikiFacts): boolean {
  const modules = splitValues(canonical.get('prop') ?? '').map((prop) => lookup(`query+${prop}`))
  if (modules.some((module) => module === undefined)) return false
  const limits = modules.flatMap((module) => {
    const limit = module?.parameters.get('limit')
    const sent = canonical.get(`${module?.prefix ?? ''}limit`) ?? limit?.default
    // `revisions` has a limit and no default: without one it gives each page its last revision.
    return limit === undefined || sent === undefined ? [] : [Number(sent)]
  })
  const rows = new Map<string, number>()
  for (const page of pages) {
    for (const { key, value } of membersOf(page))
      if (value.kind === 'array') rows.set(key, (rows.get(key) ?? 0) + value.items.length)
  }
  return limits.every((limit) => Math.max(0, ...rows.values()) <= limit)
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
  const merged: JsonTree = asArray
    ? { kind: 'array', items: [...missing, ...byId] }
    : { kind: 'object', members: ordered.map((page, at) => ({ key: numbered(page, at), value: page })) }
  const samples = used.flatMap((one) => itemsOf(memberAt(bodyOf(one), 'query', 'normalized')))
  const normalized =
    samples.length === 0 ? [] : [{ key: 'normalized', value: { kind: 'array', items: samples } as const }]
  const ids = ordered.map((page, at) => jsonString(numbered(page, at)))
  const indexed =
    memberAt(model, 'query', 'pageids') === undefined ? [] : [{ key: 'pageids', value: jsonArray(ids) }]
  const query: JsonTree = {
    kind: 'object',
    members: [...normalized, ...indexed, { key: 'pages', value: merged }, ...(membersBeside(model) ?? [])],
  }
  return {
    kind: 'object',
    members: membersOf(model).map((member) =>
      member.key === 'query' ? { key: 'query', value: query } : member,
    ),
  }
}
