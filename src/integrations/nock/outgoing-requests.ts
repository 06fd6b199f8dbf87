/** Requests that are about to leave this process, as nock and the dispatchers of fetch report them. */
import { isPlainObject } from '../../json/plain-json.ts'
import { readsSockets } from './compatibility.ts'

export interface OutgoingRequest {
  readonly method: string
  readonly url: URL
}

/** @param source a `Request` (nock 15), nock 14's options of a request, or a request that carries them */
export function readOutgoingRequest(source: unknown): OutgoingRequest | undefined {
  if (!isPlainObject(source)) return undefined
  if (typeof source['url'] === 'string') return requestTo(source['method'], source['url'])
  if ('options' in source) return readOutgoingRequest(source['options'])
  if (!('proto' in source && 'host' in source)) return undefined
  return requestTo(source['method'], originOf(`${source['proto']}://${source['host']}`), source['path'])
}

function requestTo(method: unknown, base: unknown, path: unknown = ''): OutgoingRequest | undefined {
  const address = `${base}${path}`
  return URL.canParse(address) ? { method: String(method ?? 'GET'), url: new URL(address) } : undefined
}

/** Scheme, host and port. nock writes IPv6 addresses without their brackets. */
export function originOf(base: string): string | undefined {
  const bracketed = base.replace(/^(https?:\/\/)([0-9a-f:]*:[0-9a-f:]*):(\d+)$/i, '$1[$2]:$3')
  return URL.canParse(bracketed) ? new URL(bracketed).origin : undefined
}

/**
 * fetch follows redirects by itself, and nock 14 hears of the first request alone; of undici's own `request` it does
 * not hear. Both send through the global dispatchers of undici, so these are wrapped. What `check` throws reaches the
 * client. nock 15 hears of all of them.
 * Source: https://undici.nodejs.org/#/docs/api/Dispatcher
 * @returns what puts the dispatchers back
 */
export function checkDispatchedRequests(check: (request: OutgoingRequest) => void): () => void {
  if (readsSockets) return () => undefined
  // Node reads its fetch, and makes the dispatchers, when one of its classes is first needed.
  void globalThis.Response
  const ends = Object.getOwnPropertySymbols(globalThis)
    .filter(({ description }) => description?.startsWith('undici.globalDispatcher.'))
    .map((name) => wrapDispatcher(name, check))
  return () => {
    for (const end of ends) end()
  }
}

function wrapDispatcher(name: symbol, check: (request: OutgoingRequest) => void): () => void {
  const original: unknown = Reflect.get(globalThis, name)
  if (!isPlainObject(original)) return () => undefined
  const wrapped = new Proxy(original, {
    get(dispatcher, member) {
      const value: unknown = Reflect.get(dispatcher, member)
      if (typeof value !== 'function') return value
      return (...given: readonly unknown[]): unknown => {
        const [options] = given
        if (member === 'dispatch' && isPlainObject(options)) {
          const request = requestTo(options['method'], options['origin'], options['path'])
          if (request !== undefined) check(request)
        }
        return Reflect.apply(value, dispatcher, given)
      }
    },
  })
  Reflect.set(globalThis, name, wrapped)
  return () => {
    if (Reflect.get(globalThis, name) === wrapped) Reflect.set(globalThis, name, original)
  }
}
