/** The installed version of nock, and whether it supports this Node. */
import nock from 'nock'
import { nockTooNew } from '../../upstream/connection/intercepted-http.ts'

/** nock 15 is recognised by an export; it needs Node 22, recognised by a feature. */
const nock15Export = 'getGetRequestBody'
const node22Feature = 'withResolvers'

/** True for nock 15; nock 14 replaces http.ClientRequest and fetch. */
export const readsSockets: boolean = nock15Export in nock

/** @param nock the package's exports @throws Error that says what to install */
export function checkNockVersion(nock: object, promise: object = Promise, node?: string): void {
  if (nock15Export in nock && !(node22Feature in promise)) throw new Error(`wikitape: ${nockTooNew(node)}`)
}
