/**
 * `npx tsx scripts/fleet/measure.ts hits|answers|sessions|copy|replicas [--count N] [--rows N] [--recorders 1,4,16]`: the figures of
 * docs/fleet.md, each printed as JSON. `--rows`: of each answer in `copy` and `replicas`; 10 to 209 unless given. Needs a built dist/, redis-server, and for `replicas` nginx.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { madeQuery, makeCassette } from '../bench/cassette.ts'
import { get, startWikitape, type WikitapeProcess } from './processes.ts'
import { freePort, RedisServers } from './servers.ts'
import { answerFor, countingWiki, queryFor } from './wiki.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '' },
    rows: { type: 'string', default: '' },
    recorders: { type: 'string', default: '1,4,16' }
  }
})
const servers = new RedisServers()
const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-fleet-'))
const program = path.resolve(import.meta.dirname, '../../dist/cli/start.cjs')
const print = (figures: object): void => console.log(JSON.stringify(figures))
const countOr = (usual: number): number => Number(values.count || usual)

/** In drawn order, another one for each recorder. */
function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  let drawn = seed + 1
  const order = [...items]
  for (let at = order.length - 1; at > 0; at -= 1) {
    drawn = (drawn * 48_271) % 2_147_483_647
    const other = drawn % (at + 1)
    const a = order[at]
    const b = order[other]
    if (a !== undefined && b !== undefined) [order[at], order[other]] = [b, a]
  }
  return order
}

/** Sends every query; `parallel` of them at once. @returns statuses with their counts */
async function askAll(
  origin: string,
  queries: readonly string[],
  parallel: number,
  check: (query: string, text: string) => boolean = () => true
): Promise<Readonly<Record<string, number>>> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: parallel })
  const statuses: Record<string, number> = {}
  let next = 0
  const client = async (): Promise<void> => {
    for (let query = queries[next++]; query !== undefined; query = queries[next++]) {
      const { status, text } = await get(origin, query, agent)
      const counted = check(query, text) ? status : 'wrong'
      statuses[counted] = (statuses[counted] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: parallel }, client))
  agent.destroy()
  return statuses
}

/** Hits at the wiki a key: 1, 4 and 16 recorders ask the same requests in drawn order. */
async function hits(): Promise<void> {
  const { port } = await servers.start()
  const titles = Array.from({ length: countOr(5000) }, (_, at) => `Title${at}`)
  for (const count of values.recorders.split(',').map(Number)) {
    const wiki = await countingWiki(2)
    const address = `redis://127.0.0.1:${port}/0#hits-${count}`
    const recorders: WikitapeProcess[] = []
    for (let at = 0; at < count; at += 1)
      recorders.push(
        await startWikitape(['record', wiki.api, '--cassette', address, '--allow-live'])
      )
    const started = performance.now()
    const isRight = (query: string, text: string): boolean =>
      text === answerFor(new URLSearchParams(query).get('titles') ?? '')
    const queries = titles.map(queryFor)
    const all = await Promise.all(
      recorders.map(({ origin }, at) => askAll(origin, shuffled(queries, at), 4, isRight))
    )
    const seconds = (performance.now() - started) / 1000
    const sum = (status: string): number =>
      all.reduce((total, one) => total + (one[status] ?? 0), 0)
    const total = [...wiki.hits.values()].reduce((one, other) => one + other, 0)
    const others = sum('passthrough') + sum('miss') + sum('wrong')
    print({
      recorders: count,
      keys: wiki.hits.size,
      hitsPerKey: total / wiki.hits.size,

      recorded: sum('recorded'),
      replayed: sum('replayed'),
      others,
      seconds: Math.round(seconds)
    })
    for (const recorder of recorders) await recorder.stop()
    wiki.close()
  }
}

/** First answers and repeated ones, out of the folder and the store in turns; processor time of the process as well. */
async function answers(): Promise<void> {
  const { port } = await servers.start()
  const cassette = path.join(folder, 'tape')
  const count = countOr(1000)
  makeCassette(cassette, count)
  const address = `redis://127.0.0.1:${port}/0#answers`
  execFileSync(process.execPath, [program, 'push', cassette, address])
  const queries = Array.from({ length: count }, (_, at) => madeQuery(at))
  const rounds: Record<string, number[]> = {}
  for (let round = 0; round < 5; round += 1)
    for (const [name, where] of [
      ['folder', cassette],
      ['store', address]
    ] as const) {
      const replay = await startWikitape(['replay', '--cassette', where])
      const timeOf = async (): Promise<number> => {
        const started = performance.now()
        await askAll(replay.origin, queries, 1)
        return performance.now() - started
      }
      const noted: readonly (readonly [string, number])[] = [
        ['startMs', replay.startMs],
        ['oneMs', await askOne(replay.origin, queries[0] ?? '')],
        ['firstMs', await timeOf()],
        ['repeatedMs', await timeOf()],
        ['processorMs', processorMs(replay.process)]
      ]
      for (const [what, ms] of noted)
        rounds[`${name} ${what}`] = [...(rounds[`${name} ${what}`] ?? []), ms]
      await replay.stop()
    }
  print({
    requests: count,
    ...Object.fromEntries(
      Object.entries(rounds).map(([name, all]) => [name, median(all)])
    )
  })
}

/** Requests of named sessions and of none, answered before, out of the folder and the store: what it costs to share a session. */
async function sessions(): Promise<void> {
  const { port } = await servers.start()
  const cassette = path.join(folder, 'tape')
  makeCassette(cassette, 10)
  const address = `redis://127.0.0.1:${port}/0#sessions`
  execFileSync(process.execPath, [program, 'push', cassette, address])
  const running = [
    ['folder', await startWikitape(['replay', '--cassette', cassette])],
    ['store', await startWikitape(['replay', '--cassette', address])]
  ] as const
  // Recordings that were written less than two seconds ago are not cached.
  await new Promise((resolve) => setTimeout(resolve, 2500))
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const microseconds: Record<string, number[]> = {}
  for (let turn = 0; turn < countOr(2000); turn += 1)
    for (const [name, { origin }] of running)
      for (const session of ['', `job-${turn % 50}`]) {
        const started = performance.now()
        await get(
          origin,
          madeQuery(1),
          agent,
          session === '' ? {} : { 'x-cassette-session': session }
        )
        const what = `${name}, ${session === '' ? 'no session' : 'a session'}`
        microseconds[what] = [
          ...(microseconds[what] ?? []),
          1000 * (performance.now() - started)
        ]
      }
  print(
    Object.fromEntries(
      Object.entries(microseconds).map(([what, all]) => [what, median(all)])
    )
  )
  for (const [, one] of running) await one.stop()
}

async function askOne(origin: string, query: string): Promise<number> {
  const started = performance.now()
  await askAll(origin, [query], 1)
  return performance.now() - started
}

const median = (all: readonly number[]): number =>
  Math.round(([...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0) * 10) / 10

/** Of a process on Linux, so far. */
function processorMs({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const memoryMb = ({ pid }: ChildProcess): number =>
  Math.round(
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  )

/** Push of many interactions, again with nothing and with ten changed; pull into an empty folder. */
async function copy(): Promise<void> {
  const server = await servers.start()
  const { cassette, address } = await largeCassette(server.port)
  const time = (label: string, ...args: readonly string[]): void => {
    const started = performance.now()
    const env = { ...process.env, XDG_CACHE_HOME: path.join(folder, 'cache') }
    const output = execFileSync(process.execPath, [program, ...args, '--json'], {
      encoding: 'utf8',
      env,
      maxBuffer: 1 << 28
    })
    const { copied, unchanged } = JSON.parse(output) as {
      copied: readonly string[]
      unchanged: number
    }
    print({
      what: label,
      seconds: ((performance.now() - started) / 1000).toFixed(1),
      copied: copied.length,
      unchanged
    })
  }
  time('push', 'push', cassette, address)
  // Signatures count once the files have been left alone for two seconds.
  time('push again', 'push', cassette, address)
  time('push again', 'push', cassette, address)
  const store = CassetteStore.open(cassette)
  const chosen = [...store.paths()].slice(0, 10)
  for (const [, file] of chosen) {
    const place = path.join(cassette, file)
    writeFileSync(
      place,
      readFileSync(place, 'utf8').replace('"status": 200', '"status": 201')
    )
  }
  time('push, 10 changed', 'push', cassette, address)
  time('pull', 'pull', address, path.join(folder, 'pulled'))
  print({ usedMemory: /used_memory_human:(\S+)/.exec(server.cli('info', 'memory'))?.[1] })
}

async function largeCassette(
  port: number
): Promise<{ readonly cassette: string; readonly address: string }> {
  const cassette = path.join(folder, 'large')
  makeCassette(
    cassette,
    countOr(100_000),
    values.rows === '' ? undefined : Number(values.rows)
  )
  return { cassette, address: `redis://127.0.0.1:${port}/0#large` }
}

/** Replicas behind nginx: opening, memory, throughput. */
async function replicas(): Promise<void> {
  const { port } = await servers.start()
  const { cassette, address } = await largeCassette(port)
  execFileSync(process.execPath, [program, 'push', cassette, address])
  rmSync(cassette, { recursive: true, force: true })
  const queries = shuffled(
    Array.from({ length: Math.min(20_000, countOr(100_000)) }, (_, at) => madeQuery(at)),
    7
  )
  for (const count of [1, 2, 4]) {
    const running: WikitapeProcess[] = []
    for (let at = 0; at < count; at += 1)
      running.push(await startWikitape(['replay', '--cassette', address]))
    const balancer = await startNginx(running.map(({ origin }) => origin))
    const rounds: number[] = []
    for (let round = 0; round < 2; round += 1) {
      const started = performance.now()
      const statuses = await askAll(balancer.origin, queries, 32)
      if (statuses['replayed'] !== queries.length)
        throw new Error(JSON.stringify(statuses))
      rounds.push(Math.round(queries.length / ((performance.now() - started) / 1000)))
    }
    print({
      replicas: count,
      firstPerSecond: rounds[0],
      repeatedPerSecond: rounds[1],
      openMs: Math.round(median(running.map(({ startMs }) => startMs))),
      memoryMb: Math.max(...running.map(({ process: child }) => memoryMb(child))),
      processorMsEach: running.map(({ process: child }) => processorMs(child))
    })
    balancer.process.kill('SIGQUIT')
    for (const one of running) await one.stop()
  }
}

/** The configuration of docs/fleet.md. */
async function startNginx(
  origins: readonly string[]
): Promise<{ readonly origin: string; readonly process: ChildProcess }> {
  const port = await freePort()
  const file = path.join(folder, 'nginx.conf')
  const upstreams = origins.map((origin) => `server ${new URL(origin).host};`).join(' ')
  writeFileSync(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; worker_processes 1; events {}
http {
  access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  upstream wikitape { ${upstreams} keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://wikitape; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host 127.0.0.1; }
  }
}`
  )
  const child = spawn('nginx', ['-c', file, '-p', folder], { stdio: 'ignore' })
  const origin = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries += 1)
    try {
      await get(origin, 'action=query', new http.Agent())
      return { origin, process: child }
    } catch (error) {
      if (tries > 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
}

const measurements = { hits, answers, sessions, copy, replicas }
const measure = Object.entries(measurements).find(
  ([name]) => name === positionals[0]
)?.[1]
try {
  if (measure === undefined)
    throw new Error(`expected one of ${Object.keys(measurements).join(', ')}`)
  await measure()
} finally {
  await servers.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
