/**
 * `npx tsx scripts/measure/reports.ts`: how long requests of clients wait while the pages have a report made of all recordings,
 * beside the same machine without a report, and with a thread in its place that only counts. What these have too, is the machine's.
 * The last column is the server's own: the processor time of its main thread between two ticks of a timer. Exit code 1 if it
 * exceeds the limit.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http, { type Agent } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { requestKey } from '../../src/recorder/request/request-key.ts'
import { madeQuery, makeCassette } from '../bench/cassette.ts'

const { values } = parseArgs({
  options: {
    recordings: { type: 'string', default: '3000' },
    seconds: { type: 'string', default: '8' },
    serve: { type: 'string' }
  }
})

/** Milliseconds that a report may keep a client waiting. */
const limit = 50
const tick = 5
const clients = 8

interface Serving {
  readonly api: string
  /** Spins a thread, or stops it. */
  spin(isOn: boolean): void
  /** The longest turns of the main thread since the last call, in ms of processor time: one in a hundred, and the longest. */
  turns(): Promise<readonly [number, number]>
}

/** In a process of its own. */
async function serve(cassette: string): Promise<void> {
  const built = new URL('../../dist/integrations/program/start.js', import.meta.url).href
  const { startReplay }: typeof import('../../src/integrations/program/start.ts') =
    await import(built)
  const { apiUrl } = await startReplay({ cassette })
  let turns: number[] = []
  let before = processorTime()
  setInterval(() => {
    const now = processorTime()
    turns.push(now - before)
    before = now
  }, tick)
  let spinning: Worker | undefined
  process.on('message', (message) => {
    if (message === 'spin')
      spinning = new Worker('for (let count = 0; ; count += 1);', { eval: true })
    if (message === 'rest') void spinning?.terminate()
    if (message !== 'turns') return
    process.send?.(shares(turns, [0.99, 1]))
    turns = []
  })
  process.send?.(apiUrl)
}

/** Milliseconds that this thread has run on a processor. Source: Linux, Documentation/scheduler/sched-stats.rst. */
const processorTime = (): number =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) /
  1e6

const shares = (all: readonly number[], wanted: readonly number[]): readonly number[] => {
  const sorted = all.toSorted((a, b) => a - b)
  return wanted.map(
    (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  )
}

async function startServing(
  cassette: string
): Promise<Serving & { readonly child: ChildProcess }> {
  const self = fileURLToPath(import.meta.url)
  const child = fork(self, ['--serve', cassette], { execArgv: process.execArgv })
  const told = (): Promise<unknown> =>
    new Promise((resolve) => child.once('message', resolve))
  const api = String(await told())
  return {
    child,
    api,
    spin: (isOn) => void child.send(isOn ? 'spin' : 'rest'),
    turns: async () => {
      child.send('turns')
      return (await told()) as readonly [number, number]
    }
  }
}

/** @param body posted as JSON; asked by GET if there is none */
const ask = (url: string, agent: Agent, body?: object): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const method = body === undefined ? 'GET' : 'POST'
    const request = http.request(url, { agent, method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.once('end', () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(text))
      )
    })
    request.once('error', reject)
    request.end(body && JSON.stringify(body))
  })

interface Asked {
  readonly path: string
  readonly body?: object
}

const key = requestKey(
  new Map([
    ['action', 'query'],
    ['apfrom', 'Статья 7'],
    ['list', 'allpages']
  ])
)

/** Once in the life of a server, what the pages need is loaded. */
const firstPage = 'the first page'

/** What a page asks for while a view is open; `inside` is asked on until its end. */
const views: Readonly<Record<string, Asked>> = {
  [firstPage]: { path: 'cassette' },
  check: { path: 'check' },
  drift: { path: 'drift?a=a&b=b' },
  'all versions': { path: 'matrix?of=a%7Cb' },
  listings: { path: 'listings' },
  compare: { path: `compare?a=a&b=b&key-a=${key}` },
  overview: { path: 'inside?' },
  'search in contents': { path: 'inside?q=no%20such%20text' },
  'a page of rows': { path: 'interactions' },
  'ask, recorded': { path: 'ask', body: { address: madeQuery(7) } },
  'ask, missed': { path: 'ask', body: { address: `${madeQuery(7)}x` } }
}

/** Asks for it again and again. @returns how often it was made */
async function keepAsking(
  { api }: Serving,
  name: string,
  until: number,
  agent: Agent
): Promise<number> {
  const { path = '', body } = views[name] ?? {}
  const url = `${new URL(api).origin}/__wikitape/api/${path}`
  let made = 0
  for (let from = 0; performance.now() < until; ) {
    const text = await ask(from === 0 ? url : `${url}&from=${from}`, agent, body)
    const { next = 0 }: { readonly next?: number } = JSON.parse(text)
    from = next
    if (from === 0) made += 1
  }
  return made
}

/** Times of the answers that clients got meanwhile. @param pause between two requests of a client */
async function times(
  { api }: Serving,
  until: number,
  agent: Agent,
  pause: number
): Promise<readonly number[]> {
  const took: number[] = []
  const one = async (client: number): Promise<void> => {
    for (let at = client; performance.now() < until; at += 7) {
      const startedAt = performance.now()
      await ask(`${api}?${madeQuery(at % Number(values.recordings))}`, agent)
      took.push(performance.now() - startedAt)
      if (pause > 0) await delay(pause)
    }
  }
  const count = pause > 0 ? 1 : clients
  await Promise.all(Array.from({ length: count }, (_, client) => one(client)))
  return took
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-reports-'))
  makeCassette(path.join(folder, 'a'), Number(values.recordings), 20)
  makeCassette(path.join(folder, 'b'), Number(values.recordings), 21)
  const serving = await startServing(path.join(folder, 'a'))
  const agent = new http.Agent({ keepAlive: true })
  let worst = 0
  console.log(
    '| | requests | p50 | p99 | worst | longest turn of the server, 1 % and all |\n| --- | --- | --- | --- | --- | --- |'
  )
  for (const [load, pause] of [
    ['one client', 10],
    [`${clients} clients without a pause`, 0]
  ] as const) {
    // Once for nothing: code is optimized, recordings are kept.
    await times(serving, performance.now() + 2_000, agent, pause)
    for (const name of ['no report', 'a thread that counts', ...Object.keys(views)]) {
      await serving.turns()
      const until = performance.now() + Number(values.seconds) * 1000
      if (name === 'a thread that counts') serving.spin(true)
      const asking = name in views ? keepAsking(serving, name, until, agent) : undefined
      const took = await times(serving, until, agent, pause)
      const made = await asking
      serving.spin(false)
      const turns = await serving.turns()
      if (made !== undefined && name !== firstPage) worst = Math.max(worst, turns[1])
      const cells = [...shares(took, [0.5, 0.99, 1]), ...turns].map((one) =>
        one.toFixed(1)
      )
      const what = made === undefined ? name : `${name}, ${made} times`
      console.log(
        `| ${load}: ${what} | ${took.length} | ${cells.slice(0, 3).join(' | ')} | ${cells.slice(3).join(', ')} |`
      )
    }
  }
  agent.destroy()
  serving.child.kill()
  rmSync(folder, { recursive: true })
  process.exitCode = worst > limit ? 1 : 0
}

if (values.serve === undefined) await measure()
else await serve(values.serve)
