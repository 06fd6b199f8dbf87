/** How many rows a request asks for, and how an answer speaks of it. */
import { hasQuirk, quirkNames } from '../../knowledge/module-quirks.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import type { Driver } from './driver.ts'

/**
 * How many rows were asked for. `over` is more than the caller may have, or none: the wiki warns and gives the maximum,
 * or one. `rows` is undefined where only the wiki knows what this caller may have.
 */
export interface RequestedLimit {
  readonly kind: 'number' | 'max' | 'over'
  readonly sent: string
  readonly rows: number | undefined
}

/** The limit of a request, or why it is none. */
export function limitIn(params: CanonicalRequest, driver: Driver): RequestedLimit | string {
  const param = driver.description.parameters.get('limit')
  if (param === undefined) return `${driver.module} has no limit`
  const sent = params.get(`${driver.prefix}limit`) ?? param.default
  if (sent === undefined) return `the default limit of ${driver.module} is not known`
  const callerMax = params.has('as user') ? undefined : param.max
  if (sent === 'max') return { kind: 'max', sent, rows: callerMax }
  if (!/^(?:0|[1-9]\d{0,5})$/.test(sent)) return `${sent} is not a limit`
  const rows = Number(sent)
  if (rows === 0) return param.min === 1 ? { kind: 'over', sent, rows: 1 } : `${sent} is not a limit`
  if (param.max !== undefined && rows > param.max) return { kind: 'over', sent, rows: callerMax }
  return { kind: 'number', sent, rows }
}

/** A limit beyond everybody's maximum that was not warned of was this caller's to ask for (5000 for bots). */
export const acceptedLimit = (limit: RequestedLimit, warned: boolean): RequestedLimit =>
  limit.kind === 'over' && limit.rows === undefined && !warned
    ? { kind: 'number', sent: limit.sent, rows: Number(limit.sent) }
    : limit

/**
 * The limit in the eyes of a caller of whom recorded answers show what it may have.
 * @param maxAllowed rows that it was once allowed
 * @param valueOfMax what `max` came to
 */
export function limitForCaller(
  limit: RequestedLimit,
  maxAllowed: number,
  valueOfMax: number | undefined,
): RequestedLimit {
  if (limit.rows !== undefined) return limit
  if (limit.kind === 'max') return { ...limit, rows: valueOfMax }
  return Number(limit.sent) <= Math.max(maxAllowed, valueOfMax ?? 0) ? acceptedLimit(limit, false) : limit
}

/** `number`, `max`, or `over` with the number sent. */
export type LimitShape = string

/** The kind of limit that a request asks for. */
export const limitShape = ({ limit }: { readonly limit: RequestedLimit }): LimitShape =>
  limit.kind === 'over' ? `over ${limit.sent}` : limit.kind

/** Text of revisions is given for fewer of them at once than their names; whole extracts for one page at a time. */
export function isCostly({
  params,
  driver,
}: {
  readonly params: CanonicalRequest
  readonly driver: Driver
}): boolean {
  const value = (name: string): string | undefined => params.get(driver.prefix + name)
  const isSent = (name: string): boolean => value(name) !== undefined
  if (hasQuirk('one-at-a-time', driver.module)) return !quirkNames('one-at-a-time').some(isSent)
  const wanted = splitValues(value('prop') ?? '')
  return (
    quirkNames('costly-parameters').some(isSent) ||
    quirkNames('costly-values').some((one) => wanted.includes(one))
  )
}
