/**
 * The answer to `titles=` in another order or spelling, rebuilt from a recorded one: `normalized` follows the
 * request as `converted` does, missing pages are numbered -1, -2, … by namespace and then in the request's order, existing pages come in
 * the database's order, or in formatversion 2 by id.
 * Source: spec, "Page reference"; measured on 1.25, 1.35, 1.39 and 1.43 (test/live/reproject.test.ts).
 */
import {
  type JsonMember,
  type JsonTree,
  jsonArray,
  jsonObject,
  jsonString,
  memberOf,
  numberOf,
  objectOf,
  replaceMember,
  textOf,
} from '../../json/json-tree.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { canonicalTitle } from '../../wiki/site/titles.ts'
import { isAscending, pageIdOf, titleKey } from './database-order.ts'
import { withRebuiltPages } from './page-siblings.ts'
import { redirectTargets } from './redirect-targets.ts'
import { variantsIn, withVariants } from './title-variants.ts'

/** Members of `query` whose order and content this file knows how to rebuild. */
const rebuildableMembers: ReadonlySet<string> = new Set(['normalized', 'converted', 'redirects', 'pages'])

/**
 * @param recordedTitles the value of `titles` as it was sent when recording
 * @param requestedTitles the same set, or a part of it, as it is asked for now
 * @returns the rebuilt body, or undefined where it cannot be rebuilt exactly
 */
export const reorderTitles = (
  body: JsonTree,
  recordedTitles: string,
  requestedTitles: string,
  site: SiteFacts,
): JsonTree | undefined =>
  withRebuiltPages(body, (pagesOnly) => reorderTitlePages(pagesOnly, recordedTitles, requestedTitles, site))

function reorderTitlePages(
  body: JsonTree,
  recordedTitles: string,
  requestedTitles: string,
  site: SiteFacts,
): JsonTree | undefined {
  const query = memberOf(body, 'query')
  if (body.kind !== 'object' || query?.kind !== 'object') return undefined
  const topLevel = body.members.every(({ key }) => key === 'query' || key === 'batchcomplete')
  if (!topLevel || !query.members.every(({ key }) => rebuildableMembers.has(key))) return undefined
  const [from, to] = [canonicalTitles(recordedTitles, site), canonicalTitles(requestedTitles, site)]
  if (from === undefined || to === undefined) return undefined
  const redirects = memberOf(query, 'redirects')
  const normalized = rebuildNormalized(memberOf(query, 'normalized'), to)
  const variants = variantsIn(memberOf(query, 'converted'))
  // A redirect leads on from a converted title: which of both is named where is not known.
  if (variants === undefined || (redirects !== undefined && variants.size > 0)) return undefined
  const pages = redirects
    ? redirectTargets(memberOf(query, 'pages'), from, to, site)
    : rebuildPages(memberOf(query, 'pages'), withVariants(from, variants), withVariants(to, variants))
  if (normalized === undefined || pages === undefined) return undefined
  const converted = [...new Set(to.values())].flatMap((title) => variants.get(title)?.entry ?? [])
  const members: JsonMember[] = [
    ...(normalized.length > 0 ? [{ key: 'normalized', value: jsonArray(normalized) }] : []),
    ...(converted.length > 0 ? [{ key: 'converted', value: jsonArray(converted) }] : []),
    ...(redirects === undefined ? [] : [{ key: 'redirects', value: redirects }]),
    { key: 'pages', value: pages },
  ]
  return replaceMember(body, 'query', () => objectOf(members))
}

/** Titles as given with their canonical forms, each given form once; undefined where one is doubtful. */
export function canonicalTitles(titles: string, site: SiteFacts): ReadonlyMap<string, string> | undefined {
  const named = new Map<string, string>()
  for (const given of splitValues(titles)) {
    const canonical = canonicalTitle(given, site)
    if (canonical === undefined) return undefined
    named.set(given, canonical)
  }
  return named
}

/** One entry for each form that is not canonical, in the request's order. */
export function rebuildNormalized(
  recorded: JsonTree | undefined,
  requested: ReadonlyMap<string, string>,
): JsonTree[] | undefined {
  const sample = recorded?.kind === 'array' ? recorded.items[0] : undefined
  const entries = [...requested].filter(([given, canonical]) => given !== canonical)
  // What an entry looks like differs between versions (`fromencoded`); only a recorded one tells.
  if (entries.length > 0 && sample?.kind !== 'object') return undefined
  return entries.map(([given, canonical]) => ({
    kind: 'object',
    members: (sample?.kind === 'object' ? sample.members : []).map(({ key, value }) => ({
      key,
      value: key === 'from' ? jsonString(given) : key === 'to' ? jsonString(canonical) : value,
    })),
  }))
}

interface AnswerPage {
  readonly title: string
  readonly namespace: number
  readonly missing: boolean
  readonly tree: JsonTree
}

function rebuildPages(
  recorded: JsonTree | undefined,
  from: ReadonlyMap<string, string>,
  to: ReadonlyMap<string, string>,
): JsonTree | undefined {
  const trees =
    recorded?.kind === 'object'
      ? recorded.members.map(({ value }) => value)
      : recorded?.kind === 'array'
        ? recorded.items
        : undefined
  const pages = trees?.map(readPage)
  if (pages === undefined || pages.some((page) => page === undefined)) return undefined
  const all = pages.filter((page) => page !== undefined)
  // A page of another name (users of another gender, an alias unknown here) shows that the wiki spells more than we do.
  const recordedTitles = new Set(from.values())
  if (all.length !== recordedTitles.size || !all.every(({ title }) => recordedTitles.has(title)))
    return undefined
  const titles = new Set(to.values())
  const known = all.filter(({ title }) => titles.has(title))
  if (known.length !== titles.size) return undefined
  const missing = known.filter((page) => page.missing)
  const existing = known.filter((page) => !page.missing)
  return recorded?.kind === 'array'
    ? asFormat2(missing, existing, to)
    : asFormat1(missing, existing, sameNamespaceOrder(known, from, to), to)
}

/** formatversion 2: sorted by the number of formatversion 1's key, so missing pages come last one first. */
function asFormat2(
  missing: readonly AnswerPage[],
  existing: readonly AnswerPage[],
  to: ReadonlyMap<string, string>,
): JsonTree | undefined {
  if (!isAscending(existing.map(pageId))) return undefined
  return {
    kind: 'array',
    items: [...missingInOrder(missing, existing, to).toReversed(), ...existing].map(({ tree }) => tree),
  }
}

/** formatversion 1: missing pages in the request's order, then existing ones as the database gave them. */
function asFormat1(
  missing: readonly AnswerPage[],
  existing: readonly AnswerPage[],
  sameNamespaces: boolean,
  to: ReadonlyMap<string, string>,
): JsonTree | undefined {
  if (!isDatabaseOrder(existing) || (spansNamespaces(existing) && !sameNamespaces)) return undefined
  const ordered = [...missingInOrder(missing, existing, to), ...existing]
  return jsonObject(ordered.map((page, at) => [String(page.missing ? -1 - at : pageId(page)), page.tree]))
}

/** Undefined for pages whose kind is numbered in ways of its own (special, invalid, elsewhere). */
function readPage(tree: JsonTree): AnswerPage | undefined {
  const title = textOf(memberOf(tree, 'title'))
  const namespace = numberOf(memberOf(tree, 'ns'))
  if (
    title === undefined ||
    namespace === undefined ||
    namespace < 0 ||
    memberOf(tree, 'invalid') !== undefined
  )
    return undefined
  const missing = memberOf(tree, 'missing') !== undefined
  if (!missing && numberOf(memberOf(tree, 'pageid')) === undefined) return undefined
  return { title, namespace, missing, tree }
}

const pageId = ({ tree }: AnswerPage): number => pageIdOf(tree)

/** Pages of one namespace come by id or by title; any other order is not understood. */
function isDatabaseOrder(pages: readonly AnswerPage[]): boolean {
  const byTitle = pages.every((page, at) => {
    const before = pages[at - 1]
    return (
      before === undefined ||
      before.namespace !== page.namespace ||
      titleKey(before.title) < titleKey(page.title)
    )
  })
  return byTitle || isAscending(pages.map(pageId))
}

const spansNamespaces = (pages: readonly AnswerPage[]): boolean =>
  new Set(pages.map(({ namespace }) => namespace)).size > 1

function sameNamespaceOrder(
  pages: readonly AnswerPage[],
  from: ReadonlyMap<string, string>,
  to: ReadonlyMap<string, string>,
): boolean {
  return namespaceOrder(pages, from).join() === namespaceOrder(pages, to).join()
}

/** Namespaces of these pages in the order of their first title in the request. */
function namespaceOrder(
  pages: readonly AnswerPage[],
  requested: ReadonlyMap<string, string>,
): readonly number[] {
  const namespaces = new Map(pages.map(({ title, namespace }) => [title, namespace]))
  return [...new Set([...requested.values()].flatMap((title) => namespaces.get(title) ?? []))]
}

/** Missing pages as they are numbered: namespace by namespace, in the request's order; existing pages open one too. */
function missingInOrder(
  missing: readonly AnswerPage[],
  existing: readonly AnswerPage[],
  requested: ReadonlyMap<string, string>,
): readonly AnswerPage[] {
  const order = [...new Set(requested.values())]
  const namespaces = namespaceOrder([...missing, ...existing], requested)
  return [...missing].sort(
    (a, b) =>
      namespaces.indexOf(a.namespace) - namespaces.indexOf(b.namespace) ||
      order.indexOf(a.title) - order.indexOf(b.title),
  )
}
