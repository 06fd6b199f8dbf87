/** Narrower keys of one request, for an epoch, a session, an order or an origin: each adds a parameter with a space in its name. */

import {
  joinValues,
  type ParamPairs,
  type Params,
  withoutParams
} from '../wiki/parameters/request-params.ts'
import { isVersionSince } from '../wiki/site/site-facts.ts'
import type { Derivation } from './derive.ts'
import { cacheBuster } from './key-step.ts'
import { keyedRequest } from './request-key.ts'

/**
 * The key for exactly this order of values, for answers whose order cannot be folded away. Even a request
 * sent in the folded order has one: the file under the plain key may have been recorded from another order.
 */
export function keyForExactOrder(derivation: Derivation): Derivation {
  const sent = [...derivation.sentValues].map(
    ([name, value]) => [`${name} in order`, value] as const
  )
  const { canonical, unknownNames } = derivation
  const sorted = [...unknownNames].sort()
  const isInOrder = unknownNames.every((name, at) => name === sorted[at])
  // The plain key may have it already, and this one is always another.
  if (!isInOrder && !canonical.has('unknown in order'))
    sent.push(['unknown in order', joinValues(unknownNames)])
  const folded = [['all in order', 'as folded']] as const
  return withParams(derivation, sent.length === 0 ? folded : sent, new Map())
}

/** The parameter for the writes that a session has made. */
export const epochParam = 'after writes'

/** A request after writes of its session; the epoch is empty before the first write. */
export const keyForEpoch = (derivation: Derivation, epoch: string): Derivation =>
  epoch === '' ? derivation : withParams(derivation, [[epochParam, epoch]])

/** The same edit in a cassette of an older version, whose keys say nothing of conflicts. */
export const keyWithoutGuards = (derivation: Derivation): Derivation =>
  rekeyed(derivation, withoutParams(derivation.canonical, 'basetimestamp', 'md5'))

/** The same request of a caller without a name. */
export const keyForAnonymous = (derivation: Derivation): Derivation =>
  rekeyed(derivation, withoutParams(derivation.canonical, 'as user'))

/** Marks the second, differing answer where neither session has a name. */
export const unnamedSession = '(another)'

/** A request whose answer in one session differs from that in others. */
export const keyForSession = (
  derivation: Derivation,
  name: string | undefined
): Derivation => withParams(derivation, [['in session', name ?? unnamedSession]])

/** Marks the refusal of one `origin`. */
export const refusedOriginParam = 'refused origin'

/** A wiki may refuse an `origin` (403, measured on 1.25); the refusal is only for requests with that origin. */
export const keyForRefusedOrigin = (derivation: Derivation, origin: string): Derivation =>
  withParams(derivation, [[refusedOriginParam, origin]], new Map())

/** Marks an answer for one `maxlag`: the wiki was further behind than that. */
export const refusedLagParam = 'refused maxlag'

/** A wiki that is too far behind for one `maxlag` answers requests that allow more. */
export const keyForRefusedLag = (derivation: Derivation, maxlag: string): Derivation =>
  withParams(derivation, [[refusedLagParam, maxlag]])

/**
 * The same request in another spelling, with the same answer, as long as it is no error: an empty `continue` says nothing
 * since 1.26, and what `opensearch` answers has one form in both versions of formats.
 * Source: ApiQuery::execute, ApiOpenSearch::populateResult; measured on 1.35, 1.39 and 1.43.
 */
export function inOtherSpelling(
  derivation: Derivation,
  generator: string | undefined
): Derivation | undefined {
  const { canonical, effect, steps } = derivation
  // Keys of older versions have it, whether the wiki reads it or not.
  const isBusted = steps.some(
    ({ name, rule }) => name === cacheBuster && rule === 'transport'
  )
  if (isBusted) return withParams(derivation, [[cacheBuster, '']])

  // Before 0.3 an address of rest.php was recorded as it was sent.
  const [step] = steps
  if (step?.name === 'plain target' && canonical.get(step.name) === step.became)
    return withParams(derivation, [[step.name, step.sent]])
  const isQuery = canonical.get('action') === 'query' && isVersionSince(generator, 26)
  const isSearch = canonical.get('action') === 'opensearch'
  const isPlain =
    effect === 'read' && !canonical.has('rawcontinue') && !canonical.has('format')
  if (!isPlain || !(isQuery || isSearch)) return undefined
  const name = isQuery ? 'continue' : 'formatversion'
  const value = isQuery ? '' : '2'
  if (!canonical.has(name)) return withParams(derivation, [[name, value]])
  return canonical.get(name) === value
    ? rekeyed(derivation, withoutParams(canonical, name))
    : undefined
}

/** A request whose answer other request headers chose than that of the plain key. */
export const keyForHeaders = (derivation: Derivation, chosenBy: Params): Derivation =>
  withParams(
    derivation,
    [...chosenBy].map(([name, value]) => [`header ${name}`, value] as const)
  )

/** A request whose answer a POST with all of it in the body would not get. */
export const keyForUnposted = (derivation: Derivation): Derivation =>
  withParams(derivation, [['not posted', derivation.unposted ?? '']])

/** The same request with a token of another kind. */
export const keyForTokenKind = (
  derivation: Derivation,
  param: string,
  kind: string
): Derivation => withParams(derivation, [[param, kind]])

function withParams(
  derivation: Derivation,
  more: ParamPairs,
  sentValues?: Derivation['sentValues']
) {
  const params = new Map(derivation.canonical)
  for (const [name, value] of more) params.set(name, value)
  return rekeyed(derivation, params, sentValues)
}

/** Written out: a spread costs each request some µs. */
function rekeyed(
  derivation: Derivation,
  params: Params,
  sentValues: Derivation['sentValues'] = derivation.sentValues
) {
  const { key, canonical } = keyedRequest(params)
  const { orderless, unknownNames, steps, undescribed, effect, tokenTypes, unposted } =
    derivation
  const { aboutSecret, innerSecrets } = derivation
  return {
    key,
    canonical,
    sentValues,
    orderless,
    unknownNames,
    steps,
    undescribed,
    effect,
    tokenTypes,
    unposted,
    aboutSecret,
    innerSecrets
  }
}
