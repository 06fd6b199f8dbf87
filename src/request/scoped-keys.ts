/** Narrower keys of the same request: what else its answer depended on stands in the canonical request by a name with a space. */
import type { Derivation } from './derive.ts'
import { requestKey, sortCanonical } from './request-key.ts'

/**
 * The key under which a set is kept when its order cannot be folded away: the same request, order significant. What was
 * sent in the very order that the fold makes needs a key of its own too: the derived one may hold another spelling.
 */
export function keyForExactOrder(derivation: Derivation): Derivation {
  const known = exactOrderKeys.get(derivation)
  if (known !== undefined) return known
  const made = deriveExactOrder(derivation)
  exactOrderKeys.set(derivation, made)
  return made
}

/** Whoever looks for a recording, and whoever finds a place for one, asks for the same. */
const exactOrderKeys = new WeakMap<Derivation, Derivation>()

function deriveExactOrder(derivation: Derivation): Derivation {
  const sentValues = [...derivation.sentValues].map(([name, value]) => [`${name} in order`, value] as const)
  const folded = [['all in order', 'as folded']] as const
  return withParams({ ...derivation, sentValues: new Map() }, sentValues.length === 0 ? folded : sentValues)
}

/** Names the state in a canonical request. */
export const epochParam = 'after writes'

/** A request after writes of its session; `state` is empty before the first. */
export const keyForEpoch = (derivation: Derivation, state: string): Derivation =>
  state === '' ? derivation : withParams(derivation, [[epochParam, state]])

/** The same request of a caller without a name. */
export function keyForAnonymous(derivation: Derivation): Derivation {
  const canonical = new Map([...derivation.canonical].filter(([name]) => name !== 'as user'))
  return { ...derivation, canonical, key: requestKey(canonical) }
}

/** What stands for a session without a name, where several got different answers to one request. */
export const unnamedSession = '(another)'

/** A request whose answer in one session differs from that in others. */
export function keyForSession(derivation: Derivation, name: string | undefined): Derivation {
  const known = sessionKeys.get(derivation)
  if (known !== undefined && known.name === name) return known.own
  const own = withParams(derivation, [['in session', name ?? unnamedSession]])
  sessionKeys.set(derivation, { name, own })
  return own
}

/** A derivation belongs to one session mostly. */
const sessionKeys = new WeakMap<Derivation, { readonly name: string | undefined; readonly own: Derivation }>()

/** `origin` may be refused altogether (403, measured on 1.25); the refusal is for those only who send that origin. */
export const keyForRefusedOrigin = (derivation: Derivation, origin: string): Derivation =>
  withParams({ ...derivation, sentValues: new Map() }, [['refused origin', origin]])

/** The same request with a token of another kind. */
export const keyForTokenKind = (derivation: Derivation, param: string, kind: string): Derivation =>
  withParams(derivation, [[param, kind]])

function withParams(derivation: Derivation, more: readonly (readonly [string, string])[]): Derivation {
  const canonical = sortCanonical(new Map([...derivation.canonical, ...more]))
  return { ...derivation, canonical, key: requestKey(canonical) }
}
