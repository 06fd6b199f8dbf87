/** Refuses requests of node:http that would wait for ever in nock 14 (upstream/connection/intercepted-http.ts). */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { whyHeadTooLong } from '../../upstream/connection/intercepted-http.ts'

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
