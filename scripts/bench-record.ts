/**
 * `npm run bench:record [-- REQUESTS RECORDED]`: what recording adds to a request, beside a bare node:http proxy that
 * only buffers, in one run; the wiki answers at once. Machines are noisy: read the ratios.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { madeAnswer, madeQuery, makeCassette } from './bench/cassette.ts'
import { cpuMs, type Running, start, stop } from './bench/servers.ts'

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const [requests = 5200, recorded = 100_000] = process.argv.slice(2).map(Number)
const home = mkdtempSync(path.join(tmpdir(), 'wikitape-bench-'))
const agent = new http.Agent({ keepAlive: true })

const wiki = (from: number, count: number): Promise<Running> =>
  start(['--import', 'tsx', here('bench/wiki.ts'), String(from), String(count)])
const buffering = ({ url }: Running): Promise<Running> =>
  start([here('bench/buffering-proxy.mjs'), url.href])
/** `--moved`: a made cassette names another address. */
const recorder = ({ url }: Running, dir: string): Promise<Running> =>
  start([
    here('../dist/cli/start.cjs'),
    'record',
    url.href,
    '--cassette',
    dir,
    '--moved',
    '--port',
    '0'
  ])

/** Milliseconds until the whole answer is there. */
function ask({ url }: Running, index: number): Promise<number> {
  const began = performance.now()
  const target = {
    host: url.hostname,
    port: url.port,
    path: `${url.pathname}?${madeQuery(index)}`,
    agent
  }
  return new Promise((resolve, reject) => {
    const request = http.get(target, (answer) => {
      answer.on('end', () => {
        const status = answer.headers['x-cassette-status'] ?? 'recorded'
        if (answer.statusCode === 200 && status === 'recorded')
          resolve(performance.now() - began)
        else reject(new Error(`${madeQuery(index)}: ${answer.statusCode}, ${status}`))
      })
      answer.resume()
    })
    request.on('error', reject)
  })
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
const ms = (value: number): string => `${value.toFixed(2)} ms`

/** The same questions to each of the servers, one after the other. @returns each one's times */
async function race(
  servers: readonly Running[],
  from: number,
  count: number
): Promise<number[][]> {
  const times = servers.map((): number[] => [])
  for (let index = from; index < from + count; index += 1)
    for (const [at, server] of servers.entries())
      times[at]?.push(await ask(server, index))
  return times
}

/** What making one file costs in that folder: a large part of the rest where many were deleted there just before. */
function fileMs(dir: string): number {
  mkdirSync(dir)
  const text = madeAnswer(0)
  return median(
    Array.from({ length: 200 }, (_, at) => {
      const began = performance.now()
      writeFileSync(path.join(dir, `${at}.tmp`), text)
      renameSync(path.join(dir, `${at}.tmp`), path.join(dir, `${at}.json`))
      return performance.now() - began
    })
  )
}

async function ended(...servers: readonly Running[]): Promise<void> {
  for (const { child } of servers) {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }
}

async function compareAdded(): Promise<void> {
  const live = await wiki(0, requests)
  const bare = await buffering(live)
  const own = await recorder(live, path.join(home, 'empty'))
  await race([live, bare, own], 0, 200)
  const before = [cpuMs(bare), cpuMs(own)]
  const times = await race([live, bare, own], 200, requests - 200)
  const cpu = [bare, own].map(
    (server, at) => (cpuMs(server) - (before[at] ?? 0)) / (requests - 200)
  )
  const part = (from: number, to: number): readonly number[] =>
    times.map((one) => median(one.slice(from - 200, to - 200)))
  const added = (from: number, to: number): readonly number[] => {
    const [direct = 0, ...others] = part(from, to)
    return others.map((one) => one - direct)
  }
  const [byBare = 0, byOwn = 0] = added(1000, requests)
  console.log(
    `| added to a request | ${ms(byBare)} | ${ms(byOwn)} | ${(byOwn / byBare).toFixed(1)} |`
  )
  const [cpuBare = 0, cpuOwn = 0] = cpu
  console.log(
    `| processor time a request | ${ms(cpuBare)} | ${ms(cpuOwn)} | ${(cpuOwn / cpuBare).toFixed(1)} |`
  )
  const early = part(200, 400)[2] ?? 0
  const late = part(requests - 200, requests)[2] ?? 0
  console.log(
    `| request 300 and ${requests - 100} | ${ms(early)} | ${ms(late)} | ${(late / early).toFixed(2)} |`
  )
  const stopped = performance.now()
  await stop(own)
  console.log(`| the end of the run | | ${ms(performance.now() - stopped)} | |`)
  await ended(bare, live)
}

async function compareSizes(): Promise<void> {
  const full = path.join(home, 'full')
  makeCassette(full, recorded)
  const live = await wiki(recorded, 2000)
  const servers = [
    await recorder(live, path.join(home, 'none')),
    await recorder(live, full)
  ]
  const times = await race(servers, recorded, 2000)
  const [empty, large] = times.map((one) => median(one.slice(1000)))
  const ratio = ((large ?? 0) / (empty ?? 1)).toFixed(2)
  console.log(
    `| into an empty cassette and one of ${recorded} | ${ms(empty ?? 0)} | ${ms(large ?? 0)} | ${ratio} |`
  )
  await ended(...servers, live)
}

try {
  console.log(
    `making a file of 11 KB in ${home}: ${ms(fileMs(path.join(home, 'files')))}\n`
  )
  console.log(
    '| median of | bare proxy, or first | recording, or second | ratio |\n|---|---|---|---|'
  )
  await compareAdded()
  await compareSizes()
} finally {
  agent.destroy()
  rmSync(home, { recursive: true, force: true })
}
