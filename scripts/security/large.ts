/**
 * Large answers and requests: `npx tsx scripts/security/large.ts [WORD]` (the built binary). For each: how long the
 * longest turn of the event loop was, in time and in processor time of the thread, and how much the memory rose above
 * that of the idle process. The second is what counts on a busy machine.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { articles } from '../../test/helpers/public-content.ts'

const program = fileURLToPath(new URL('../../dist/cli/start.cjs', import.meta.url))
const preload = fileURLToPath(new URL('turns.mjs', import.meta.url))
const MB = 1024 * 1024

interface Case {
  readonly what: string
  readonly query: string
  readonly type: string
  readonly body: () => Buffer
  readonly zipped?: true
  /** A body that the client posts. */
  readonly posted?: () => string
}

/** Half Cyrillic, and full of what looks like secrets: a hundred times more than an article. */
function prose(bytes: number): string {
  let text = ''
  for (const one of articles(1, 16 * 1024)) {
    text += one
    if (text.length >= bytes) break
  }
  return Buffer.from(text).subarray(0, bytes).toString('utf8').replaceAll('\ufffd', '')
}
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const rows = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({
    pageid: at,
    ns: 0,
    title: `Страница ${at}`
  }))
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const pages = (count: number): object => {
  const text = prose(40_000)
  return {
    query: {
      pages: Array.from({ length: count }, (_, at) => ({ pageid: at, content: text }))
    }
  }
}
const listing = 'action=query&list=allpages&format=json&formatversion=2'
const small = (): Buffer => json({ query: { allpages: [] } })
const asJson = { query: listing, type: 'application/json; charset=utf-8' }

const cases: readonly Case[] = [
  {
    what: 'JSON, 140,000 values',
    ...asJson,
    body: () => json({ query: { allpages: rows(34_000) } })
  },
  { what: 'JSON, articles', ...asJson, body: () => json(pages(200)) },
  {
    what: 'JSON, 520,000 values',
    ...asJson,
    body: () => json({ query: { allpages: rows(130_000) } })
  },
  {
    what: 'JSON, one parsed page',
    ...asJson,
    body: () => json({ parse: { text: escaped(prose(8 * MB)) } })
  },
  { what: 'JSON, articles', ...asJson, body: () => json(pages(700)) },
  { what: 'JSON, articles', ...asJson, body: () => json(pages(2500)) },
  {
    what: 'JSON, 1,000,000 names',
    ...asJson,
    body: () =>
      Buffer.from(`{${Array.from({ length: 1e6 }, (_, at) => `"k${at}":1`).join()}}`)
  },
  {
    what: 'JSON, `[1,2],` × 10,000,000 in gzip',
    ...asJson,
    body: () => gzipSync(`{"a":[${'[1,2],'.repeat(1e7)}1]}`),
    zipped: true
  },
  {
    what: 'XML',
    query: 'action=query&list=allpages&format=xml',
    type: 'text/xml; charset=utf-8',
    body: () =>
      Buffer.from(`<?xml version="1.0"?><api><rev>${escaped(prose(8 * MB))}</rev></api>`)
  },
  {
    what: 'a page of HTML',
    query: '',
    type: 'text/html; charset=utf-8',
    body: () => Buffer.from(`<!DOCTYPE html><p>${escaped(prose(30 * MB))}</p>`)
  },
  {
    what: 'an image',
    query: '',
    type: 'image/png',
    body: () => Buffer.alloc(30 * MB, Buffer.from('\x89PNG\r\n\x1a\n\0\0\xff', 'latin1'))
  },
  {
    what: 'posted: 1,000,000 parameters',
    ...asJson,
    body: small,
    posted: () =>
      `${listing}&${Array.from({ length: 1e6 }, (_, at) => `p${at}=1`).join('&')}`
  },
  {
    what: 'posted: a text',
    ...asJson,
    query: 'action=parse&format=json',
    body: small,
    posted: () =>
      `action=parse&format=json&text=${encodeURIComponent(prose(3 * MB)).slice(0, 8 * MB)}`
  }
]

interface Turns {
  /** Milliseconds: the longest turn by the clock. */
  readonly clock: number
  /** Milliseconds of the thread's processor time in the longest turn. */
  readonly processor: number
  /** Bytes of memory at the highest, and when idle. */
  readonly peak: number
  readonly idle: number
}

class Watched {
  readonly child: ChildProcess
  readonly api: Promise<string>

  constructor(args: readonly string[]) {
    const { CI: _, ...env } = process.env
    this.child = spawn(
      process.execPath,
      ['--expose-gc', '--import', preload, program, ...args],
      {
        env,
        stdio: ['ignore', 'pipe', 'ignore', 'ipc']
      }
    )
    this.api = new Promise((resolve, reject) => {
      this.child.once('close', () =>
        reject(new Error(`${args[0]} ended before it listened`))
      )
      this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        const address = /on (http\S+)/.exec(text)?.[1]
        if (address !== undefined) resolve(address)
      })
    })
  }

  /** What happened since it was asked last. */
  turns(): Promise<Turns> {
    return new Promise((resolve) => {
      this.child.once('message', (turns) => resolve(turns as Turns))
      this.child.send('turns')
    })
  }

  async end(): Promise<void> {
    const closed = new Promise((resolve) => this.child.once('close', resolve))
    this.child.kill('SIGTERM')
    await closed
  }
}

const home = mkdtempSync(path.join(tmpdir(), 'wikitape-large-'))
const megabytes = (bytes: number): string => `${Math.round(bytes / MB)} MB`

async function measured(
  one: Case,
  size: number,
  watched: Watched,
  posted: string | undefined
): Promise<readonly string[]> {
  const api = await watched.api
  await watched.turns()
  const began = performance.now()
  const address =
    one.query === '' ? `${new URL(api).origin}/wiki/Page` : `${api}?${one.query}`
  const status = await ask(posted === undefined ? address : api, posted)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const { clock, processor, peak, idle } = await watched.turns()
  const rise = size > MB ? ` (${((peak - idle) / size).toFixed(1)} ×)` : ''
  return [
    status,
    `${seconds} s`,
    `${Math.round(clock)} ms`,
    `${Math.round(processor)} ms`,
    `${megabytes(peak - idle)}${rise}`
  ]
}

/** @returns what became of it */
function ask(address: string, posted: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers =
      posted === undefined
        ? { 'accept-encoding': 'gzip' }
        : { 'content-type': 'application/x-www-form-urlencoded' }
    const method = posted === undefined ? 'GET' : 'POST'
    const request = http.request(address, { method, headers }, (reply) => {
      reply.resume()
      reply.once('end', () =>
        resolve(String(reply.headers['x-cassette-status'] ?? reply.statusCode))
      )
    })
    request.once('error', reject)
    request.end(posted)
  })
}

const word = process.argv[2] ?? ''
console.log('| what | | became | took | longest turn | of it processor | memory |')
console.log('| --- | --- | --- | ---: | ---: | ---: | ---: |')
try {
  for (const [at, one] of cases.entries()) {
    if (!one.what.includes(word)) continue
    const body = one.body()
    const wiki = http.createServer((request, response) => {
      request.resume()
      const coding = one.zipped === true ? { 'content-encoding': 'gzip' } : {}
      const describes = /paraminfo|siteinfo/.test(request.url ?? '')
      response.writeHead(200, {
        'content-type': describes ? 'application/json' : one.type,
        ...(describes ? {} : coding)
      })
      response.end(describes ? '{"error":{"code":"readapidenied","info":"no"}}' : body)
    })
    await new Promise<void>((resolve) => wiki.listen(0, '127.0.0.1', resolve))
    const { port } = wiki.address() as AddressInfo
    const cassette = path.join(home, String(at))
    const posted = one.posted?.()
    const size = posted?.length ?? (one.zipped === true ? gunzipSync(body) : body).length
    const live = [
      'record',
      `http://127.0.0.1:${port}/w/api.php`,
      '--cassette',
      cassette,
      '--port',
      '0'
    ]
    const recorder = new Watched(live)
    console.log(
      `| ${[`${one.what}, ${megabytes(size)}`, 'record', ...(await measured(one, size, recorder, posted))].join(' | ')} |`
    )
    await recorder.end()
    wiki.closeAllConnections()
    wiki.close()
    try {
      readFileSync(path.join(cassette, 'cassette.json'))
    } catch {
      continue
    }
    const player = new Watched(['replay', '--cassette', cassette, '--port', '0'])
    console.log(
      `| | ${['replay', ...(await measured(one, size, player, posted))].join(' | ')} |`
    )
    await player.end()
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}
