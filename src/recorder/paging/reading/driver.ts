/**
 * The driver of a listing: the module whose items it consists of, and how many of them one answer may have.
 * Requests of which recordings prove nothing; props whose limit means something else for one page than for several.
 */

import { itemsAt, type JsonTree, numberAt, textAt } from '../../json/json-tree.ts'
import { hasQuirk, quirkNames, quirkText } from '../../knowledge/module-quirks.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import type {
  ModuleDescription,
  ModuleLookup
} from '../../wiki/modules/module-descriptions.ts'
import { readContinue, type SentContinue } from '../../wiki/parameters/continue-param.ts'
import { valuesOf } from '../../wiki/parameters/request-params.ts'
import { isVersionSince, type SiteFacts } from '../../wiki/site/site-facts.ts'

export interface Driver {
  readonly kind: 'list' | 'generator' | 'prop'
  readonly module: string
  /** Prefix of its parameters in this request, e.g. `gap`. */
  readonly prefix: string
  readonly description: ModuleDescription
}

export const isTimed = ({ kind, module }: Driver): boolean =>
  kind === 'list' && hasQuirk('timed', module)

export const pageParams: readonly string[] = ['titles', 'pageids', 'revids']

/** True where pages are named, or a generator names them. */
export const hasPages = (params: CanonicalRequest): boolean =>
  [...pageParams, 'generator'].some((name) => params.has(name))

/** The values that name pages. */
export const pagesSent = (params: CanonicalRequest): readonly string[] =>
  pageParams.flatMap((name) => valuesOf(params, name))

/** The driver, or why the request has none, or why recorded answers to it prove nothing of others. */
export function driverOf(
  params: CanonicalRequest,
  lookup: ModuleLookup
): Driver | string {
  const driver = namedDriver(params, lookup)
  if (typeof driver === 'string') return driver
  return unusableReason(params, driver, lookup) ?? driver
}

function namedDriver(params: CanonicalRequest, lookup: ModuleLookup) {
  if (params.get('action') !== 'query') return 'only action=query has listings'
  const lists = valuesOf(params, 'list')
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
  const props = valuesOf(params, 'prop').filter(
    (name) => lookup(`query+${name}`)?.parameters.get('limit') !== undefined
  )
  const [prop, another] = props
  if (prop === undefined || another !== undefined)
    return 'not one single prop module that pages its rows'
  return describedDriver('prop', prop, lookup)
}

function describedDriver(kind: Driver['kind'], module: string, lookup: ModuleLookup) {
  if (hasQuirk('drawn', module)) return `${module} returns random pages`
  const description = lookup(`query+${module}`)
  if (!description) return `the wiki has not described query+${module}`
  return {
    kind,
    module,
    prefix: (kind === 'generator' ? 'g' : '') + description.prefix,
    description
  }
}

function unusableReason(params: CanonicalRequest, driver: Driver, lookup: ModuleLookup) {
  const { kind, module, prefix, description } = driver
  const sent = (name: string) => params.get(prefix + name)
  const isSent = (name: string) => params.has(prefix + name)
  if (sent('dir') === 'descending' && isSent('from') && isAllLinks(driver))
    return `${prefix}from with a descending list applies to its first batch only`
  // Downwards nothing comes before an empty name, and lists by time or user refuse it (measured on 1.39 and 1.43).
  if (sent('from') === '' && ['dir', 'sort', 'user'].some(isSent))
    return `an empty ${prefix}from counts as absent only where names ascend`
  // The wiki begins with the first row, and counts from the negative number on (measured on 1.39).
  if (sent('offset')?.startsWith('-'))
    return `with a negative ${prefix}offset the continue values count rows that are not there`
  // Source: ApiQueryAllDeletedRevisions::run, ApiQueryAllImages::run, ApiQueryDeletedrevs::execute
  const name = ['from', 'to', 'prefix'].find(isSent)
  const isByName = (sent('sort') ?? 'name') === 'name' && !isSent('user')
  if (name !== undefined && !isByName && description.parameters.has('from'))
    return `the wiki may refuse ${prefix}${name} where rows are not in the order of names`
  if (showsFewDiffs(params, driver)) return fewDiffs
  const sentContinue = readContinue(params)
  if (!sentContinue) return 'the wiki refuses a "continue" that has not two parts'
  if (!runsDriver(sentContinue, driver))
    return `"continue" says that ${module} has finished`
  // The wiki then leaves modules out, and yet writes the old dialect. Source: ApiQuery::execute
  if (params.has('rawcontinue') && params.get('continue'))
    return '"continue" names modules beside "rawcontinue"'
  if (kind !== 'generator') return undefined
  const props = valuesOf(params, 'prop')
  const described = props.map((name) => ({
    module: name,
    prefix: lookup(`query+${name}`)?.prefix ?? ''
  }))
  if (described.some((prop) => showsFewDiffs(params, prop))) return fewDiffs
  const hasLimit = props.some((name) => lookup(`query+${name}`)?.parameters.has('limit'))
  return hasQuirk('keeps-place', module) && (hasLimit || params.has('rawcontinue'))
    ? `generator=${module} says of each batch where it began`
    : undefined
}

/** Why a limit counts otherwise than the rows of an answer tell, which does not matter where there are none. */
export function countDoubt(
  params: CanonicalRequest,
  { kind, module, prefix }: Driver
): string | undefined {
  const isSent = (name: string) => params.has(prefix + name)
  if (hasTwoLevels(params, { module, prefix }))
    return `with ${prefix}redirect its rows hold rows that its limit counts too`
  const isWhole = (prop: string) =>
    hasQuirk('one-at-a-time', prop) && !params.has('exintro')
  if (kind === 'generator' && valuesOf(params, 'prop').some(isWhole))
    return 'whole extracts come for one page at a time'
  if (kind !== 'prop' || !hasQuirk('cuts-files', module)) return undefined
  if (pagesSent(params).length > 1)
    return `the limit of ${module} counts the rows of each file`
  // Source: LocalFile::getHistory, ApiQueryImageInfo::TRANSFORM_LIMIT
  const cutting = ['end', 'urlwidth', 'urlheight', 'urlparam'].find(isSent)
  return cutting && `with ${prefix}${cutting} the wiki may begin or end a batch elsewhere`
}

export const hasTwoLevels = (
  params: CanonicalRequest,
  { module, prefix }: DriverModule
): boolean => hasQuirk('two-levels', module) && params.has(`${prefix}redirect`)

/**
 * False where `continue` says that the generator, or this module, has finished: the wiki then runs no props, or not this one.
 * Source: ApiQuery::execute
 */
function runsDriver(sent: SentContinue, { kind, module }: Driver) {
  const isDone = kind !== 'list' && sent.isGeneratorDone
  return !isDone && (kind === 'generator' || !sent.finished.includes(module))
}

const fewDiffs = 'each answer has the diffs of its first revisions only'

/** True where the diff of a revision depends on how many the answer has before it. */
const showsFewDiffs = (params: CanonicalRequest, { module, prefix }: DriverModule) =>
  hasQuirk('few-diffs', module) &&
  quirkNames('few-diffs').some((name) => params.has(prefix + name))

/** Why another batch on this wiki may hold rows in another order; undefined where none may. */
export function unstableReason(
  { module, prefix }: Driver,
  params: CanonicalRequest,
  site: SiteFacts | undefined
): string | undefined {
  // By target ids, which contradicts its continue values.
  const since = quirkText('by-target', module)
  const mayBe =
    since !== undefined &&
    (site?.generator === undefined || isVersionSince(site.generator, Number(since)))
  if (mayBe && params.has(`${prefix}unique`))
    return 'this version may sort its rows in another order than its continue values'
  return hasQuirk('ranked', module) && site?.database !== 'sqlite'
    ? 'another batch may hold results in another order where the database is not SQLite'
    : undefined
}

/** Lists of all links contradict themselves: what a batch holds depends on where the one before it ended. */
export const isAllLinks = ({ module }: Driver): boolean => hasQuirk('all-links', module)

type DriverModule = Pick<Driver, 'module' | 'prefix'>

/**
 * True for content, which has a lower maximum: text of revisions, and whole extracts.
 * Source: ApiQueryRevisionsBase::parseParameters ($fetchContent), 1.25 to 1.43
 */
export function isCostly(
  params: CanonicalRequest,
  { module, prefix }: DriverModule
): boolean {
  const isSent = (name: string) => params.has(prefix + name)
  if (hasQuirk('one-at-a-time', module)) return !quirkNames('one-at-a-time').some(isSent)
  const wanted = valuesOf(params, `${prefix}prop`)
  return (
    quirkNames('few-diffs').some(isSent) ||
    quirkNames('costly-values').some((one) => wanted.includes(one))
  )
}

/** True for a prop that goes through the rows of one page, so that the wiki refuses several pages. */
export const namesOnePage = (
  params: CanonicalRequest,
  { module, prefix }: DriverModule
): boolean =>
  hasQuirk('newest-of-each', module) &&
  quirkNames('newest-of-each').some((name) => params.has(prefix + name))

/** True where these pages may have other props in one answer. @param recorded the pages of each recorded whole answer */
export function differTogether(
  params: CanonicalRequest,
  pages: readonly JsonTree[],
  recorded: () => readonly (readonly JsonTree[])[],
  lookup: ModuleLookup
): boolean {
  return valuesOf(params, 'prop').some((module) => {
    const { prefix = '', parameters } = lookup(`query+${module}`) ?? {}
    if (showsFewDiffs(params, { module, prefix })) return true
    if (pages.length > 1 && namesOnePage(params, { module, prefix })) return true
    if (!hasQuirk('cuts-files', module)) return false
    const limit = parameters?.get('limit')
    const sent = params.get(`${prefix}limit`) ?? limit?.default ?? 0
    const most = sent === 'max' ? (limit?.max ?? 0) : Number(sent)
    return !showAllFiles(pages, module, most, recorded)
  })
}

/** Among others a file has as many rows as the limit says. Alone it goes on, if it has more: only an answer about it alone shows that it has none. */
function showAllFiles(
  pages: readonly JsonTree[],
  module: string,
  limit: number,
  recorded: () => readonly (readonly JsonTree[])[]
) {
  const files = pages.filter(isFile)
  const most = Math.max(0, ...files.map((file) => itemsAt(file, module).length))
  if (most > limit) return false
  const isRecordedAlone = (others: readonly JsonTree[]) => {
    const [file, second] = others.filter(isFile)
    return !second && file !== undefined && titleOf(file) === titleOf(files[0])
  }
  return most < limit || files.length > 1 || recorded().some(isRecordedAlone)
}

export const isFile = (page: JsonTree): boolean => numberAt(page, 'ns') === 6
const titleOf = (page: JsonTree | undefined) => textAt(page, 'title')
