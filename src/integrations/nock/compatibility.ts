/** Which nock this is, and whether it and this Node go together. */
import nock from 'nock'

/** nock 15 is told from 14 by what it exports; it needs what Node has had since version 22. */
const nock15Export = 'getGetRequestBody'
const node22Feature = 'withResolvers'

/** nock 14 replaces http.ClientRequest and fetch; nock 15 reads what goes through sockets. */
export const readsSockets: boolean = nock15Export in nock

/** @param nock what the package exports. @throws Error that says what to install */
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
