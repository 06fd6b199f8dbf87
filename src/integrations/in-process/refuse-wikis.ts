/**
 * Preload of programs and worker threads that a test starts (guard-programs.ts): a connection to a wiki of the test's
 * cassettes is refused, since the test's process sees nothing of it. `WIKITAPE_GUARDED` names these wikis.
 */
import { writeSync } from 'node:fs'
import { guardConnections } from './guard-connections.ts'
import { originsAt } from './in-process-request.ts'

const guarded = process.env['WIKITAPE_GUARDED']?.split(' ') ?? []

guardConnections((host, port) => {
  const origins = originsAt(host, port)
  const origin = guarded.find((one) => origins.includes(one))
  if (origin === undefined) return
  const why = `wikitape: a program or thread that a test started asked ${origin}, and that was refused: a cassette of the test is of this wiki, but only requests of the test's own process are intercepted. Start a program with env: await cassette.env(), or run the whole suite with \`wikitape exec\``
  // Also if the program hides its errors.
  writeSync(2, `${why}\n`)
  throw new Error(why)
})
