/** Requests of node:http that nock 14 would leave waiting for ever (upstream/taken-over.ts) get an error here instead. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { tooLongToSend } from '../../upstream/connection/intercepted-http.ts'

const channel = 'http.client.request.start'

/** @param isTaken tells of an origin whether a cassette answers for it. @returns what ends the watch */
export function refuseLongHeads(isTaken: (origin: string) => boolean): () => void {
  const look = (message: unknown): void => {
    const request = requestIn(message)
    const why = request && tooLongToSend(request)
    if (request === undefined || why === undefined) return
    if (isTaken(`${request.protocol}//${String(request.getHeader('host'))}`))
      request.destroy(new Error(`wikitape: ${why}`))
  }
  subscribe(channel, look)
  return () => void unsubscribe(channel, look)
}

const requestIn = (message: unknown): ClientRequest | undefined =>
  typeof message === 'object' && message !== null && 'request' in message && isClientRequest(message.request)
    ? message.request
    : undefined

/** Not `instanceof`: nock puts another class in the place of this one. */
const isClientRequest = (value: unknown): value is ClientRequest =>
  typeof value === 'object' && value !== null && 'getHeaders' in value && 'protocol' in value
