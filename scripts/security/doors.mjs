/**
 * Doors that were open once, tried by hand at any build: `node scripts/security/doors.mjs MAIN.js`, where MAIN.js is
 * `dist/cli/start.cjs` of this or of an older commit (docs/security-tests.md). One line for each: shut or OPEN.
 */
import { execFileSync, spawn } from 'node:child_process'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

const main = path.resolve(process.argv[2] ?? 'dist/cli/start.cjs')
const home = mkdtempSync(path.join(tmpdir(), 'wikitape-doors-'))
const { CI: _, ...env } = process.env
const secret = 'correct-Horse7battery'
const call = 'action=query&format=json&list=allpages'

/** What the wiki says next. @type {(url: string, body: string) => { status?: number, type?: string, coding?: string, body: string | Uint8Array }} */
let answering = () => ({ body: '{"query":{"allpages":[]}}' })
const wiki = http.createServer((request, response) => {
  let body = ''
  request.on('data', (part) => {
    body += part
  })
  request.on('end', () => {
    const url = request.url ?? ''
    const describes = /paraminfo|siteinfo/.test(url + body)
    const said = describes
      ? { body: '{"error":{"code":"readapidenied","info":"no"}}' }
      : answering(url, body)
    response.writeHead(said.status ?? 200, {
      'content-type': said.type ?? 'application/json; charset=utf-8',
      ...(said.coding === undefined ? {} : { 'content-encoding': said.coding })
    })
    response.end(said.body)
  })
})
await new Promise((resolve) => wiki.listen(0, '127.0.0.1', () => resolve(undefined)))
const address = wiki.address()
const api = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/w/api.php`

/** @param {readonly string[]} args */
async function serve(args) {
  const child = spawn(process.execPath, [main, ...args, '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const at = await new Promise((resolve, reject) => {
    child.once('close', () => reject(new Error(`${args[0]} ended`)))
    child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      const found = /on (http\S+)/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  child.stderr.resume()
  return {
    api: String(at),
    pid: child.pid,
    end: () =>
      new Promise((resolve) => {
        child.once('close', resolve)
        child.kill('SIGTERM')
      })
  }
}

/** @param {string} dir @returns {string} */
const allIn = (dir) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(
      (entry) =>
        `${entry.name}\n${readFileSync(path.join(entry.parentPath, entry.name), 'latin1')}`
    )
    .join('\n')

/** @param {string} name */
const fresh = (name) => path.join(home, name.replace(/\W+/g, '-'), 'tape')

/** Login, then an answer in which the secret stands in another spelling. @param {(text: string) => string | Uint8Array} spell */
async function echoes(name, spell, login = { status: 200, how: '' }) {
  const dir = fresh(name)
  answering = (_url, body) =>
    body.includes('lgpassword')
      ? { status: login.status, body: '{"login":{"result":"Failed"}}' }
      : {
          body: JSON.stringify({
            query: { echo: Buffer.from(spell(secret)).toString('latin1') }
          })
        }
  const server = await serve(['record', api, '--cassette', dir])
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(login.how === '' ? {} : { 'x-cassette-mode': login.how })
  }
  const body = `action=login&format=json&lgname=A&lgpassword=${encodeURIComponent(secret)}`
  await (await fetch(server.api, { method: 'POST', headers, body })).text()
  const reply = await fetch(`${server.api}?${call}&apfrom=E`)
  await reply.text()
  await server.end()
  return (
    reply.headers.get('x-cassette-status') === 'recorded' &&
    /echo/.test(allIn(dir)) &&
    !/redacted-password/.test(allIn(dir).replace(/lgpassword.*/g, ''))
  )
}

const base64 = (/** @type {string | Uint8Array} */ one) =>
  Buffer.from(one).toString('base64')
const hex = (/** @type {string} */ one) => Buffer.from(one).toString('hex')

/** @type {readonly (readonly [string, () => Promise<boolean | string>])[]} */
const doors = [
  ['spelling: hex', () => echoes('hex', hex)],
  ['spelling: base64 of base64', () => echoes('b64', (one) => base64(base64(one)))],
  [
    'spelling: every sign percent-encoded',
    () => echoes('percent', (one) => hex(one).replace(/../g, '%$&'))
  ],
  [
    'spelling: gzip in gzip in base64',
    () => echoes('gzip', (one) => base64(gzipSync(gzipSync(one))))
  ],
  ['spelling: zlib in base64', () => echoes('zlib', (one) => base64(deflateSync(one)))],
  [
    'spelling: brotli in base64',
    () => echoes('brotli', (one) => base64(brotliCompressSync(one)))
  ],
  [
    'spelling: UTF-16 in base64',
    () => echoes('utf16', (one) => base64(Buffer.from(one, 'utf16le')))
  ],
  [
    'ledger: a login answered 503',
    () => echoes('ledger503', (one) => one, { status: 503, how: '' })
  ],
  [
    'ledger: a login that was only passed on',
    () => echoes('ledgerpass', (one) => one, { status: 200, how: 'passthrough' })
  ],
  [
    'growth: a page of 200 KB takes more than 3 s',
    async () => {
      const endless = `mw.config.set({"debugInfo":{"${'\\"'.repeat(100_000)}`
      answering = () => ({ type: 'text/html', body: `<script>${endless}` })
      const server = await serve(['record', api, '--cassette', fresh('growth')])
      const began = Date.now()
      await (await fetch(new URL('/wiki/A', server.api))).text()
      const took = Date.now() - began
      await server.end()
      return took > 3000 && `${took} ms`
    }
  ],
  [
    'bounds: 100,000 parameters are worked through, in more than 1 s of processor',
    async () => {
      answering = () => ({ body: '{}' })
      const server = await serve(['record', api, '--cassette', fresh('params')])
      const used = () => {
        const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(' ')
        return (Number(fields[13]) + Number(fields[14])) * 10
      }
      const before = used()
      const body = `${call}&${Array.from({ length: 100_000 }, (_, at) => `p${at}=1`).join('&')}`
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const reply = await fetch(server.api, { method: 'POST', headers, body })
      await reply.text()
      const took = used() - before
      await server.end()
      return (
        reply.headers.get('x-cassette-status') === 'recorded' &&
        took > 1000 &&
        `${took} ms`
      )
    }
  ],
  [
    'bounds: 12 KB of gzip take more than 500 MB',
    async () => {
      answering = () => ({
        coding: 'gzip',
        body: gzipSync(`{"a":[${'[1,2],'.repeat(2_000_000)}1]}`)
      })
      const server = await serve(['record', api, '--cassette', fresh('bomb')])
      await (await fetch(`${server.api}?${call}`)).text().catch(() => '')
      const most =
        Number(
          /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]
        ) / 1024
      await server.end()
      return most > 500 && `${Math.round(most)} MB`
    }
  ],
  [
    'a link to a folder elsewhere is followed',
    async () => {
      const [mine, away] = [await small('mine'), await small('away', 'allusers')]
      symlinkSync(path.join(away, 'query.allusers'), path.join(mine, 'query.allusers'))
      const server = await serve(['replay', '--cassette', mine])
      const reply = await fetch(`${server.api}?action=query&format=json&list=allusers`)
      await reply.text()
      await server.end()
      return reply.headers.get('x-cassette-status') === 'replayed'
    }
  ],
  [
    'a pipe among the recordings is waited for',
    async () => {
      const mine = await small('pipe')
      execFileSync('/usr/bin/env', [
        'mkfifo',
        path.join(mine, 'query.allpages', 'x.0123456789ab.json')
      ])
      return hangs(['check', mine])
    }
  ],
  [
    'a pipe named noise.json is waited for',
    async () => {
      const mine = await small('notes')
      execFileSync('/usr/bin/env', ['mkfifo', path.join(mine, 'noise.json')])
      return hangs(['check', mine])
    }
  ],
  [
    'normalize copies what a link leads to',
    async () => {
      const mine = await small('copies')
      const folder = path.join(mine, 'query.allpages')
      const file = path.join(folder, readdirSync(folder)[0] ?? '')
      writeFileSync(path.join(home, 'outside'), 'behind the link')
      const value = JSON.parse(readFileSync(file, 'utf8'))
      const { json: _json, ...rest } = value.responses[0]
      writeFileSync(
        file,
        JSON.stringify({ ...value, responses: [{ ...rest, file: 'x.0.bin' }] })
      )
      symlinkSync(path.join(home, 'outside'), path.join(folder, 'x.0.bin'))
      await hangs(['normalize', mine])
      return readFileSync(file, 'utf8').includes(base64('behind the link'))
    }
  ],
  [
    'terminal: ls prints an escape sequence of a recorded title',
    async () => {
      const dir = fresh('terminal')
      answering = () => ({ body: '{"query":{}}' })
      const server = await serve(['record', api, '--cassette', dir])
      await (
        await fetch(
          `${server.api}?action=query&format=json&titles=%1B%5B31mred%9B%E2%80%AE`
        )
      ).text()
      await server.end()
      return ['ls', 'show'].some((verb) =>
        ['\u001b', '\u202e'].some((sign) =>
          printed(
            verb === 'ls' ? ['ls', dir] : ['show', keyIn(dir), '--cassette', dir]
          ).includes(sign)
        )
      )
    }
  ],
  [
    'update: one GET with X-Cassette-Mode deletes what was not asked for',
    async () => {
      const dir = await small('header', 'allpages', 20)
      const server = await serve(['record', api, '--cassette', dir])
      await (
        await fetch(`${server.api}?${call}&apfrom=P1`, {
          headers: { 'x-cassette-mode': 'update' }
        })
      ).text()
      await server.end()
      return count(dir) < 20 && `${count(dir)} of 20 left`
    }
  ],
  [
    'update: a run of one request deletes the other 19',
    async () => {
      const dir = await small('update', 'allpages', 20)
      const server = await serve(['record', api, '--cassette', dir, '--mode', 'update'])
      await (await fetch(`${server.api}?${call}&apfrom=P1`)).text()
      await server.end()
      return count(dir) < 20 && `${count(dir)} of 20 left`
    }
  ]
]

/** A cassette of some requests. @param {string} name */
async function small(name, list = 'allpages', many = 1) {
  const dir = fresh(name)
  answering = () => ({ body: '{"query":{}}' })
  const server = await serve(['record', api, '--cassette', dir])
  for (let at = 0; at < many; at += 1)
    await (
      await fetch(
        `${server.api}?action=query&format=json&list=${list}${many > 1 ? `&apfrom=P${at}` : ''}`
      )
    ).text()
  await server.end()
  return dir
}

const recordings = (/** @type {string} */ dir) =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /[0-9a-f]{12}\.json$/.test(name)
  )
const count = (/** @type {string} */ dir) => recordings(dir).length
const keyIn = (/** @type {string} */ dir) =>
  /([0-9a-f]{12})\.json$/.exec(recordings(dir)[0] ?? '')?.[1] ?? ''

/** @param {readonly string[]} args */
function printed(args) {
  try {
    return execFileSync(process.execPath, [main, ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe']
    })
  } catch (error) {
    return String(error instanceof Error && 'stdout' in error ? error.stdout : error)
  }
}

/** True where it has not ended after twenty seconds. @param {readonly string[]} args */
function hangs(args) {
  const child = spawn(process.execPath, [main, ...args], { env, stdio: 'ignore' })
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      resolve(true)
    }, 20_000)
    child.once('close', () => {
      clearTimeout(timer)
      resolve(false)
    })
  })
}

for (const [name, open] of doors) {
  const found = await open().catch((error) => `not tried: ${error}`)
  console.log(
    `${found === false ? 'shut' : String(found).startsWith('not tried') ? found : `OPEN${found === true ? '' : ` (${found})`}`}: ${name}`
  )
}
wiki.close()
wiki.closeAllConnections()
rmSync(home, { recursive: true, force: true })
