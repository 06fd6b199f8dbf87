/** A request as nock hands it over: a `Request` in nock 15, a fake `ClientRequest` or its options in nock 14. */
import { isPlainObject, type PlainObject } from '../../json/plain-json.ts'
import {
  type InProcessRequest,
  lowerCaseHeaders,
  type OutgoingRequest,
  originOf,
  outgoingRequest,
} from '../in-process/in-process-request.ts'

/** @param source a `Request` (nock 15), nock 14's options of a request, or a request that has them */
export function readOutgoingRequest(source: unknown): OutgoingRequest | undefined {
  if (!isPlainObject(source)) return undefined
  if (typeof source['url'] === 'string') return outgoingRequest(source['method'], source['url'])
  if ('options' in source) return readOutgoingRequest(source['options'])
  if (!('proto' in source && 'host' in source)) return undefined
  return outgoingRequest(source['method'], originOf(`${source['proto']}://${source['host']}`), source['path'])
}

/** @param context the `this` of a reply function. @throws Error where this nock is neither version */
export async function readNockRequest(
  context: unknown,
  given: readonly unknown[],
): Promise<InProcessRequest> {
  const [first] = given
  if (isRequest(first)) return fromFetch(first)
  const clientRequest = isPlainObject(context) ? context['req'] : undefined
  const incoming = isPlainObject(clientRequest) ? fromClientRequest(clientRequest) : undefined
  if (incoming === undefined)
    throw new Error('wikitape does not support this version of nock; install nock 14 or 15')
  return incoming
}

async function fromFetch(request: Request): Promise<InProcessRequest> {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    target: pathname + search,
    headers: Object.fromEntries(request.headers),
    body: Buffer.from(await request.arrayBuffer()),
  }
}

/** The body that nock 14 passes to reply functions is hex for some requests, without saying so; the buffers are exact. */
function fromClientRequest(request: PlainObject): InProcessRequest | undefined {
  const { method, path, headers, requestBodyBuffers: parts } = request
  if (typeof method !== 'string' || typeof path !== 'string' || !isPlainObject(headers)) return undefined
  if (!Array.isArray(parts) || !parts.every((part) => Buffer.isBuffer(part))) return undefined
  return {
    method,
    target: path,
    headers: lowerCaseHeaders(Object.entries(headers)),
    body: Buffer.concat(parts),
  }
}

/** Not by `instanceof`: test runners have realms with other classes. */
const isRequest = (value: unknown): value is Request =>
  isPlainObject(value) && 'arrayBuffer' in value && typeof value['url'] === 'string'
