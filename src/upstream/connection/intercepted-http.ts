/**
 * Limits of node:http where nock 14, or another library built on the same interceptors, intercepts it. They parse every
 * request with Node's own parser and ignore its errors: a request whose URL and headers are longer than
 * `http.maxHeaderSize` would wait for ever. (nock 15 intercepts connections, and reads heads of any length.)
 */
import http, { type ClientRequest, maxHeaderSize } from 'node:http'
import { types } from 'node:util'

/** Interceptors replace Node's function by a Proxy. */
export const isHttpIntercepted = (): boolean => types.isProxy(http.request)

/** Node adds some headers of its own while it sends. */
const reservedBytes = 256

/** Why a request would wait for ever; undefined where it can be sent. */
export const whyHeadTooLong = (request: ClientRequest): string | undefined =>
  isHttpIntercepted() && headBytes(request) + reservedBytes >= maxHeaderSize
    ? `URL and headers are longer than ${maxHeaderSize} bytes, which nock 14 and msw cannot read; send the parameters as a POST, start Node with --max-http-header-size=131072, or use nock 15 in place of nock 14 (it needs Node.js 22)`
    : undefined

/** What nock 15 says on Node 20, of every connection. */
export const needsNode22 = 'Promise.withResolvers is not a function'

/** nock 15 is recognised by this export; it needs Node 22. nock 14 replaces http.ClientRequest and fetch. */
export const isNock15 = (nock: object): boolean => 'getGetRequestBody' in nock

/** @param nock the package's exports @throws Error that says what to install */
export function checkNockVersion(nock: object, promise: object = Promise, node?: string): void {
  if (isNock15(nock) && !('withResolvers' in promise)) throw new Error(`wikitape: ${nockTooNew(node)}`)
}

/** @param node the version that runs this */
export const nockTooNew = (node: string = process.version): string =>
  `the installed nock needs Node.js 22 or newer, and this is ${node}: npm install --save-dev nock@14`

/** What Node's parser counts. Source: https://nodejs.org/api/http.html#httpmaxheadersize */
const headBytes = (request: ClientRequest): number =>
  Object.entries(request.getHeaders()).reduce(
    (sum, [name, value]) => sum + name.length + String(value).length,
    request.path.length,
  )
