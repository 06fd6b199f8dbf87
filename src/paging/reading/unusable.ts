/** Requests to odd modules (knowledge/oddities.ts) of which recorded answers tell nothing. */
import { isOdd } from '../../knowledge/oddities.ts'
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
  if (params.has(`${driver.prefix}redirect`) && isOdd('two-levels', driver.module))
    return `with ${driver.prefix}redirect its rows hold rows that its limit counts too`
  const turned = params.get(`${driver.prefix}dir`) === 'descending' && params.has(`${driver.prefix}from`)
  if (turned && isAllLinks(driver))
    return `${driver.prefix}from with a descending list holds for its first batch only`
  if (driver.kind !== 'generator') return undefined
  const props = splitValues(params.get('prop') ?? '')
  if (props.some((name) => isOdd('one-at-a-time', name)) && !params.has('exintro'))
    return 'whole extracts come for one page at a time'
  const paging = props.some((name) => lookup(`query+${name}`)?.parameters.has('limit'))
  return isOdd('keeps-place', driver.module) && (paging || params.has('rawcontinue'))
    ? `generator=${driver.module} says of each batch where it began`
    : undefined
}

/** True where another batch may hold rows in another order, whatever is recorded. */
export const isRanked = ({ module }: Driver, site: SiteFacts | undefined): boolean =>
  isOdd('ranked', module) && site?.database !== 'sqlite'

/** Lists whose order and continue values change with the version (rules/all-links.ts). */
export const isAllLinks = ({ module }: Driver): boolean => isOdd('all-links', module)
