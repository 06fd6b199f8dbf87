/** Modules that mean something else by a limit or a continue value than the others; each was met on a real wiki. */
import type { CanonicalRequest } from '../../request/key.ts'
import type { ModuleLookup } from '../../wiki/modules.ts'
import { splitValues } from '../../wiki/params.ts'
import type { SiteFacts } from '../../wiki/site.ts'
import type { Driver } from './driver.ts'

/** Why nothing can be made of recorded answers to such a request; undefined where nothing speaks against it. */
export function whyUnusable(
  params: CanonicalRequest,
  driver: Driver,
  lookup: ModuleLookup,
): string | undefined {
  // ApiQueryBacklinks: two levels of rows share one limit, whose maximum is halved.
  if (params.has(`${driver.prefix}redirect`) && linksTo.has(driver.module))
    return `with ${driver.prefix}redirect its rows hold rows that its limit counts too`
  // ApiQueryAllLinks: downwards `from` is the end, of the first batch only.
  const turned = params.get(`${driver.prefix}dir`) === 'descending' && params.has(`${driver.prefix}from`)
  if (turned && isAllLinks(driver))
    return `${driver.prefix}from with a descending list holds for its first batch only`
  if (driver.kind !== 'generator') return undefined
  const props = splitValues(params.get('prop') ?? '')
  // TextExtracts: whole extracts come one at a time, with a warning where there are several pages.
  if (props.includes('extracts') && !params.has('exintro'))
    return 'whole extracts come for one page at a time'
  const paging = props.some((name) => lookup(`query+${name}`)?.parameters.has('limit'))
  // ApiContinuationManager::addGeneratorNonContinueParam
  return keepsPlace.has(driver.module) && (paging || params.has('rawcontinue'))
    ? `generator=${driver.module} says of each batch where it began`
    : undefined
}

/**
 * Search results of a database that ranks them: without an order of their own they come in another one at another limit
 * or offset. Source: SearchMySQL::queryMain, which asks for no order; measured on MariaDB 10.11, and steady in SQLite
 */
export const isRanked = ({ module }: Driver, site: SiteFacts | undefined): boolean =>
  module === 'search' && site?.database !== 'sqlite'

/** Lists of one module, whose order and continue values change with the version (rules/all-links.ts). */
export const isAllLinks = ({ module }: Driver): boolean => allLinks.has(module)
const allLinks: ReadonlySet<string> = new Set([
  'alllinks',
  'alltransclusions',
  'allfileusages',
  'allredirects',
])

const linksTo: ReadonlySet<string> = new Set(['backlinks', 'imageusage'])
/** Generators whose lists grow at the front: while a batch is read, they name its first row rather than what was sent. */
const keepsPlace: ReadonlySet<string> = new Set(['recentchanges', 'allrevisions'])
