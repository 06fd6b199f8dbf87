/**
 * Makes the tapes of talkback, the recordings of Polly and nock, and answers.json, what the wiki says without any
 * recorder: node record.mjs ORIGIN FOLDER, from a folder where these were installed: npm install talkback@4.2.0
 * nock@13 @pollyjs/core@6 @pollyjs/adapter-node-http@6 @pollyjs/persister-fs@6.
 */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import http from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'

const [origin = '', folder = ''] = process.argv.slice(2)
const calls = JSON.parse(readFileSync(new URL('calls.json', import.meta.url), 'utf8'))

const ask = (base, call, coding) =>
  new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': call.identity ? 'identity' : coding }
    if (call.form !== undefined)
      headers['content-type'] = 'application/x-www-form-urlencoded'
    const method = call.form === undefined ? 'GET' : 'POST'
    http
      .request(new URL(call.path, base), { method, headers }, async (response) => {
        const parts = await response.toArray()
        resolve({ status: response.statusCode, body: Buffer.concat(parts) })
      })
      .on('error', reject)
      .end(call.form)
  })

const answers = []
for (const call of calls) {
  const { status, body } = await ask(origin, call, 'identity')
  answers.push({
    path: call.path,
    form: call.form,
    status,
    base64: body.toString('base64')
  })
}
writeFileSync(
  path.join(folder, 'answers.json'),
  `${JSON.stringify(answers, undefined, 2)}\n`
)

const load = createRequire(path.resolve('package.json'))
const talkback = load('talkback')
const tapes = path.join(folder, 'talkback')
rmSync(tapes, { recursive: true, force: true })
mkdirSync(tapes)
let made = 0
const server = talkback({
  host: origin,
  port: 4055,
  path: tapes,
  record: talkback.Options.RecordMode.NEW,
  silent: true,
  summary: false,
  // Some below a folder, as talkback may be told to.
  tapeNameGenerator: () =>
    `${made % 2 === 0 ? '' : 'more/'}${String(++made).padStart(2, '0')}`
})
await server.start()
for (const call of calls) await ask('http://127.0.0.1:4055', call, 'gzip')
server.close()

const { Polly } = load('@pollyjs/core')
const polly = new Polly('polly', {
  adapters: [load('@pollyjs/adapter-node-http')],
  persister: load('@pollyjs/persister-fs'),
  persisterOptions: { fs: { recordingsDir: path.join(folder, 'polly') } },
  recordIfMissing: true,
  recordFailedRequests: true,
  logLevel: 'error'
})
for (const call of calls)
  await ask(origin, call, call.path.includes('format=php') ? 'identity' : 'gzip')
await polly.stop()
const [recording] = readdirSync(path.join(folder, 'polly'))
renameSync(
  path.join(folder, 'polly', recording, 'recording.har'),
  path.join(folder, 'polly.har')
)
rmSync(path.join(folder, 'polly'), { recursive: true })

const nock = load('nock')
nock.recorder.rec({ output_objects: true, dont_print: true })
for (const call of calls) await ask(origin, call, 'gzip')
writeFileSync(
  path.join(folder, 'nock.json'),
  `${JSON.stringify(nock.recorder.play(), undefined, 2)}\n`
)
nock.restore()
