/** The name of a request: a digest of its canonical form. The one place below the shell that hashes. */
import { hash } from 'node:crypto'

/** Twelve hex digits; interactions with equal keys are told apart by their canonical request, so a collision is a miss. */
export type RequestKey = string & { readonly __brand: 'RequestKey' }

/**
 * A request in canonical form, sorted by parameter name; this is what a cassette file shows under `request`.
 * Names that no API parameter can have (they hold a space) carry what is not a parameter: `as user`, `plain target`.
 */
export type CanonicalRequest = ReadonlyMap<string, string>

const keyPattern = /^[0-9a-f]{12}$/

/** Digest of a canonical request. */
export const requestKey = (canonical: CanonicalRequest): RequestKey =>
  digest(JSON.stringify([...sortCanonical(canonical)]), 12) as RequestKey

/** The same parameters sorted by name (UTF-16 code units); a map that is sorted already is returned as it is. */
export function sortCanonical(params: ReadonlyMap<string, string>): CanonicalRequest {
  let before = ''
  for (const name of params.keys()) {
    if (name < before) return new Map([...params.keys()].sort().map((one) => [one, params.get(one) ?? '']))
    before = name
  }
  return params
}

/** Reads a key out of a file name or a user's argument; undefined where it does not look like one. */
export const parseRequestKey = (text: string): RequestKey | undefined =>
  keyPattern.test(text) ? (text as RequestKey) : undefined

/** The first hex digits of SHA-256. */
export const digest = (content: string | Uint8Array, length: number): string =>
  hash('sha256', content, 'hex').slice(0, length)
