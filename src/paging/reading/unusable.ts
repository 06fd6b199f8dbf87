/** Requests whose modules have a quirk (knowledge/module-quirks.ts) that makes recorded answers useless for others. */
import { hasQuirk } from '../../knowledge/module-quirks.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import type { Driver } from './driver.ts'

/** Why recorded answers to such a request prove nothing of others; undefined where they may. */
export function unusableReason(
  params: CanonicalRequest,
  driver: Driver,
  lookup: ModuleLookup,
): string | undefined {
  const { kind, module, prefix } = driver
  if (params.has(`${prefix}redirect`) && hasQuirk('two-levels', module))
    return `with ${prefix}redirect its rows hold rows that its limit counts too`
  if (params.get(`${prefix}dir`) === 'descending' && params.has(`${prefix}from`) && isAllLinks(driver))
    return `${prefix}from with a descending list holds for its first batch only`
  if (kind !== 'generator') return undefined
  const props = splitValues(params.get('prop') ?? '')
  if (props.some((name) => hasQuirk('one-at-a-time', name)) && !params.has('exintro'))
    return 'whole extracts come for one page at a time'
  const hasLimit = props.some((name) => lookup(`query+${name}`)?.parameters.has('limit'))
  return hasQuirk('keeps-place', module) && (hasLimit || params.has('rawcontinue'))
    ? `generator=${module} says of each batch where it began`
    : undefined
}

/** Lists of all links contradict themselves: what a batch holds depends on where the one before it ended. */
export const isAllLinks = ({ module }: Driver): boolean => hasQuirk('all-links', module)
