/**
 * `npm run bench [-- 299 999]`: what a test suite waits for, beside bare node:http servers and the recorders that are
 * installed; then processor time a request, and the time to the first answer. `--gate`: exits with 1 where a ratio is far
 * from what it should be. Machines are noisy: all servers are measured in turns, and the ratios are what to read.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type MadeRequest,
  madeAnswer,
  madeIndices,
  madeQuery,
  madeRequest,
  makeCassette
} from './bench/cassette.ts'
import { withPeers } from './bench/peers.ts'
import { type Asked, load, memoryMb, type Running, start, stop } from './bench/servers.ts'

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const hello: readonly string[] = [here('bench/hello.mjs')]
const bare = (kind: 'files' | 'map', dir: string): readonly string[] => [
  here('bench/bare.mjs'),
  kind,
  dir
]
const replay = (dir: string): readonly string[] => [
  ...[here('../dist/cli/start.cjs'), 'replay', '--port', '0', '--cassette', dir]
]

const args = process.argv.slice(2)
const isGate = args.includes('--gate')
const rounds = isGate ? 3 : 5
const connections = 16
const perRound = 10_000

/** Ratios beyond which something is certainly wrong: three times what a busy machine shows. */
const bounds: ReadonlyMap<string, number> = new Map([
  ['299 requests, beside the file server', 5],
  ['one request again and again', 3],
  ['random, each answered before', 4],
  ['start to the first answer', 5]
])

interface Row {
  readonly what: string
  /** One ratio a round. */
  readonly ratios: readonly number[]
  readonly figures: string
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** The same requests in the same order for every server: a fixed stride instead of chance. */
const scattered = (
  all: readonly MadeRequest[],
  count: number,
  from = 0
): readonly Asked[] =>
  Array.from({ length: count }, (_, at) => ({
    method: 'GET',
    ...(all[((from + at) * 7919) % all.length] as MadeRequest)
  }))

/** Measures a pair in turns. */
async function compare(
  what: string,
  unit: string,
  theirs: (round: number) => Promise<number>,
  ours: (round: number) => Promise<number>
): Promise<Row> {
  const pairs: (readonly [number, number])[] = []
  for (let round = 0; round < rounds; round += 1)
    pairs.push([await theirs(round), await ours(round)])
  const [limit, own] = [0, 1].map((at) =>
    median(pairs.map((pair) => pair[at] ?? 0)).toFixed(0)
  )
  return {
    what,
    ratios: pairs.map(([a, b]) => b / Math.max(a, 0.1)),
    figures: `${limit} and ${own} ${unit}`
  }
}

/** Milliseconds from starting the process to the last answer, asked one after another on one connection. */
async function suiteMs(
  args: readonly string[],
  asked: readonly Asked[]
): Promise<number> {
  const began = performance.now()
  const server = await start(args)
  await load(server, asked, 1)
  const ms = performance.now() - began
  server.child.kill('SIGKILL')
  return ms
}

class Recordings {
  readonly #dir = mkdtempSync(path.join(tmpdir(), 'wikitape-bench-'))
  readonly cassette: string = path.join(this.#dir, 'tape')
  /** The same answers, a file each. */
  readonly files: string = path.join(this.#dir, 'files')
  readonly requests: readonly MadeRequest[]

  constructor(count: number) {
    makeCassette(this.cassette, count)
    mkdirSync(this.files)
    for (const index of madeIndices(count))
      writeFileSync(
        path.join(this.files, /apfrom=([^&]*)/.exec(madeQuery(index))?.[1] ?? ''),
        madeAnswer(index)
      )
    // The first is the large one.
    this.requests = madeIndices(count).slice(1).map(madeRequest)
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true })
  }
}

async function suite(count: number): Promise<readonly Row[]> {
  const made = new Recordings(count)
  const asked = made.requests.map((one) => ({ method: 'GET', ...one }) as const)
  const own = (): Promise<number> => suiteMs(replay(made.cassette), asked)
  const rows = [
    await compare(
      `${count} requests, beside the file server`,
      'ms',
      () => suiteMs(bare('files', made.files), asked),
      own
    ),
    await compare(
      `${count} requests, beside the map in memory`,
      'ms',
      () => suiteMs(bare('map', made.files), asked),
      own
    )
  ]
  if (!isGate) rows.push(...(await suiteOfPeers(made)))
  made.remove()
  return rows
}

async function suiteOfPeers(made: Recordings): Promise<readonly Row[]> {
  const rows: Row[] = []
  const asked = made.requests.map(
    ({ query }) => ({ method: 'GET', query, bytes: undefined }) as const
  )
  const wiki = await start(bare('map', made.files))
  await withPeers(wiki, made.requests, async (name, restart) => {
    const what = `${asked.length} requests: ${name}, beside the file server`
    const theirs = (): Promise<number> => suiteMs(bare('files', made.files), asked)
    const peer = async (): Promise<number> => {
      const began = performance.now()
      const server = await restart()
      await load(server, asked, 1)
      const ms = performance.now() - began
      await stop(server)
      return ms
    }
    rows.push(await compare(what, 'ms', theirs, peer))
  })
  wiki.child.kill('SIGKILL')
  return rows
}

/** Processor time of the server a request, beside the map in memory. */
async function hot(count: number): Promise<readonly Row[]> {
  const made = new Recordings(count)
  const [map, own] = await Promise.all([
    start(bare('map', made.files)),
    start(replay(made.cassette))
  ])
  const random = (server: Running, round: number): Promise<number> =>
    load(server, scattered(made.requests, perRound, round), connections)
  const one = (server: Running): Promise<number> =>
    load(server, scattered(made.requests.slice(0, 1), perRound), connections)
  const everything = made.requests.map((each) => ({ method: 'GET', ...each }) as const)
  const first = await load(own, everything, connections)
  await load(map, everything, connections)
  const rows = [
    await compare(
      'random, each answered before',
      'µs',
      (round) => random(map, round),
      (round) => random(own, round)
    ),
    await compare(
      'one request again and again',
      'µs',
      () => one(map),
      () => one(own)
    )
  ]
  console.log(
    `\n${count} recordings, each asked for once: ${first.toFixed(0)} µs a request; ${memoryMb(own).toFixed(0)} MB in the end\n`
  )
  for (const { child } of [map, own]) child.kill('SIGKILL')
  made.remove()
  return rows
}

/** Time to the first answer, beside a hello-world server. */
async function starts(count: number): Promise<readonly Row[]> {
  const made = new Recordings(count)
  const asked = scattered(made.requests, 1)
  const anything = asked.map((one) => ({ ...one, bytes: undefined }))
  const label = isGate ? '' : `, ${count} recordings`
  const row = await compare(
    `start to the first answer${label}`,
    'ms',
    () => suiteMs(hello, anything),
    () => suiteMs(replay(made.cassette), asked)
  )
  made.remove()
  return [row]
}

const counts = args.filter((one) => /^\d+$/.test(one)).map(Number)
const suites = counts.length > 0 ? counts : isGate ? [299] : [299, 999]
const rows: Row[] = []
for (const count of suites) rows.push(...(await suite(count)))
if (counts.length === 0) {
  rows.push(...(await hot(isGate ? 2000 : 10_000)))
  for (const count of isGate ? [1000] : [1000, 100_000])
    rows.push(...(await starts(count)))
}
console.log(
  '| what | ratio | from – to | limit and wikitape |\n| --- | --- | --- | --- |'
)
for (const { what, ratios, figures } of rows) {
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((one) =>
    one.toFixed(2)
  )
  console.log(
    `| ${what} | ${median(ratios).toFixed(2)} | ${least} – ${most} | ${figures} |`
  )
}
const wrong = rows.filter(
  ({ what, ratios }) => median(ratios) > (bounds.get(what) ?? Number.POSITIVE_INFINITY)
)
for (const { what, ratios } of isGate ? wrong : []) {
  console.error(
    `${what}: ${median(ratios).toFixed(2)}, expected at most ${bounds.get(what)}`
  )
  process.exitCode = 1
}
