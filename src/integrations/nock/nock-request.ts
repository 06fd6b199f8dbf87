/** A request as nock hands it over: a `Request` in nock 15, a fake `ClientRequest` in nock 14. */
import type { IncomingHeaders } from '../../http/incoming-request.ts'
import { isPlainObject, type PlainObject } from '../../json/plain-json.ts'

export interface NockRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** Names in lower case. */
  readonly headers: IncomingHeaders
  readonly body: Buffer
}

/** @param context the `this` of a reply function. @throws Error where this nock is neither version */
export async function readNockRequest(context: unknown, given: readonly unknown[]): Promise<NockRequest> {
  const [first] = given
  if (isRequest(first)) return fromFetch(first)
  const clientRequest = isPlainObject(context) ? context['req'] : undefined
  const incoming = isPlainObject(clientRequest) ? fromClientRequest(clientRequest) : undefined
  if (incoming === undefined)
    throw new Error('wikitape does not support this version of nock; install nock 14 or 15')
  return incoming
}

async function fromFetch(request: Request): Promise<NockRequest> {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    target: pathname + search,
    headers: Object.fromEntries(request.headers),
    body: Buffer.from(await request.arrayBuffer()),
  }
}

/** The body that nock 14 passes to reply functions is hex for some requests, without saying so; the buffers are exact. */
function fromClientRequest(request: PlainObject): NockRequest | undefined {
  const { method, path, headers, requestBodyBuffers: parts } = request
  if (typeof method !== 'string' || typeof path !== 'string' || !isPlainObject(headers)) return undefined
  if (!Array.isArray(parts) || !parts.every((part) => Buffer.isBuffer(part))) return undefined
  return { method, target: path, headers: lowerCaseHeaders(headers), body: Buffer.concat(parts) }
}

function lowerCaseHeaders(headers: PlainObject): IncomingHeaders {
  const known: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue
    known[name.toLowerCase()] = Array.isArray(value) ? value.map(String) : String(value)
  }
  return known
}

/** Not by `instanceof`: test runners have realms with other classes. */
const isRequest = (value: unknown): value is Request =>
  isPlainObject(value) && 'arrayBuffer' in value && typeof value['url'] === 'string'
