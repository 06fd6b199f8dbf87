/** Requests to odd modules (knowledge/oddities.ts) of which recorded answers tell nothing. */
import { textOf } from '../../json/json-tree.ts'
import { hasQuirk, quirkSince } from '../../knowledge/module-quirks.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import { isVersionSince } from '../../wiki/site/generator-version.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import type { Batch } from './batch.ts'
import type { Driver } from './driver.ts'
import type { ListingRequest } from './listing-request.ts'

/** Why nothing can be made of recorded answers to such a request; undefined where nothing speaks against it. */
export function unusableReason(
  params: CanonicalRequest,
  driver: Driver,
  lookup: ModuleLookup,
): string | undefined {
  if (params.has(`${driver.prefix}redirect`) && hasQuirk('two-levels', driver.module))
    return `with ${driver.prefix}redirect its rows hold rows that its limit counts too`
  const turned = params.get(`${driver.prefix}dir`) === 'descending' && params.has(`${driver.prefix}from`)
  if (turned && isAllLinks(driver))
    return `${driver.prefix}from with a descending list holds for its first batch only`
  if (driver.kind !== 'generator') return undefined
  const props = splitValues(params.get('prop') ?? '')
  if (props.some((name) => hasQuirk('one-at-a-time', name)) && !params.has('exintro'))
    return 'whole extracts come for one page at a time'
  const paging = props.some((name) => lookup(`query+${name}`)?.parameters.has('limit'))
  return hasQuirk('keeps-place', driver.module) && (paging || params.has('rawcontinue'))
    ? `generator=${driver.module} says of each batch where it began`
    : undefined
}

/** True where another batch may hold rows in another order, whatever is recorded. */
export const isRanked = ({ module }: Driver, site: SiteFacts | undefined): boolean =>
  hasQuirk('ranked', module) && site?.database !== 'sqlite'

/** Lists of all links, where wikis contradict themselves: what a batch holds depends on where the one before it was cut. */
export const isAllLinks = ({ module }: Driver): boolean => hasQuirk('all-links', module)

/** True where recorded batches, whatever they are, prove nothing of others. */
export function mayContradict({ driver, params }: ListingRequest, site: SiteFacts | undefined): boolean {
  const old = site?.generator !== undefined && !isVersionSince(site.generator, quirkSince('by-target'))
  return hasQuirk('by-target', driver.module) && params.has(`${driver.prefix}unique`) && !old
}

/** True where these batches show such an order: their values are two numbers, ids of the target and of the page that links to it. */
export function contradictsItself(batches: readonly [Batch, ...Batch[]]): boolean {
  const [{ request }] = batches
  const { driver, params } = request
  if (!isAllLinks(driver)) return false
  const descends = params.get(`${driver.prefix}dir`) === 'descending'
  if (!descends && batches.every((batch) => batch.request.startName === undefined)) return false
  const values = batches.flatMap(({ answer }) => [...(answer.next?.values.values() ?? [])])
  return values.length > 0 && values.every((value) => /^\d+\|\d+$/.test(textOf(value) ?? ''))
}
