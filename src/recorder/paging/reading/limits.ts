/** How many rows a request asks for, and how many its caller may have. */

import type { Interaction } from '../../cassette/interaction.ts'
import { hasMember, memberOf, numberAt } from '../../json/json-tree.ts'
import { isPlainObject, plainItems } from '../../json/plain-json.ts'
import { quirkLimits, quirkText } from '../../knowledge/module-quirks.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { queryModulesOf } from '../../wiki/modules/active-modules.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { type Driver, hasTwoLevels, isCostly } from './driver.ts'

/** The bounds of a limit; `highMax` is that of bots. Undefined where they are not known. */
export interface LimitRange {
  readonly min: number | undefined
  readonly max: number | undefined
  readonly highMax: number | undefined
}

/** The bounds that hold for this request: of texts fewer are given at once than the description says. */
export function limitRangeOf(params: CanonicalRequest, driver: Driver): LimitRange {
  const { min, max, highMax } = driver.description.parameters.get('limit') ?? {}
  const half = (most?: number) => most && most / 2
  if (hasTwoLevels(params, driver)) return { min, max: half(max), highMax: half(highMax) }
  if (!givesTexts(params, driver)) return { min, max, highMax }
  const ofTexts = params.has(`${driver.prefix}parse`)
    ? undefined
    : quirkLimits('costly-values', driver.module)
  return { min, max: ofTexts?.max, highMax: ofTexts?.highMax }
}

/** A generator gives pages alone. Source: ApiQueryRevisionsBase::parseParameters, called only where `run` has no result page set */
export const givesTexts = (params: CanonicalRequest, driver: Driver): boolean =>
  driver.kind !== 'generator' && isCostly(params, driver)

export interface RequestedLimit {
  /** `over`: more than the caller may have, or 0. Then the wiki warns and gives the maximum, or one row. */
  readonly kind: 'number' | 'max' | 'over'
  readonly sent: string
  /** Undefined where only the wiki knows how many rows this caller may have. */
  readonly rows: number | undefined
}

/** The limit that was sent, else the module's default; undefined where that is not known. */
export function sentLimit(
  params: CanonicalRequest,
  { module, prefix, description }: Pick<Driver, 'module' | 'prefix' | 'description'>
): string | undefined {
  const hidden = params.has(`${prefix}parse`)
    ? undefined
    : quirkText('default-limit', module)
  const standard = description.parameters.get('limit')?.default ?? hidden
  return params.get(`${prefix}limit`) ?? standard
}

/** True for a limit that the wiki takes as it is, or for none. */
export function takesLimit(params: CanonicalRequest, driver: Driver): boolean {
  const sent = sentLimit(params, driver)
  const { max = 0 } = limitRangeOf(params, driver)
  const isWithin = (text: string) =>
    text === 'max' || (/^[1-9]\d{0,5}$/.test(text) && Number(text) <= max)
  return sent === undefined || isWithin(sent)
}

export function limitIn(
  params: CanonicalRequest,
  driver: Driver
): RequestedLimit | string {
  const param = driver.description.parameters.get('limit')
  if (!param) return `${driver.module} has no limit`
  const sent = sentLimit(params, driver)
  if (sent === undefined) return `the default limit of ${driver.module} is not known`
  const { max } = limitRangeOf(params, driver)
  const callerMax = params.has('as user') ? undefined : max
  if (sent === 'max') return { kind: 'max', sent, rows: callerMax }
  if (!/^(?:0|[1-9]\d{0,5})$/.test(sent)) return `${sent} is not a limit`
  const rows = Number(sent)
  const isOver = rows === 0 || rows > (max ?? rows)
  if (isOver && hasTwoLevels(params, driver))
    return `of ${sent} the wiki may warn twice, with two maxima`
  if (rows === 0)
    return param.min === 1 ? { kind: 'over', sent, rows: 1 } : `${sent} is not a limit`
  return rows > (max ?? param.max ?? rows)
    ? { kind: 'over', sent, rows: callerMax }
    : { kind: 'number', sent, rows }
}

/** A limit above the general maximum without a warning is within this caller's own maximum (5000 for bots). */
export const acceptedLimit = (limit: RequestedLimit, warned: boolean): RequestedLimit =>
  limit.kind === 'over' && limit.sent !== '0' && !warned
    ? { kind: 'number', sent: limit.sent, rows: Number(limit.sent) }
    : limit

/** The limit of a caller whose maximum only recordings show. @param allowed their most rows. @param valueOfMax rows of `max` */
export function limitForCaller(
  limit: RequestedLimit,
  allowed: number,
  valueOfMax?: number
): RequestedLimit {
  if (limit.rows !== undefined || limit.sent === '0') return limit
  if (limit.kind === 'max') return { ...limit, rows: valueOfMax }
  return Number(limit.sent) <= Math.max(allowed, valueOfMax ?? 0)
    ? acceptedLimit(limit, false)
    : limit
}

/** The same for a caller who may have more than the general maximum, which only recordings of its own show. */
export const withoutMaximum = (limit: RequestedLimit): RequestedLimit =>
  limit.kind === 'number' ? limit : { ...limit, rows: undefined }

/** `number`, `max`, or `over` with the number sent. */
export type LimitShape = string

export const limitShape = ({ limit }: { readonly limit: RequestedLimit }): LimitShape =>
  limit.kind === 'over' ? `over ${limit.sent}` : limit.kind

/** True for an answer to an anonymous caller that has more than the general maximum. */
export function exceedsMaximum(
  { request, responses: [{ body }] }: Interaction,
  lookup: ModuleLookup
): boolean {
  if (request.has('as user') || body.kind !== 'json') return false
  const limits = memberOf(body.tree, 'limits')
  const isWarned = hasMember(body.tree, 'warnings')
  return queryModulesOf(request, ['list', 'generator', 'prop']).some(([path, extra]) => {
    const { prefix = '', parameters } = lookup(path) ?? {}
    const max = parameters?.get('limit')?.max ?? Number.POSITIVE_INFINITY
    const sent = Number(request.get(`${extra}${prefix}limit`))
    const module = path.slice('query+'.length)
    return (numberAt(limits, module) ?? 0) > max || (!isWarned && sent > max)
  })
}

/** True where the wiki lets everybody have as much as bots. */
export const letsAllExceed = (site: SiteFacts | undefined): boolean =>
  plainItems(site?.configuration?.['usergroups']).some(
    (group) =>
      isPlainObject(group) &&
      group['name'] === '*' &&
      plainItems(group['rights']).includes('apihighlimits')
  )
