/** Requests that are about to leave this process, as nock and the dispatchers of fetch report them. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { isPlainObject } from '../../json/plain-json.ts'
import { whyHeadTooLong } from '../../upstream/connection/intercepted-http.ts'
import { readsSockets } from './compatibility.ts'

export interface OutgoingRequest {
  readonly method: string
  readonly url: URL
}

/** @param source a `Request` (nock 15), nock 14's options of a request, or a request that has them */
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
 * nock 14 reports neither the redirects that fetch follows nor requests of undici's own `request`. Both use undici's
 * global dispatchers, so these are wrapped. What `check` throws reaches the client. (nock 15 reports all of them.)
 * Source: https://undici.nodejs.org/#/docs/api/Dispatcher
 * @returns the function that restores the dispatchers
 */
export function checkDispatchedRequests(check: (request: OutgoingRequest) => void): () => void {
  if (readsSockets) return () => undefined
  // Node loads fetch, and makes the dispatchers, at the first use of one of its classes.
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

const channel = 'http.client.request.start'

/** @param isIntercepted true for an origin that a cassette answers for. @returns the function that ends this */
export function refuseOversizedHeads(isIntercepted: (origin: string) => boolean): () => void {
  const checkHead = (message: unknown): void => {
    const request = requestIn(message)
    const why = request && whyHeadTooLong(request)
    if (request === undefined || why === undefined) return
    if (isIntercepted(`${request.protocol}//${String(request.getHeader('host'))}`))
      request.destroy(new Error(`wikitape: ${why}`))
  }
  subscribe(channel, checkHead)
  return () => void unsubscribe(channel, checkHead)
}

const requestIn = (message: unknown): ClientRequest | undefined =>
  typeof message === 'object' && message !== null && 'request' in message && isClientRequest(message.request)
    ? message.request
    : undefined

/** Not by `instanceof`: nock replaces the class. */
const isClientRequest = (value: unknown): value is ClientRequest =>
  typeof value === 'object' && value !== null && 'getHeaders' in value && 'protocol' in value
