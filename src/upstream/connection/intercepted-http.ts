/**
 * node:http where nock 14, or another library built on the same interceptors, has taken it over. Those read every
 * request with Node's own parser and take no notice where that one gives up: a request whose URL and headers are longer
 * than `http.maxHeaderSize` would wait for ever. (nock 15 takes connections over instead, and reads heads of any length.)
 */
import http, { type ClientRequest, maxHeaderSize } from 'node:http'
import { types } from 'node:util'

/** They put a Proxy in the place of Node's function. */
export const isHttpIntercepted = (): boolean => types.isProxy(http.request)

/** Node adds some headers of its own while it sends. */
const reservedBytes = 256

/** What is wrong with a request that would wait for ever; undefined where it can be sent. */
export const whyHeadTooLong = (request: ClientRequest): string | undefined =>
  isHttpIntercepted() && headBytes(request) + reservedBytes >= maxHeaderSize
    ? `URL and headers are longer than ${maxHeaderSize} bytes, which nock 14 cannot read; send the parameters as a POST, start Node with --max-http-header-size=131072, or use nock 15`
    : undefined

/** What Node's parser counts. Source: https://nodejs.org/api/http.html#httpmaxheadersize */
const headBytes = (request: ClientRequest): number =>
  Object.entries(request.getHeaders()).reduce(
    (sum, [name, value]) => sum + name.length + String(value).length,
    request.path.length,
  )
