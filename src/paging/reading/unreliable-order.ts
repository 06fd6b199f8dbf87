/** Listings whose order the recorded batches do not prove, because the wiki sorts them by what no row shows. */
import { textOf } from '../../json/json-tree.ts'
import { hasQuirk, quirkSince } from '../../knowledge/module-quirks.ts'
import { isVersionSince, type SiteFacts } from '../../wiki/site/site-facts.ts'
import type { Batches } from './batch.ts'
import { type Driver, isAllLinks } from './driver.ts'
import type { ListingRequest } from './listing-request.ts'

/** True where another batch may hold rows in another order: search results of databases other than SQLite. */
export const isRanked = ({ module }: Driver, site: SiteFacts | undefined): boolean =>
  hasQuirk('ranked', module) && site?.database !== 'sqlite'

/** True where this version of the wiki may sort by target ids, which contradicts its continue values. */
export function mayContradict({ driver, params }: ListingRequest, site: SiteFacts | undefined): boolean {
  const isOld = site?.generator !== undefined && !isVersionSince(site.generator, quirkSince('by-target'))
  return hasQuirk('by-target', driver.module) && params.has(`${driver.prefix}unique`) && !isOld
}

/** True where the batches show that order: continue values are two numbers, ids of the target and of the linking page. */
export function contradictsItself(batches: Batches): boolean {
  const [{ request }] = batches
  const { driver, params } = request
  if (!isAllLinks(driver)) return false
  const isDescending = params.get(`${driver.prefix}dir`) === 'descending'
  if (!isDescending && batches.every((batch) => batch.request.startName === undefined)) return false
  const values = batches.flatMap(({ answer }) => [...(answer.next?.values.values() ?? [])])
  return values.length > 0 && values.every((value) => /^\d+\|\d+$/.test(textOf(value) ?? ''))
}
