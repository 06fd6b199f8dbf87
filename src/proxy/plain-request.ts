/** Requests for which nobody need be asked who sends them, and whence: most of a run are such, and each costs its judging. */
import type { IncomingMessage } from 'node:http'

/** Headers by which no request is judged, whatever they say. */
const innocent: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'user-agent', 'cache-control', 'pragma'],
  ...['accept', 'accept-encoding', 'accept-language', 'sec-fetch-mode'],
  ...['content-length', 'content-type'],
])

/** No prefix of wikitape's own, no page of its own, nothing that a browser asks for by itself. */
const ofTheApi = /^\/(?![~_.])(?:[^?]*\/)?api\.php(?:\?|$)/

type PlainRequest = IncomingMessage & { readonly method: 'GET' | 'POST'; readonly url: string }

/**
 * True of a GET or POST to the wiki's API that names no cassette, mode or session, comes from no page of another site, and
 * says nothing twice; whether its Host is this server's has to be asked besides.
 */
export function isPlainRequest(request: IncomingMessage): request is PlainRequest {
  const { method, url = '', headers, rawHeaders } = request
  if ((method !== 'GET' && method !== 'POST') || !ofTheApi.test(url)) return false
  const names = Object.keys(headers)
  return rawHeaders.length === 2 * names.length && names.every((name) => innocent.has(name))
}
