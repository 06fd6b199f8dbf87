/** When a failed request is sent again, and after how long. Source: https://www.mediawiki.org/wiki/API:Etiquette */
import type { WikiAnswer } from '../wiki/answers/wiki-answer.ts'
import type { UpstreamFault, UpstreamRequest } from './upstream.ts'

/** Overload, maintenance and limits; other errors of the server would be the same again. */
export const isOverload = (answer: WikiAnswer): boolean =>
  answer.status < 500 || [502, 503, 504].includes(answer.status)

/** @param wasReached false where this address has never answered: then it is taken for wrong, not for busy */
export function isRetryable(
  fault: UpstreamFault,
  { method, isRepeatable = false }: UpstreamRequest,
  wasReached: boolean
): boolean {
  if (fault === 'unreachable') return wasReached
  return (fault === 'reset' || fault === 'timeout') && (method === 'GET' || isRepeatable)
}

/**
 * Milliseconds: as `Retry-After` says, or twice as long each time; never the same for all clients.
 * @param random from 0 to 1
 */
export function retryDelay(
  answer: WikiAnswer | undefined,
  tries: number,
  now: number,
  random: number
): number {
  const serverDelay = (answer && retryAfter(answer, now)) ?? 0
  return serverDelay > 0
    ? serverDelay + random * 500
    : Math.min(60_000, 1000 * 2 ** tries) * (0.5 + random)
}

/** Milliseconds that `Retry-After` names, as seconds or as a date. Source: RFC 9110, 10.2.3 */
function retryAfter({ headers }: WikiAnswer, now: number) {
  const value = headers.get('retry-after')?.trim()
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const moment = Date.parse(value)
  return Number.isNaN(moment) ? undefined : moment - now
}
