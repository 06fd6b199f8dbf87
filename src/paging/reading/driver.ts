/** The driver of a listing: the module whose items it consists of; and requests of which recordings prove nothing. */
import { hasQuirk, quirkSince } from '../../knowledge/module-quirks.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import type { ModuleDescription, ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import { isVersionSince, type SiteFacts } from '../../wiki/site/site-facts.ts'

export interface Driver {
  readonly kind: 'list' | 'generator' | 'prop'
  readonly module: string
  /** Prefix of its parameters in this request, e.g. `gap`. */
  readonly prefix: string
  readonly description: ModuleDescription
}

export const isTimed = ({ kind, module }: Driver): boolean => kind === 'list' && hasQuirk('timed', module)

export const pageParams: readonly string[] = ['titles', 'pageids', 'revids']

export function driverOf(params: CanonicalRequest, lookup: ModuleLookup): Driver | string {
  if (params.get('action') !== 'query') return 'only action=query has listings'
  const lists = splitValues(params.get('list') ?? '')
  const generator = params.get('generator')
  const pages = pageParams.some((name) => params.has(name))
  if (generator !== undefined) {
    if (lists.length > 0) return 'a generator together with a list'
    return describedDriver('generator', generator, lookup)
  }
  const [list, second] = lists
  if (list !== undefined) {
    return second !== undefined || (pages && params.has('prop'))
      ? 'several lists in one request'
      : describedDriver('list', list, lookup)
  }
  if (!pages) return 'no list, no generator, no pages'
  const props = splitValues(params.get('prop') ?? '').filter(
    (name) => lookup(`query+${name}`)?.parameters.get('limit') !== undefined,
  )
  const [prop, another] = props
  if (prop === undefined || another !== undefined) return 'not one single prop module that pages its rows'
  return describedDriver('prop', prop, lookup)
}

function describedDriver(kind: Driver['kind'], module: string, lookup: ModuleLookup): Driver | string {
  if (hasQuirk('drawn', module)) return `${module} returns random pages`
  const description = lookup(`query+${module}`)
  if (description === undefined) return `the wiki has not described query+${module}`
  return { kind, module, prefix: (kind === 'generator' ? 'g' : '') + description.prefix, description }
}

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
    return `${prefix}from with a descending list applies to its first batch only`
  // Downwards nothing comes before an empty name, and lists by time or user refuse it (measured on 1.39 and 1.43).
  if (params.get(`${prefix}from`) === '' && ['dir', 'sort', 'user'].some((name) => params.has(prefix + name)))
    return `an empty ${prefix}from counts as absent only where names ascend`
  if (kind !== 'generator') return undefined
  const props = splitValues(params.get('prop') ?? '')
  if (props.some((name) => hasQuirk('one-at-a-time', name)) && !params.has('exintro'))
    return 'whole extracts come for one page at a time'
  const hasLimit = props.some((name) => lookup(`query+${name}`)?.parameters.has('limit'))
  return hasQuirk('keeps-place', module) && (hasLimit || params.has('rawcontinue'))
    ? `generator=${module} says of each batch where it began`
    : undefined
}

/** Why another batch on this wiki may hold rows in another order; undefined where none may. */
export function unstableReason(
  { module, prefix }: Driver,
  params: CanonicalRequest,
  site: SiteFacts | undefined,
): string | undefined {
  // By target ids, which contradicts its continue values.
  const isOld = site?.generator !== undefined && !isVersionSince(site.generator, quirkSince('by-target'))
  if (hasQuirk('by-target', module) && params.has(`${prefix}unique`) && !isOld)
    return 'this version may sort its rows in another order than its continue values'
  return hasQuirk('ranked', module) && site?.database !== 'sqlite'
    ? 'another batch may hold results in another order where the database is not SQLite'
    : undefined
}

/** Lists of all links contradict themselves: what a batch holds depends on where the one before it ended. */
export const isAllLinks = ({ module }: Driver): boolean => hasQuirk('all-links', module)
