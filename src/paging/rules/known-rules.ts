/**
 * Rules known of MediaWiki's versions (src/knowledge): which of them may be believed of one listing. Between two proven
 * versions that agree a rule holds; outside of them one that held in all. The cassette may still contradict it.
 */

import { type JsonTree, memberOf, numberOf, textOf } from '../../json/json-tree.ts'
import {
  factFor,
  type ListingFact,
  listingFacts,
  orderingParams,
  type PageOrder,
  type RowOrder,
} from '../../knowledge/listing-facts.ts'
import type { WikiFacts } from '../../request/derive.ts'
import { groupBy } from '../../text/group-by.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import { getOrCreate } from '../get-or-create.ts'
import { type Driver, pageParams } from '../reading/driver.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { type ContinueRule, parseRule } from './continue-rule.ts'

/** What is known of a listing before any of it is recorded. */
export interface KnownListing {
  readonly rule: ContinueRule
  /** The continuation parameter, with its prefix. */
  readonly param: string
  readonly orders: readonly RowOrder[]
  /** How the pages of a generator may be written. */
  readonly pages: readonly PageOrder[]
}

/** Of a request, what a fact may depend on. */
export interface KnownListingQuery
  extends Pick<Driver, 'kind' | 'module' | 'prefix'>,
    Pick<ListingRequest, 'params' | 'formatVersion'> {
  /** The pages of a prop. */
  readonly pages: readonly JsonTree[]
}

/** What this version is known to do with such a listing; undefined where nothing is, or where it may not be used. */
export function knownListing(
  query: KnownListingQuery,
  { site, trust, known = listingFacts() }: WikiFacts,
): KnownListing | undefined {
  if (trust === 'learned') return undefined
  const { kind, module, prefix } = query
  const fitting = (byModule(known).get(`${kind} ${module}`) ?? []).filter((fact) => appliesTo(fact, query))
  const fact = factFor(fitting, site?.generator)
  if (fact === undefined || fact.contradicts === true || fact.distinct === false) return undefined
  return {
    rule: parseRule(fact.value, fact.number),
    param: prefix + fact.param,
    orders: isPageArray(query, fact) ? ordersById(fact, query) : fact.order,
    pages: isPageArray(query, fact) ? ['id'] : (fact.pages ?? ['rows']),
  }
}

/** Formatversion 2 sorts the pages of a generator by their numbers. Source: ApiResult::applyTransformations */
const isPageArray = ({ kind, formatVersion }: KnownListingQuery, fact: ListingFact): boolean =>
  kind === 'generator' && formatVersion === '2' && fact.formatversion === undefined

/** The order of rows that can still be told when they are written by number. */
function ordersById(
  { order, value }: ListingFact,
  { params, prefix }: KnownListingQuery,
): readonly RowOrder[] {
  const byTitle = value.length === 1 && value[0] === 'title:db-key-without-namespace'
  if (byTitle) return params.get(`${prefix}dir`) === 'descending' ? ['title-down'] : ['title']
  return order.filter((one) => one !== 'wire')
}

const factsByModule = new WeakMap<readonly ListingFact[], ReadonlyMap<string, readonly ListingFact[]>>()

const byModule = (facts: readonly ListingFact[]): ReadonlyMap<string, readonly ListingFact[]> =>
  getOrCreate(factsByModule, facts, () => groupBy(facts, ({ kind, module }) => `${kind} ${module}`))

/** Continuation parameters that do not look like any (`aufrom`). */
export const knownContinuationNames = ({ lookup, trust }: WikiFacts): readonly string[] =>
  trust === 'learned'
    ? []
    : listingFacts().flatMap(({ kind, module, param }) => {
        const description = param === 'from' && kind === 'list' ? lookup(`query+${module}`) : undefined
        return description === undefined ? [] : [description.prefix + param]
      })

function appliesTo({ when, formatversion }: ListingFact, query: KnownListingQuery): boolean {
  const sent = (name: string): string | undefined =>
    name === 'titles'
      ? pageValues(query)
      : name === 'namespaces'
        ? namespacesOf(query.pages)
        : query.params.get(query.prefix + name)
  return (
    (formatversion ?? query.formatVersion) === query.formatVersion &&
    orderingParams.every((name) => sent(name) === undefined || Object.hasOwn(when, name)) &&
    Object.entries(when).every(([name, wanted]) => meetsCondition(wanted, sent(name), name))
  )
}

/** What `titles`, `pageids` and `revids` name together; as many as there are for a prop of a generator. */
const pageValues = ({ params, kind, pages }: KnownListingQuery): string | undefined =>
  kind === 'prop' && params.has('generator')
    ? pages.map((_, at) => at).join('|')
    : pageParams.flatMap((one) => params.get(one) ?? []).join('|') || undefined

/** Numbers of the namespaces that the pages lie in; undefined where two of them would have one name without theirs. */
function namespacesOf(pages: readonly JsonTree[]): string | undefined {
  const found = pages.flatMap((page) => numberOf(memberOf(page, 'ns')) ?? [])
  const names = pages.map((page) => textOf(memberOf(page, 'title')) ?? '')
  const keys = names.map((name, at) => (found[at] === 0 ? name : name.slice(name.indexOf(':') + 1)))
  return new Set(keys).size < keys.length ? undefined : [...new Set(found)].join('|')
}

function meetsCondition(wanted: string, sent: string | undefined, name: string): boolean {
  if (wanted === '') return sent === undefined
  if (sent === undefined) return false
  const several = splitValues(sent).length > 1
  if (wanted === '*') return true
  if (wanted === '|') return several
  return name === 'titles' || name === 'namespaces' ? !several : wanted === sent
}
