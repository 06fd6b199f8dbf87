/** A request and its reply as values, whichever client and interception they come through. */
import type { IncomingHeaders } from '../../recorder/http/incoming-request.ts'

export interface InProcessRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** Names in lower case. */
  readonly headers: IncomingHeaders
  readonly body: Buffer
}

/** Status, body, and headers with names and values in turn. */
export type InProcessReply = readonly [status: number, body: Buffer, headers: string[]]

/** Where a request of this process is about to go. */
export interface OutgoingRequest {
  readonly method: string
  readonly url: URL
}

export type Answer = (request: InProcessRequest) => Promise<InProcessReply>

/** Scheme, host and port. nock writes IPv6 addresses without their brackets. */
export function originOf(base: string): string | undefined {
  const bracketed = base.replace(
    /^(https?:\/\/)([0-9a-f:]*:[0-9a-f:]*):(\d+)$/i,
    '$1[$2]:$3'
  )
  return URL.canParse(bracketed) ? new URL(bracketed).origin : undefined
}

/** The origins that a connection may be to; empty texts if the address is none of a URL. */
export const originsAt = (host: string, port: number): readonly string[] =>
  ['http', 'https'].map((scheme) => originOf(`${scheme}://${host}:${port}`) ?? '')

export function outgoingRequest(
  method: unknown,
  base: unknown,
  path: unknown = ''
): OutgoingRequest | undefined {
  const address = `${base}${path}`
  return URL.canParse(address)
    ? { method: String(method ?? 'GET'), url: new URL(address) }
    : undefined
}

export function lowerCaseHeaders(
  headers: Iterable<readonly [string, unknown]>
): IncomingHeaders {
  const known: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of headers) {
    if (value !== undefined)
      known[name.toLowerCase()] = Array.isArray(value) ? value.map(String) : String(value)
  }
  return known
}

/** Headers by lower-case name; those that stand more than once as lists. @param pairs names and values in turn */
export function headersByName(
  pairs: readonly string[]
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const name = String(pairs[at]).toLowerCase()
    const value = String(pairs[at + 1])
    const earlier = headers[name]
    headers[name] = earlier === undefined ? value : [earlier, value].flat()
  }
  return headers
}

/** @returns the function that restores the method, unless it was replaced again */
export function replaceMethod<Method>(
  owner: object,
  name: string | symbol,
  replacementOf: (original: Method) => Method
): () => void {
  const original: Method = Reflect.get(owner, name)
  const replacement = replacementOf(original)
  Reflect.set(owner, name, replacement)
  return () => {
    if (Reflect.get(owner, name) === replacement) Reflect.set(owner, name, original)
  }
}

/** One function that calls all of these. */
export const callAll = (all: readonly (() => void)[]) => (): void => {
  for (const one of all) one()
}

/** Decides about a request. @returns what answers it; undefined if it is sent @throws Error, which reaches the client */
export type Route = (request: OutgoingRequest) => Answer | undefined
