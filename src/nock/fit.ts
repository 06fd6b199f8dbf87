/** Whether this nock and this Node go together. */

/** nock 15 is told from 14 by what it exports; it needs what Node has had since version 22. */
const newNock = 'getGetRequestBody'
const newNode = 'withResolvers'

/** @param nock what the package exports. @throws Error that says what to install */
export function mustFit(nock: object, promise: object = Promise, node: string = process.version): void {
  if (!(newNock in nock) || newNode in promise) return
  throw new Error(
    `wikitape: the installed nock needs Node.js 22 or newer, and this is ${node}: npm install --save-dev nock@14`,
  )
}
