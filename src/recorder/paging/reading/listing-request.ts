/** One request as part of a listing, i.e. of a request without its limit, start and continuation parameters. */
import { quirkNames } from '../../knowledge/module-quirks.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import {
  activeModules,
  findParamDescriptions,
  queryModulesOf
} from '../../wiki/modules/active-modules.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import {
  type ParamPairs,
  type Params,
  splitValues,
  valuesOf
} from '../../wiki/parameters/request-params.ts'
import { type Driver, driverOf, isTimed, pageParams, pagesSent } from './driver.ts'
import { limitIn, type RequestedLimit } from './limits.ts'

/** How continuation is written: 1.25's default, `rawcontinue`, or `continue`. */
export type ContinueDialect = 'none' | 'raw' | 'continue'

/** Continuation parameters of a request, by name; empty at the start of a listing. */
export type ContinueCursor = Params

export interface ListingRequest {
  /** Equal for all requests for the same listing. */
  readonly identity: string
  /** The listing of which this one is a part or the reverse (`*prefix`, `*to`, `*start`, `*dir` …), if any. */
  readonly broader: string | undefined
  readonly driver: Driver
  readonly limit: RequestedLimit
  /** True for a caller whose maximum may be higher than everybody's. */
  readonly mayExceed: boolean
  readonly dialect: ContinueDialect
  /** Value of the `continue` parameter: the modules that still run. */
  readonly plainContinue: string | undefined
  /** The continuation parameters of the driver, and those of other modules (props of a generator). */
  readonly cursor: ContinueCursor
  readonly inner: ContinueCursor
  /** The title to start at (`apfrom`), where that is no continuation parameter as well. */
  readonly startName: string | undefined
  /** False for a module without a parameter to continue with: the last row that it gives need not be the last there is. */
  readonly canContinue: boolean
  readonly additions: readonly string[]
  /** True where nothing but the driver adds to the answer. */
  readonly isBare: boolean
  readonly formatVersion: string
  readonly params: CanonicalRequest
  /** Parameters as sent, where the canonical form folds their order or spelling: warnings quote them. */
  readonly sentValues: Params
}

/** Names of continuation parameters beyond those that modules describe (`aufrom`), from recorded continue blocks. */
export type ContinuationNames = ReadonlySet<string>

/** A request as part of a listing, or why it is none. @param sentValues sets as sent: titles come in that order */
export function readListingRequest(
  params: CanonicalRequest,
  sentValues: Params,
  lookup: ModuleLookup,
  names: ContinuationNames
): ListingRequest | string {
  const driver = driverOf(params, lookup)
  if (typeof driver === 'string') return driver
  const limit = limitIn(params, driver)
  if (typeof limit === 'string') return limit
  const { prefix } = driver
  const known = continuationParams(params, lookup, names)
  const startParam = startNameParam(driver, known)
  const cursor = new Map<string, string>()
  const inner = new Map<string, string>()
  for (const [name, value] of params)
    if (known.has(name))
      (isOfDriver(name, driver, params, lookup) ? cursor : inner).set(name, value)
  const others = [...known, ...impliedParams, `${prefix}limit`, startParam]
  const rest = [...params].filter(([name]) => !others.includes(name))
  // A recording has its parameters in another order than a request.
  for (const name of [...sentValues.keys()].sort())
    if (showsAsSent(name, driver, params, lookup))
      rest.push([`${name} in order`, sentValues.get(name) ?? ''])
  const additions = additionsIn(params, driver)
  const plainContinue = params.get('continue')
  const dialect = plainContinue === undefined ? 'none' : 'continue'
  return {
    identity: JSON.stringify(rest),
    broader: broaderThan(rest, driver),
    driver,
    limit,
    mayExceed: params.has('as user'),
    dialect: params.has('rawcontinue') ? 'raw' : dialect,
    plainContinue,
    cursor,
    inner,
    startName: params.get(startParam ?? ''),
    canContinue: [...driver.description.parameters.keys()].some(
      (name) => continuing.includes(name) || known.has(prefix + name)
    ),
    additions,
    isBare: additions.length === 0,
    formatVersion: formatVersionOf(params),
    params,
    sentValues
  }
}

/** Titles come in the order sent, and so do modules, types of members, rows of lists without a limit; values that are not in the key may do anything. */
function showsAsSent(
  name: string,
  driver: Driver,
  params: CanonicalRequest,
  lookup: ModuleLookup
) {
  if (pageParams.includes(name) || params.get(name) === '') return true
  const found = findParamDescriptions(name, activeModules(params, undefined, lookup))
  // Tests of rights name members in the order sent.
  const names = quirkNames('counts-tests')
  const isFilter = isOfDriver(name, driver, params, lookup)
  return found.some((one) => {
    const isOfSet = one.onlySelects || one.type === 'namespace'
    const isSorted = isOfSet || (isFilter && one.type !== 'enum')
    return names.includes(one.name) || !isSorted
  })
}

/** `latest` is 2 (ApiFormatJson::execute, 1.25 to 1.43). */
export const formatVersionOf = (params: Params): string =>
  (params.get('formatversion') ?? '1').replace('latest', '2')

/** The modules of one kind, as they run. */
export const modulesSent = (
  { params, sentValues }: Pick<ListingRequest, 'params' | 'sentValues'>,
  kind: 'list' | 'prop' | 'meta'
): readonly string[] => [
  ...new Set(splitValues(sentValues.get(kind) ?? params.get(kind) ?? ''))
]

/** The parameters that an identity names. */
export const identityParams = (identity: string): ParamPairs => JSON.parse(identity)

function broaderThan(rest: ParamPairs, driver: Driver) {
  const names = isTimed(driver) ? ['start', 'end', 'dir'] : ['prefix', 'to', 'dir']
  const narrowing = new Set(names.map((name) => driver.prefix + name))
  const broad = rest.filter(([name]) => !narrowing.has(name))
  return broad.length === rest.length || driver.kind === 'prop'
    ? undefined
    : JSON.stringify(broad)
}

/** Parameters that leave out rows, or members of them. */
export const narrowing: readonly string[] = [
  'end',
  'filterlanglinks',
  'filterredir',
  'prefix',
  'prop',
  'start',
  'tag',
  'to'
]

/** What listings have in common that differ in direction, namespaces, what narrows them, or limits of a generator's props. */
export function alikeIdentity(
  { identity, driver, params }: ListingRequest,
  lookup: ModuleLookup
): string {
  const props = driver.kind === 'generator' ? valuesOf(params, 'prop') : []
  const free = props.map((name) => `${lookup(`query+${name}`)?.prefix}limit`)
  free.push(...['dir', 'namespace', ...narrowing].map((name) => driver.prefix + name))
  return JSON.stringify(identityParams(identity).filter(([name]) => !free.includes(name)))
}

/** True for a generator whose input is one page (`generator=links&titles=X`). */
export const isOfOnePage = ({ driver, params }: ListingRequest): boolean => {
  const [pages, more] = pagesSent(params)
  const takesPages = driver.kind === 'generator' && driver.description.group === 'prop'
  return takesPages && pages !== undefined && more === undefined
}

/** The dialect, and how the parameters were sent. */
const impliedParams: readonly string[] = [
  'continue',
  'rawcontinue',
  'all in order',
  'as sent'
]

function continuationParams(
  params: CanonicalRequest,
  lookup: ModuleLookup,
  names: ContinuationNames
) {
  const found = new Set(names)
  for (const [path, extra] of queryModulesOf(params)) {
    const { prefix = '', parameters } = lookup(path) ?? {}
    for (const name of ['continue', 'offset'])
      if (parameters?.has(name)) found.add(extra + prefix + name)
  }
  return found
}

/** Old versions continue by the parameters for a start. */
const continuing = ['continue', 'offset', 'from', 'start']

/** True where a parameter belongs to the driver rather than to a prop of a generator. */
function isOfDriver(
  name: string,
  driver: Driver,
  params: CanonicalRequest,
  lookup: ModuleLookup
) {
  if (
    !name.startsWith(driver.prefix) ||
    !driver.description.parameters.has(name.slice(driver.prefix.length))
  )
    return false
  return !valuesOf(params, 'prop').some((prop) => {
    const { prefix = '' } = lookup(`query+${prop}`) ?? {}
    return name.startsWith(prefix) && prefix.length > driver.prefix.length
  })
}

/** The parameter that starts a listing at a title or name; with a running offset it would shift the offsets. */
function startNameParam(driver: Driver, known: ReadonlySet<string>) {
  const { prefix, description } = driver
  const isCounted = description.parameters.has('offset')
  const isStart = description.parameters.has('from') && !known.has(`${prefix}from`)
  return isStart && !isCounted ? `${prefix}from` : undefined
}

/** Parameters that add to any answer; props and pages are counted apart. */
const additionParams: readonly string[] =
  'meta indexpageids export exportnowrap redirects converttitles'.split(' ')

/** The first batch of a list also has the pages that the request names, with or without props (measured on 1.43). */
function additionsIn(params: CanonicalRequest, driver: Driver) {
  const props = valuesOf(params, 'prop').length - (driver.kind === 'prop' ? 1 : 0)
  const pages = driver.kind === 'list' ? pageParams : []
  return [...additionParams, ...pages, ...(props > 0 ? ['prop'] : [])].filter((name) =>
    params.has(name)
  )
}
