/**
 * Imports a recording of whole.mjs's calls, replays it and compares every answer with what the recorder's client was
 * told: node compare.mjs RECORDING TOLD ORIGIN, after npm run build. RECORDING is the file, or the folder of scattered
 * ones. Tokens are made anew on replay, and `debuginfo` is not kept: neither is compared.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'

const [recording = '', toldFile = '', origin = ''] = process.argv.slice(2)
const cli = new URL('../../dist/cli/start.cjs', import.meta.url).pathname
const root = mkdtempSync(path.join(tmpdir(), 'compare-'))
const cassette = path.join(root, 'tape')

function imported() {
  const args = [
    'import',
    recording,
    '--cassette',
    cassette,
    '--wiki',
    `${origin}/w/api.php`,
    '--json'
  ]
  try {
    return JSON.parse(
      execFileSync('node', [cli, ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit']
      })
    )
  } catch (error) {
    return JSON.parse(error.stdout)
  }
}

const send = (port, { path: target, form, type }, cookie) =>
  new Promise((resolve, reject) => {
    const headers = cookie === '' ? {} : { cookie }
    if (form !== undefined)
      headers['content-type'] = type ?? 'application/x-www-form-urlencoded'
    http
      .request(
        {
          port,
          host: '127.0.0.1',
          path: target,
          method: form === undefined ? 'GET' : 'POST',
          headers
        },
        async (response) => {
          const body = Buffer.concat(await response.toArray())
          resolve({
            status: response.statusCode,
            body,
            cookies: response.headers['set-cookie'] ?? []
          })
        }
      )
      .on('error', reject)
      .end(form)
  })

const undebugged = (text) =>
  text.replace(/,"debuginfo".*/s, '}').replace(/<debuginfo.*/s, '</api>')
const tokenless = (body) =>
  Buffer.from(
    undebugged(body.toString('latin1')).replace(/[0-9a-f]{32,48}(?=\+)/g, '0'),
    'latin1'
  )

const report = imported()
const server = spawn('node', [cli, 'replay', '--cassette', cassette, '--port', '0'])
const port = await new Promise((resolve) => {
  const listen = (text) => {
    const found = /127\.0\.0\.1:(\d+)/.exec(String(text))
    if (found !== null) resolve(Number(found[1]))
  }
  server.stdout.on('data', listen)
  server.stderr.on('data', listen)
})
const told = JSON.parse(readFileSync(toldFile, 'utf8'))
const jar = new Map()
let token = ''
let exact = 0
const other = []
for (const call of told) {
  const form = call.form
    ?.replace('{token}', encodeURIComponent(token))
    .replace('{rawtoken}', token)
  const cookie = call.session ? [...jar].map((pair) => pair.join('=')).join('; ') : ''
  const reply = await send(port, { ...call, form }, cookie)
  for (const one of call.session ? reply.cookies : []) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(one) ?? []
    jar.set(name, value)
  }
  token =
    /"(?:login|csrf)token":"([^"]+)"/
      .exec(reply.body.toString())?.[1]
      .replaceAll('\\\\', '\\') ?? token
  const wanted = Buffer.from(call.base64, 'base64')
  if (reply.status === call.status && tokenless(reply.body).equals(tokenless(wanted)))
    exact += 1
  else
    other.push(
      `${call.form === undefined ? 'GET' : 'POST'} ${call.path.slice(0, 150)} ${(call.form ?? '').slice(0, 60)}`
    )
}
server.kill()
rmSync(root, { recursive: true, force: true })
const whys = new Map()
for (const { leftOut } of report.files)
  for (const { why } of leftOut) {
    const kind = why.replace(/\d+/g, 'N').slice(0, 80)
    whys.set(kind, (whys.get(kind) ?? 0) + 1)
  }
const { taken, same, leftOut } = report
process.stdout.write(
  `${path.basename(recording)}: ${exact} of ${told.length} exact; taken ${taken}, same ${same}, left out ${leftOut}\n`
)
for (const [why, count] of whys) process.stdout.write(`  left out ${count}: ${why}\n`)
for (const one of other.slice(0, 8)) process.stdout.write(`  other: ${one}\n`)
process.exit(0)
