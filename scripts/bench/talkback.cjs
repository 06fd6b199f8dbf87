/** talkback as a server: FOLDER-OF-ITS-PACKAGE PORT WIKI TAPES NEW|DISABLED. */
const { createRequire } = require('node:module')
const path = require('node:path')

const [folder, port, host, tapes, record] = process.argv.slice(2)
const talkback = createRequire(path.resolve(folder, 'package.json'))('talkback')
talkback({
  host,
  port: Number(port),
  path: tapes,
  record,
  fallbackMode: 'NOT_FOUND',
  silent: true,
  summary: false,
  allowHeaders: []
}).start()
