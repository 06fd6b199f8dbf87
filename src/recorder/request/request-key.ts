/** The key of a request: a digest of its canonical form. The one pure file that hashes. */

// Not by name: Node.js 18 has no hash, and is told first which Node.js it needs.
import crypto from 'node:crypto'
import type { Params } from '../wiki/parameters/request-params.ts'

/** Twelve hex digits. Canonical requests are compared as well, so a collision is a miss. */
export type RequestKey = string & { readonly __brand: 'RequestKey' }

/**
 * A request in canonical form, sorted by parameter name; a cassette file has it under `request`. Its values are folded
 * in key-step.ts; playback/reorder/ decides whether an answer fits another order.
 * Names with a space, which no API parameter has, are for what is not a parameter: `as user`, `plain target`.
 */
export type CanonicalRequest = Params

export interface KeyedRequest {
  readonly key: RequestKey
  readonly canonical: CanonicalRequest
}

/** Sorts the parameters by name (UTF-16 code units). */
export function keyedRequest(params: Params): KeyedRequest {
  const sorted = [...params].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    key: digest(JSON.stringify(sorted), 12) as RequestKey,
    canonical: new Map(sorted)
  }
}

export const requestKey = (params: Params): RequestKey => keyedRequest(params).key

/** A key out of a file name or a user's argument; undefined where the text is none. */
export const parseRequestKey = (text: string): RequestKey | undefined =>
  /^[0-9a-f]{12}$/.test(text) ? (text as RequestKey) : undefined

/** The first hex digits of SHA-256. */
export const digest = (content: string | Uint8Array, length: number): string =>
  crypto.hash('sha256', content, 'hex').slice(0, length)

/** Of a text that a client sends, as the wiki checks it. */
export const md5Of = (text: string): string => crypto.hash('md5', text, 'hex')
