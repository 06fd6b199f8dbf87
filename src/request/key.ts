/** The name of a request: a digest of its canonical form. The one place below the shell that hashes. */
import { createHash } from 'node:crypto'

/** Twelve hex digits; interactions with equal keys are told apart by their canonical request, so a collision is a miss. */
export type RequestKey = string & { readonly __brand: 'RequestKey' }

/**
 * A request in canonical form, sorted by parameter name; this is what a cassette file shows under `request`.
 * Names that no API parameter can have (they hold a space) carry what is not a parameter: `as user`, `plain target`.
 */
export type CanonicalRequest = ReadonlyMap<string, string>

const keyPattern = /^[0-9a-f]{12}$/

/** Digest of a canonical request. */
export function requestKey(canonical: CanonicalRequest): RequestKey {
  const sorted = [...canonical].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return digest(JSON.stringify(sorted), 12) as RequestKey
}

/** Reads a key out of a file name or a user's argument; undefined where it does not look like one. */
export const asRequestKey = (text: string): RequestKey | undefined =>
  keyPattern.test(text) ? (text as RequestKey) : undefined

/** The first hex digits of SHA-256. */
export const digest = (content: string | Uint8Array, length: number): string =>
  createHash('sha256').update(content).digest('hex').slice(0, length)
