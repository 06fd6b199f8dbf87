/** The installed version of nock, and whether it supports this Node. */
import nock from 'nock'

/** nock 15 is recognised by an export; it needs Node 22, recognised by a feature. */
const nock15Export = 'getGetRequestBody'
const node22Feature = 'withResolvers'

/** True for nock 15; nock 14 replaces http.ClientRequest and fetch. */
export const readsSockets: boolean = nock15Export in nock

/** @param nock the package's exports @throws Error that says what to install */
export function checkNockVersion(
  nock: object,
  promise: object = Promise,
  node: string = process.version,
): void {
  if (!(nock15Export in nock) || node22Feature in promise) return
  throw new Error(
    `wikitape: the installed nock needs Node.js 22 or newer, and this is ${node}: npm install --save-dev nock@14`,
  )
}
