/** A request as nock hands it over: a `Request` in nock 15, a fake `ClientRequest` in nock 14. */
import type { IncomingHeaders } from '../../http/incoming-request.ts'

export interface NockRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** Names in lower case. */
  readonly headers: IncomingHeaders
  readonly body: Buffer
}

/** @param context the `this` of a reply function. @throws Error where this nock is like neither of them */
export async function readNockRequest(context: unknown, given: readonly unknown[]): Promise<NockRequest> {
  const [first] = given
  if (isRequest(first)) return fromFetch(first)
  const clientRequest = isObject(context) ? context['req'] : undefined
  const incoming = isObject(clientRequest) ? fromClientRequest(clientRequest) : undefined
  if (incoming === undefined)
    throw new Error('this version of nock is not known to wikitape; install nock 14 or 15')
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

/** The text that nock 14 gives to reply functions is hex for some bodies and does not say so; the bytes are exact. */
function fromClientRequest(request: Readonly<Record<string, unknown>>): NockRequest | undefined {
  const { method, path, headers, requestBodyBuffers: parts } = request
  if (typeof method !== 'string' || typeof path !== 'string' || !isObject(headers)) return undefined
  if (!Array.isArray(parts) || !parts.every((part) => Buffer.isBuffer(part))) return undefined
  return { method, target: path, headers: lowerCaseHeaders(headers), body: Buffer.concat(parts) }
}

function lowerCaseHeaders(headers: Readonly<Record<string, unknown>>): IncomingHeaders {
  const known: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue
    known[name.toLowerCase()] = Array.isArray(value) ? value.map(String) : String(value)
  }
  return known
}

/** Not `instanceof`: test runners run modules in a realm with classes of its own. */
const isRequest = (value: unknown): value is Request =>
  isObject(value) && 'arrayBuffer' in value && typeof value['url'] === 'string'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
