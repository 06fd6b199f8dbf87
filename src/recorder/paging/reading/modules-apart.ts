/**
 * A request of several modules with rows, and each of these modules as a request of its own. They share the pages alone, and
 * each continues by its own parameters. Sources: ApiQuery::execute, ApiContinuationManager::getContinuation
 */
import { hasQuirk, quirkText } from '../../knowledge/module-quirks.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import { readContinue } from '../../wiki/parameters/continue-param.ts'
import type { Params } from '../../wiki/parameters/request-params.ts'
import { pageParams } from './driver.ts'
import { sentLimit } from './limits.ts'
import { formatVersionOf, modulesSent } from './listing-request.ts'

export interface ModuleRequest {
  readonly module: string
  readonly params: CanonicalRequest
  readonly sentValues: Params
}

export interface ModulesApart {
  readonly kind: 'list' | 'prop'
  /** All modules of that kind, as they run. */
  readonly order: readonly string[]
  /** Those of them that have rows. */
  readonly paged: readonly string[]
  /** All modules, in the order in which `continue` names those that have finished. */
  readonly all: readonly string[]
  /** Each module with rows that has not finished, as if it were alone. */
  readonly running: readonly ModuleRequest[]
  /** Those that have: the wiki still reads their parameters. */
  readonly finished: readonly ModuleRequest[]
  /** What modules without rows add, which finish with the first answer: the same text for all requests that get the same; undefined where none runs. */
  readonly rest: string | undefined
  readonly isRaw: boolean
  readonly formatVersion: string
}

/** Undefined where fewer than two modules have rows, or where they may depend on each other. */
export function modulesApart(
  params: CanonicalRequest,
  sentValues: Params,
  lookup: ModuleLookup
): ModulesApart | undefined {
  const kind = kindOf(params)
  if (!kind) return undefined
  const order = modulesSent({ params, sentValues }, kind)
  const all = [...order, ...modulesSent({ params, sentValues }, 'meta')]
  const paged = order.filter((module) => hasRows(module, params, lookup))
  const others = all.filter((module) => !paged.includes(module))
  // Of lists, `meta` adds to the same object.
  const adding = kind === 'list' ? all : order
  if (paged.length < 2 || !areApart(adding, paged, lookup)) return undefined

  const finished = finishedIn(params, kind)
  const finishedOthers = others.filter((module) => finished?.has(module))
  if (!finished || ![0, others.length].includes(finishedOthers.length)) return undefined

  const given = { params, sentValues, kind, lookup }
  const requestsOf = (some: readonly string[]) =>
    some.map((module) => requestOf(module, all, given))
  const isRestRunning = others.length > finishedOthers.length
  return {
    kind,
    order,
    paged,
    all,
    running: requestsOf(paged.filter((module) => !finished.has(module))),
    finished: requestsOf(paged.filter((module) => finished.has(module))),
    rest: isRestRunning ? restOf(paged, all, given) : undefined,
    isRaw: params.has('rawcontinue'),
    formatVersion: formatVersionOf(params)
  }
}

/** What precedes `||` in `continue` while such modules go on. */
export const continueHead = (kind: ModulesApart['kind']): string =>
  kind === 'list' ? '-' : ''

function kindOf(params: CanonicalRequest): ModulesApart['kind'] | undefined {
  if (params.get('action') !== 'query' || params.has('generator')) return undefined
  const hasPages = pageParams.some((name) => params.has(name))
  if (!params.has('list')) return hasPages ? 'prop' : undefined
  return hasPages || params.has('prop') ? undefined : 'list'
}

function hasRows(module: string, params: CanonicalRequest, lookup: ModuleLookup) {
  const description = lookup(`query+${module}`)
  if (!description?.parameters.has('limit')) return false
  const { prefix } = description
  return sentLimit(params, { module, prefix, description }) !== undefined
}

/** The members that a module adds to a page, or to `query`. */
export const addedMembers = (module: string): readonly string[] =>
  quirkText('adds-members', module)?.split(' ') ??
  quirkText('query-members', module)?.split('|') ?? [module]

/** True where it is known what each module adds, and where. */
function areApart(
  adding: readonly string[],
  paged: readonly string[],
  lookup: ModuleLookup
) {
  const isKnown = (module: string) =>
    hasQuirk('own-class', module) && !hasQuirk('beside-query', module)
  const isDescribed = adding.every((module) => lookup(`query+${module}`) !== undefined)
  // The members of several others cannot be told apart, unless they stand together.
  const places = adding.flatMap((module, at) => (paged.includes(module) ? [] : [at]))
  const [first = 0] = places
  const isTogether = places.every((place, nth) => place === first + nth)
  return isDescribed && isTogether && paged.every(isKnown)
}

/** Undefined where `continue` has another form than the wiki gives such requests. */
function finishedIn(params: CanonicalRequest, kind: ModulesApart['kind']) {
  if (!params.get('continue')) return new Set<string>()
  if (params.has('rawcontinue')) return undefined
  const sent = readContinue(params)
  const isOfKind = sent?.isGeneratorDone === (kind === 'list')
  return sent && isOfKind && sent.repeated.length === 0
    ? new Set(sent.finished)
    : undefined
}

interface GivenRequest {
  readonly params: CanonicalRequest
  readonly sentValues: Params
  readonly kind: ModulesApart['kind']
  readonly lookup: ModuleLookup
}

function requestOf(
  module: string,
  all: readonly string[],
  { params, sentValues, kind, lookup }: GivenRequest
): ModuleRequest {
  const own = parametersOf(module, lookup)
  const others = all.filter((one) => one !== module)
  const foreign = new Set(others.flatMap((one) => [...parametersOf(one, lookup)]))
  const isOwn = ([name]: readonly [string, string]) =>
    name !== 'meta' && (own.has(name) || !foreign.has(name))
  const alone = new Map([...params].filter(isOwn)).set(kind, module)
  const { prefix } = lookup(`query+${module}`) ?? {}
  const continues = ['continue', 'offset'].some((name) => params.has(`${prefix}${name}`))
  if (params.has('continue'))
    alone.set('continue', continues ? `${continueHead(kind)}||` : '')
  const sent = new Map([...sentValues].filter(isOwn))
  sent.delete(kind)
  return { module, params: alone, sentValues: sent }
}

/** What the parameters are called that the module reads. */
export function parametersOf(module: string, lookup: ModuleLookup): ReadonlySet<string> {
  const { prefix = '', parameters } = lookup(`query+${module}`) ?? {}
  return new Set([...(parameters?.keys() ?? [])].map((name) => prefix + name))
}

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]) =>
  a < b ? -1 : 1

function restOf(
  paged: readonly string[],
  all: readonly string[],
  { params, sentValues, lookup }: GivenRequest
) {
  const foreign = new Set(paged.flatMap((module) => [...parametersOf(module, lookup)]))
  const isOwn = ([name]: readonly [string, string]) =>
    !foreign.has(name) && !['continue', 'rawcontinue'].includes(name)
  // A recording has its parameters in another order than a request.
  const ownOf = (some: Params) => [...some].filter(isOwn).sort(byName)
  return JSON.stringify([all, ownOf(params), ownOf(sentValues)])
}
