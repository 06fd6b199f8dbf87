/**
 * `npm run bench:replay [-- 1000 10000]`: replay beside the physical limit, a bare node:http server with ready buffers
 * in a Map, in one run: CPU time a request, start to first answer, memory. Machines are noisy: read the ratios.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type MadeRequest, makeCassette } from './bench/cassette.ts'

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const rounds = 3
const requestsPerRound = 20_000
const connections = 16

interface Contestant {
  readonly name: string
  readonly args: (dir: string) => readonly string[]
}

const contestants: readonly Contestant[] = [
  { name: 'node:http and a Map', args: (dir) => ['--import', 'tsx', here('bench/raw-map.ts'), dir] },
  {
    name: 'wikitape replay',
    args: (dir) => [here('../dist/cli/main.js'), 'replay', '--port', '0', '--cassette', dir],
  },
]

interface Running {
  readonly child: ChildProcess
  readonly url: URL
  readonly startMs: number
}

async function start(contestant: Contestant, dir: string, probe: string): Promise<Running> {
  const began = performance.now()
  const child = spawn(process.execPath, contestant.args(dir), { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface(child.stdout)) {
    const url = new URL(line.slice(line.lastIndexOf(' ') + 1))
    await get(url, probe, undefined)
    return { child, url, startMs: performance.now() - began }
  }
  throw new Error(`${contestant.name} did not start`)
}

function get(base: URL, query: string, agent: http.Agent | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = {
      host: base.hostname,
      port: base.port,
      path: `/w/api.php?${query}`,
      ...(agent && { agent }),
    }
    const request = http.get(options, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => resolve(Buffer.concat(parts)))
    })
    request.on('error', reject)
  })
}

/** CPU milliseconds that a process has used. Source: proc(5), fields utime and stime in ticks of 10 ms. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const memoryMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** CPU microseconds a request; every answer is compared with what was recorded. */
async function load({ child, url }: Running, requests: readonly MadeRequest[]): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const before = cpuMs(child.pid ?? 0)
  let sent = 0
  const worker = async (): Promise<void> => {
    for (; sent < requestsPerRound; ) {
      // A fixed stride instead of chance: the same requests in the same order for everybody.
      const one = requests[(sent++ * 7919) % requests.length]
      if (one === undefined) return
      const body = await get(url, one.query, agent)
      if (body.length !== one.bytes) throw new Error(`wrong answer: ${body.length} bytes for ${one.query}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  agent.destroy()
  return ((cpuMs(child.pid ?? 0) - before) * 1000) / requestsPerRound
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

async function compare(count: number): Promise<void> {
  const dir = mkdtempSync(path.join(tmpdir(), 'wikitape-bench-'))
  const requests = makeCassette(dir, count)
  const running: (readonly [Contestant, Running, number[]])[] = []
  for (const one of contestants) running.push([one, await start(one, dir, requests[0]?.query ?? ''), []])
  for (let round = 0; round < rounds; round += 1)
    for (const [, server, costs] of running) costs.push(await load(server, requests))
  const reference = median(running[0]?.[2] ?? [])
  for (const [{ name }, { child, startMs }, costs] of running) {
    const cost = median(costs)
    console.log(
      `| ${count} | ${name} | ${cost.toFixed(0)} | ${(cost / reference).toFixed(2)} | ${startMs.toFixed(0)} | ${memoryMb(child.pid ?? 0).toFixed(0)} |`,
    )
    child.kill()
  }
  rmSync(dir, { recursive: true, force: true })
}

const counts = process.argv.slice(2).map(Number)
console.log('| interactions | server | CPU µs a request | ratio | start to first answer, ms | memory, MB |')
console.log('|---|---|---|---|---|---|')
for (const count of counts.length > 0 ? counts : [1000, 10_000]) await compare(count)
