/**
 * Titles asked for together that were recorded in a larger set, or in several: what a page's props say does not
 * depend on the other pages, as long as nothing was cut off by a limit.
 */
import type { Interaction } from '../cassette/interaction.ts'
import {
  itemsOf,
  type JsonTree,
  jsonArray,
  jsonString,
  memberAt,
  memberOf,
  membersOf,
  numberOf,
  textOf,
} from '../json/tree.ts'
import type { Derivation, WikiFacts } from '../request/derive.ts'
import type { RequestKey } from '../request/key.ts'
import { joinValues, splitValues } from '../wiki/params.ts'
import type { SiteFacts } from '../wiki/site.ts'
import { membersBeside, sayTheSameBeside } from './around-pages.ts'
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
  const alike = [...recordings].filter((one) => isAlike(one.request, canonical))
  const asked = derivation.asked.get('titles') ?? canonical.get('titles') ?? ''
  return fromOne(alike, wanted, asked, site) ?? fromSeveral(alike, wanted, asked, facts, site, derivation)
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

/** Equal but for the titles. */
const isAlike = (recorded: ReadonlyMap<string, string>, asked: ReadonlyMap<string, string>): boolean =>
  recorded.has('titles') &&
  recorded.size === asked.size &&
  [...asked].every(([name, value]) => name === 'titles' || recorded.get(name) === value)

const titlesOf = (one: Interaction): readonly string[] => splitValues(one.request.get('titles') ?? '')
const sentTitles = (one: Interaction): string => one.asked.get('titles') ?? one.request.get('titles') ?? ''

function bodyOf(one: Interaction): JsonTree | undefined {
  const [{ body }, another] = one.responses
  return body.kind === 'json' && another === undefined ? body.tree : undefined
}

function fromOne(
  alike: readonly Interaction[],
  wanted: readonly string[],
  asked: string,
  site: SiteFacts,
): Assembled | undefined {
  for (const one of alike) {
    const held = new Set(titlesOf(one))
    const body = wanted.every((title) => held.has(title)) ? bodyOf(one) : undefined
    const rebuilt = body && reprojectTitles(body, sentTitles(one), asked, site)
    if (rebuilt !== undefined) return { body: rebuilt, from: [one.key] }
  }
  return undefined
}

/** The pages of several recordings in one answer, where their order is certain and no limit would cut them. */
function fromSeveral(
  alike: readonly Interaction[],
  wanted: readonly string[],
  asked: string,
  facts: WikiFacts,
  site: SiteFacts,
  derivation: Derivation,
): Assembled | undefined {
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
  // In formatversion 2 pages stand by id; the list of their ids tells of the database's order all the same.
  const byId = memberAt(model, 'query', 'pages')?.kind === 'array'
  const sorted = (byId && memberAt(model, 'query', 'pageids') === undefined) || oneOrder(pages)
  if (pages.length !== wanted.length || !sorted || !fits(pages, derivation, facts)) return undefined
  if (![...used.values()].every((one) => sayTheSameBeside(bodyOf(one), model))) return undefined
  const merged = model && mergeInto(model, pages, [...used.values()])
  const body = merged && reprojectTitles(merged, joinValues(wanted), asked, site)
  return body && { body, from: [...new Set([...used.values()].map(({ key }) => key))] }
}

/** True where existing pages lie in one namespace and come in the same order by id and by title. */
function oneOrder(pages: readonly JsonTree[]): boolean {
  const existing = pages.filter((page) => memberOf(page, 'missing') === undefined)
  if (new Set(pages.map((page) => numberOf(memberOf(page, 'ns')))).size > 1) return false
  const byId = [...existing].sort((a, b) => idOf(a) - idOf(b))
  return byId.every((page, at) => at === 0 || keyOf(byId[at - 1]) < keyOf(page))
}

const idOf = (page: JsonTree): number => numberOf(memberOf(page, 'pageid')) ?? 0
const keyOf = (page: JsonTree | undefined): string =>
  Buffer.from((textOf(memberOf(page, 'title')) ?? '').replaceAll(' ', '_')).toString('latin1')

/** True where the rows of all pages together stay within the smallest limit of a module in play. */
function fits(pages: readonly JsonTree[], { canonical }: Derivation, { lookup }: WikiFacts): boolean {
  const modules = splitValues(canonical.get('prop') ?? '').map((prop) => lookup(`query+${prop}`))
  if (modules.some((module) => module === undefined)) return false
  const limits = modules.flatMap((module) => {
    const limit = module?.parameters.get('limit')
    const sent = canonical.get(`${module?.prefix ?? ''}limit`) ?? limit?.default
    return limit === undefined ? [] : [Number(sent ?? Number.NaN)]
  })
  const rows = new Map<string, number>()
  for (const page of pages) {
    for (const { key, value } of membersOf(page))
      if (value.kind === 'array') rows.set(key, (rows.get(key) ?? 0) + value.items.length)
  }
  return limits.every((limit) => Math.max(0, ...rows.values()) <= limit)
}

/** The first recording's answer with all the pages, ids ascending, and every recorded form of `normalized` as a sample. */
function mergeInto(model: JsonTree, pages: readonly JsonTree[], used: readonly Interaction[]): JsonTree {
  const existing = pages
    .filter((page) => memberOf(page, 'missing') === undefined)
    .sort((a, b) => idOf(a) - idOf(b))
  const missing = pages.filter((page) => memberOf(page, 'missing') !== undefined)
  const ordered = [...missing, ...existing]
  const asArray = memberAt(model, 'query', 'pages')?.kind === 'array'
  const merged: JsonTree = asArray
    ? { kind: 'array', items: ordered }
    : {
        kind: 'object',
        members: ordered.map((page, at) => ({
          key: at < missing.length ? String(-1 - at) : String(idOf(page)),
          value: page,
        })),
      }
  const samples = used.flatMap((one) => itemsOf(memberAt(bodyOf(one), 'query', 'normalized')))
  const normalized =
    samples.length === 0 ? [] : [{ key: 'normalized', value: { kind: 'array', items: samples } as const }]
  const ids = ordered.map((page, at) => jsonString(String(at < missing.length ? -1 - at : idOf(page))))
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
