/**
 * nock 14 reads every node:http request with Node's own parser and takes no notice where that one gives up: a request
 * whose URL and headers are longer than `http.maxHeaderSize` would wait for ever. It gets an error here instead.
 * (fetch is not read that way, and nock 15 reads heads of any length.)
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type ClientRequest, maxHeaderSize } from 'node:http'
import { readsSockets } from './fit.ts'

const channel = 'http.client.request.start'
/** Node adds some headers of its own while it sends. */
const reserve = 256

/** @param isTaken tells of an origin whether a cassette answers for it. @returns what ends the watch */
export function refuseLongHeads(isTaken: (origin: string) => boolean): () => void {
  if (readsSockets) return () => undefined
  const look = (message: unknown): void => {
    const request = requestIn(message)
    if (request === undefined || headBytes(request) + reserve < maxHeaderSize) return
    if (isTaken(`${request.protocol}//${String(request.getHeader('host'))}`)) request.destroy(tooLong())
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

/** What Node's parser counts. Source: https://nodejs.org/api/http.html#httpmaxheadersize */
const headBytes = (request: ClientRequest): number =>
  Object.entries(request.getHeaders()).reduce(
    (sum, [name, value]) => sum + name.length + String(value).length,
    request.path.length,
  )

const tooLong = (): Error =>
  new Error(
    `wikitape: URL and headers are longer than ${maxHeaderSize} bytes, which nock 14 cannot read; send the parameters as a POST, start Node with --max-http-header-size=131072, or use nock 15`,
  )
