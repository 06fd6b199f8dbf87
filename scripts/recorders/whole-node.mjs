/**
 * Has a recorder of Node or Java record all of whole.mjs: node whole-node.mjs TOOL ORIGIN FOLDER CALLS, where TOOL is
 * talkback, polly-http, polly-fetch, nock, nock-back, wiremock or none. Writes what the client was told to
 * FOLDER/TOOL-told.json. From a folder where the tools were installed (README.md).
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'

const [tool = '', origin = '', folder = '', file = ''] = process.argv.slice(2)
const calls = JSON.parse(readFileSync(file, 'utf8'))
const load = createRequire(path.resolve('package.json'))
const own = path.join(folder, tool)
rmSync(own, { recursive: true, force: true })
mkdirSync(own, { recursive: true })

const viaHttp = (url, method, headers, body) =>
  new Promise((resolve, reject) => {
    http
      .request(url, { method, headers }, async (response) => {
        const parts = await response.toArray()
        const cookies = response.headers['set-cookie'] ?? []
        resolve({ status: response.statusCode, body: Buffer.concat(parts), cookies })
      })
      .on('error', reject)
      .end(body)
  })

const viaFetch = async (url, method, headers, body) => {
  const response = await fetch(url, { method, headers, body, redirect: 'manual' })
  const cookies = response.headers.getSetCookie()
  return {
    status: response.status,
    body: Buffer.from(await response.arrayBuffer()),
    cookies
  }
}

const told = []
let token = ''
const jar = new Map()

async function ask(base, call, via) {
  const headers = { 'accept-encoding': 'identity' }
  if (call.session && jar.size > 0)
    headers.cookie = [...jar].map((pair) => pair.join('=')).join('; ')
  const body = call.form
    ?.replace('{token}', encodeURIComponent(token))
    .replace('{rawtoken}', token)
  if (body !== undefined)
    headers['content-type'] = call.type ?? 'application/x-www-form-urlencoded'
  const reply = await via(
    new URL(call.path, base).href,
    body === undefined ? 'GET' : 'POST',
    headers,
    body
  )
  told.push({ ...call, status: reply.status, base64: reply.body.toString('base64') })
  for (const cookie of call.session ? reply.cookies : []) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    jar.set(name, value)
  }
  const text = reply.body.toString()
  token =
    /"(?:login|csrf)token":"([^"]+)"/.exec(text)?.[1].replaceAll('\\\\', '\\') ?? token
  // Only where the answer itself goes on: debug information may name an earlier value.
  const next = call.walk ? JSON.parse(text).continue?.apcontinue : undefined
  if (next === undefined) return
  const first = call.path.replace(/&apcontinue=.*/, '')
  await ask(
    base,
    { ...call, path: `${first}&apcontinue=${encodeURIComponent(next)}&continue=-%7C%7C` },
    via
  )
}

async function all(base = origin, via = viaHttp) {
  for (const call of calls) await ask(base, call, via)
}

async function polly(adapter, id, via, options) {
  const { Polly } = load('@pollyjs/core')
  const recorder = new Polly(tool, {
    adapters: [load(`@pollyjs/${adapter}`)],
    adapterOptions: { [id]: options },
    persister: load('@pollyjs/persister-fs'),
    persisterOptions: { fs: { recordingsDir: own } },
    mode: 'record',
    recordFailedRequests: true,
    logLevel: 'error'
  })
  await all(origin, via)
  await recorder.stop()
}

async function throughWiremock() {
  const jar = path.join(path.dirname(load.resolve('wiremock')), 'build')
  const name = readdirSync(jar).find((one) => one.endsWith('.jar'))
  const base = 'http://127.0.0.1:4056'
  const server = spawn('java', [
    '-jar',
    path.join(jar, name),
    '--port',
    '4056',
    '--bind-address',
    '127.0.0.1',
    '--root-dir',
    own
  ])
  const admin = (what, body) =>
    fetch(`${base}/__admin/${what}`, { method: 'POST', body: JSON.stringify(body) })
  for (let tries = 0; tries < 100; tries += 1) {
    const answers = await fetch(`${base}/__admin/mappings`).then(
      () => true,
      () => false
    )
    if (answers) break
    await setTimeout(300)
  }
  const captureHeaders = { 'Content-Type': {}, Cookie: {} }
  await admin('recordings/start', {
    targetBaseUrl: origin,
    captureHeaders,
    persist: true,
    repeatsAsScenarios: true
  })
  await all(base)
  await admin('recordings/stop', {})
  server.kill()
}

const tools = {
  none: () => all(),
  async talkback() {
    const talkback = load('talkback')
    const record = talkback.Options.RecordMode.NEW
    const server = talkback({
      host: origin,
      port: 4055,
      path: own,
      record,
      silent: true,
      summary: false
    })
    await server.start()
    await all('http://127.0.0.1:4055')
    server.close()
  },
  'polly-http': () => polly('adapter-node-http', 'node-http', viaHttp),
  'polly-fetch': () => polly('adapter-fetch', 'fetch', viaFetch, { context: globalThis }),
  async nock() {
    const nock = load('nock')
    nock.recorder.rec({
      output_objects: true,
      dont_print: true,
      enable_reqheaders_recording: true
    })
    await all()
    writeFileSync(
      path.join(own, 'nock.json'),
      `${JSON.stringify(nock.recorder.play(), undefined, 2)}\n`
    )
    nock.restore()
  },
  async 'nock-back'() {
    const { back } = load('nock')
    back.fixtures = own
    back.setMode('record')
    const { nockDone } = await back('back.json', {
      recorder: { enable_reqheaders_recording: true }
    })
    await all()
    nockDone()
  },
  wiremock: throughWiremock
}

await tools[tool]()
writeFileSync(path.join(folder, `${tool}-told.json`), JSON.stringify(told))
process.stdout.write(`${tool}: ${told.length} calls\n`)
process.exit()
