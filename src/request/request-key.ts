/** The key of a request: a digest of its canonical form. The one pure file that hashes. */
import { hash } from 'node:crypto'

/** Twelve hex digits. Canonical requests are compared as well, so a collision is a miss. */
export type RequestKey = string & { readonly __brand: 'RequestKey' }

/**
 * A request in canonical form, sorted by parameter name; a cassette file has it under `request`. Its values are folded
 * in key-step.ts; playback/reorder/ decides whether an answer fits another order.
 * Names with a space, which no API parameter has, are for what is not a parameter: `as user`, `plain target`.
 */
export type CanonicalRequest = ReadonlyMap<string, string>

const keyPattern = /^[0-9a-f]{12}$/

export const requestKey = (canonical: CanonicalRequest): RequestKey =>
  digest(JSON.stringify(sortedParams(canonical)), 12) as RequestKey

/** The same parameters sorted by name (UTF-16 code units). */
export const sortCanonical = (params: ReadonlyMap<string, string>): CanonicalRequest =>
  new Map(sortedParams(params))

const sortedParams = (params: ReadonlyMap<string, string>): (readonly [string, string])[] =>
  [...params].sort(([a], [b]) => (a < b ? -1 : 1))

/** A key out of a file name or a user's argument; undefined where the text is none. */
export const parseRequestKey = (text: string): RequestKey | undefined =>
  keyPattern.test(text) ? (text as RequestKey) : undefined

/** The first hex digits of SHA-256. */
export const digest = (content: string | Uint8Array, length: number): string =>
  hash('sha256', content, 'hex').slice(0, length)
