/** Narrower keys of one request, for an epoch, a session, an order or an origin: each adds a parameter with a space in its name. */
import type { Derivation } from './derive.ts'
import { keyedRequest } from './request-key.ts'

/**
 * The key for exactly this order of values, for answers whose order cannot be folded away. Even a request
 * sent in the folded order has one: the file under the plain key may have been recorded from another order.
 */
export function keyForExactOrder(derivation: Derivation): Derivation {
  const sent = [...derivation.sentValues].map(([name, value]) => [`${name} in order`, value] as const)
  const folded = [['all in order', 'as folded']] as const
  return withParams(derivation, sent.length === 0 ? folded : sent, new Map())
}

/** The parameter for the writes that a session has made. */
export const epochParam = 'after writes'

/** A request after writes of its session; the epoch is empty before the first write. */
export const keyForEpoch = (derivation: Derivation, epoch: string): Derivation =>
  epoch === '' ? derivation : withParams(derivation, [[epochParam, epoch]])

/** The same request of a caller without a name. */
export const keyForAnonymous = (derivation: Derivation): Derivation =>
  rekeyed(derivation, new Map([...derivation.canonical].filter(([name]) => name !== 'as user')))

/** Marks the second, differing answer where neither session has a name. */
export const unnamedSession = '(another)'

/** A request whose answer in one session differs from that in others. */
export const keyForSession = (derivation: Derivation, name: string | undefined): Derivation =>
  withParams(derivation, [['in session', name ?? unnamedSession]])

/** A wiki may refuse an `origin` (403, measured on 1.25); the refusal is only for requests with that origin. */
export const keyForRefusedOrigin = (derivation: Derivation, origin: string): Derivation =>
  withParams(derivation, [['refused origin', origin]], new Map())

/** Marks an answer for one `maxlag`: the wiki was further behind than that. */
export const refusedLagParam = 'refused maxlag'

/** A wiki that is too far behind for one `maxlag` answers requests that allow more. */
export const keyForRefusedLag = (derivation: Derivation, maxlag: string): Derivation =>
  withParams(derivation, [[refusedLagParam, maxlag]])

/** A request whose answer a POST with all of it in the body would not get. */
export const keyForUnposted = (derivation: Derivation): Derivation =>
  withParams(derivation, [['not posted', derivation.unposted ?? '']])

/** The same request with a token of another kind. */
export const keyForTokenKind = (derivation: Derivation, param: string, kind: string): Derivation =>
  withParams(derivation, [[param, kind]])

const withParams = (
  derivation: Derivation,
  more: readonly (readonly [string, string])[],
  sentValues?: Derivation['sentValues'],
): Derivation => rekeyed(derivation, new Map([...derivation.canonical, ...more]), sentValues)

/** Written out: a spread costs each request some µs. */
function rekeyed(
  derivation: Derivation,
  params: ReadonlyMap<string, string>,
  sentValues: Derivation['sentValues'] = derivation.sentValues,
): Derivation {
  const { key, canonical } = keyedRequest(params)
  const { orderless, steps, undescribed, effect, tokenTypes, unposted } = derivation
  return { key, canonical, sentValues, orderless, steps, undescribed, effect, tokenTypes, unposted }
}
