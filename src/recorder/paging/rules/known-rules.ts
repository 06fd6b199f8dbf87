/**
 * Rules known of MediaWiki's versions (src/knowledge): which of them hold for one listing. Between two proven versions
 * a rule holds where both agree, outside of them where all agree. The cassette may still contradict it.
 */
import { hasMember, type JsonTree, numberAt, textAt } from '../../json/json-tree.ts'
import {
  factFor,
  type ListingFact,
  listingFacts,
  orderingParams,
  type PageOrder,
  type RowOrder
} from '../../knowledge/listing-facts.ts'
import { hasQuirk } from '../../knowledge/module-quirks.ts'
import type { WikiFacts } from '../../request/derive.ts'
import { groupBy } from '../../text/group-by.ts'
import { joinValues, splitValues } from '../../wiki/parameters/request-params.ts'
import { type Driver, pageParams } from '../reading/driver.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { type ContinueRule, parseRule } from './continue-rule.ts'

/** What is known of a listing before any of it is recorded. */
export interface KnownListing {
  readonly rule: ContinueRule
  /** The continuation parameter, with its prefix. */
  readonly param: string
  readonly orders: readonly RowOrder[]
  /** The orders in which the response may have the pages of a generator. */
  readonly pages: readonly PageOrder[]
}

export interface KnownListingQuery
  extends Pick<Driver, 'kind' | 'module' | 'prefix'>,
    Pick<ListingRequest, 'params' | 'formatVersion'> {
  readonly pages: readonly JsonTree[]
}

/** What is known of such a listing in this version; undefined where nothing is, or where it may not be used. */
export function knownListing(
  query: KnownListingQuery,
  { site, trust, known = listingFacts() }: WikiFacts
): KnownListing | undefined {
  if (trust === 'learned') return undefined
  const { kind, module, prefix } = query
  const fitting = known.filter(
    (fact) => fact.kind === kind && fact.module === module && appliesTo(fact, query)
  )
  const fact = factFor(fitting, site?.generator)
  if (!fact || fact.contradicts || fact.distinct === false) return undefined
  return {
    rule: parseRule(fact.value, fact.number),
    param: prefix + fact.param,
    ...(isPageArray(query, fact)
      ? { orders: idOrders(fact, query), pages: ['id'] }
      : { orders: fact.order, pages: fact.pages ?? ['rows'] })
  }
}

/** Formatversion 2 sorts the pages of a generator by their numbers. Source: ApiResult::applyTransformations */
const isPageArray = (
  { kind, formatVersion }: KnownListingQuery,
  fact: ListingFact
): boolean =>
  kind === 'generator' && formatVersion === '2' && fact.formatversion === undefined

/** On another database pages by title may come in another order of their namespaces. */
export const isPageOrder = (known: readonly PageOrder[], order: PageOrder): boolean =>
  known.includes(order === 'seen-title' ? 'title' : order)

/** The orders that rows still show when the response has them by number. */
function idOrders(
  { order, value }: ListingFact,
  { params, prefix }: KnownListingQuery
): readonly RowOrder[] {
  if (value.length === 1 && value[0] === 'title:db-key-without-namespace')
    return params.get(`${prefix}dir`) === 'descending' ? ['title-down'] : ['title']
  return order.filter((one) => one !== 'wire')
}

/** Start parameters that the wiki also continues by (`aufrom`, `iistart`). */
export const startsThatContinue = ({ lookup, trust }: WikiFacts): readonly string[] =>
  trust === 'learned'
    ? []
    : listingFacts().flatMap(({ kind, module, param }) => {
        const isStart = ['from', 'start'].includes(param) && kind !== 'generator'
        const description = isStart ? lookup(`query+${module}`) : undefined
        return description ? [description.prefix + param] : []
      })

function appliesTo({ when, formatversion }: ListingFact, query: KnownListingQuery) {
  const sent = (name: string) => {
    if (name === 'titles') return pageValues(query)
    return name === 'namespaces'
      ? namespacesOf(pagesConcerned(query))
      : query.params.get(query.prefix + name)
  }
  return (
    (formatversion ?? query.formatVersion) === query.formatVersion &&
    orderingParams.every(
      (name) => sent(name) === undefined || Object.hasOwn(when, name)
    ) &&
    Object.entries(when).every(([name, wanted]) =>
      meetsCondition(wanted, sent(name), name)
    )
  )
}

/**
 * The pages that the rows of a prop belong to, one value each: invalid titles, unknown ids and second names of a page do
 * not count. Of a generator the values of `titles`, `pageids` and `revids`.
 */
function pageValues(query: KnownListingQuery) {
  const { params, kind } = query
  if (kind === 'prop') return joinValues(pagesConcerned(query).map((_, at) => String(at)))
  return pageParams.flatMap((one) => params.get(one) ?? []).join('|') || undefined
}

/**
 * What of its pages the rows of a prop may be sorted by: whether there are several, in several namespaces. The same for
 * all pages of props that are known to go by ids.
 */
export function pageClass(module: string, pages: readonly JsonTree[]): string {
  const facts = listingFacts().filter(
    (fact) => fact.kind === 'prop' && fact.module === module
  )
  if (facts.length > 0 && facts.every(({ when }) => when['titles'] === undefined))
    return ''
  const concerned = pagesConcerned({ pages, module })
  const namespaces = namespacesOf(concerned)
  return JSON.stringify([
    concerned.length > 1,
    namespaces && splitValues(namespaces).length > 1
  ])
}

/** Each page once. Source: ApiPageSet::getGoodAndMissingTitlesByNamespace, getSpecialPages */
function pagesConcerned({ pages, module }: Pick<KnownListingQuery, 'pages' | 'module'>) {
  const onlyFiles = hasQuirk('of-files', module)
  const named = pages.filter((page) => {
    const ns = numberAt(page, 'ns')
    return (
      ns !== undefined &&
      !hasMember(page, 'invalid') &&
      (!onlyFiles || ns === fileNamespace)
    )
  })
  return [...groupBy(named, (page) => textAt(page, 'title')).values()].map(
    ([first]) => first
  )
}

const fileNamespace = 6

/** The namespaces of the pages; undefined where two pages have the same name in different namespaces. */
function namespacesOf(pages: readonly JsonTree[]) {
  const found = pages.flatMap((page) => numberAt(page, 'ns') ?? [])
  const names = pages.map((page) => textAt(page, 'title') ?? '')
  const keys = names.map((name, at) =>
    found[at] === 0 ? name : name.slice(name.indexOf(':') + 1)
  )
  return new Set(keys).size < keys.length ? undefined : [...new Set(found)].join('|')
}

/** Conditions of which `1` is at most one value: a module sorts by what may have several. */
const counted: ReadonlySet<string> = new Set([
  'titles',
  'namespaces',
  'namespace',
  'userids'
])

function meetsCondition(wanted: string, sent: string | undefined, name: string) {
  if (wanted === '') return sent === undefined
  if (wanted === '1' && name === 'namespace' && sent === undefined) return true
  if (sent === undefined) return false
  // `*` is every namespace.
  const several = splitValues(sent).length > 1 || (name === 'namespace' && sent === '*')
  if (wanted === '*') return true
  if (wanted === '|') return several
  return counted.has(name) ? !several : wanted === sent
}
