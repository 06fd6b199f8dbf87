/**
 * `npm run bench:replay [-- 1000 10000]`: replay beside the physical limit, a bare node:http server with ready buffers in
 * a Map, in one run. `--gate`: exits with 1 where a ratio is far from what it should be. Machines are noisy: read the ratios.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type MadeRequest, madeIndices, madeRequest, makeCassette } from './bench/cassette.ts'
import { withPeers } from './bench/peers.ts'
import { type Asked, load, memoryMb, type Running, start, stop } from './bench/servers.ts'

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const hello = [here('bench/hello.mjs')]
const rawMap = (count: number): readonly string[] => [
  '--import',
  'tsx',
  here('bench/raw-map.ts'),
  String(count),
]
const replay = (dir: string): readonly string[] => [
  ...[here('../dist/cli/start.cjs'), 'replay', '--port', '0', '--cassette', dir],
]

const args = process.argv.slice(2)
const isGate = args.includes('--gate')
const rounds = 5
const perRound = 10_000
/** Requests a round of other programs, and interactions up to which they are measured: some take a millisecond each. */
const forPeers = 2000
const mostForPeers = 1000

/** What is measured, and beyond which ratio something is certainly wrong: three times what a busy machine shows. */
const bounds: ReadonlyMap<string, number> = new Map([
  ['one request, again and again', 2.5],
  ['random, each answered before', 3],
  ['random, each for the first time', 150],
  ['start to the first answer', 4],
])

interface Row {
  readonly what: string
  /** One ratio a round. */
  readonly ratios: readonly number[]
  readonly figures: string
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

const asGets = (requests: readonly MadeRequest[]): readonly Asked[] =>
  requests.map((one) => ({ method: 'GET', ...one }))

/** The same requests in the same order for everybody: a fixed stride instead of chance. */
const scattered = <T>(all: readonly T[], count: number, from = 0): readonly T[] =>
  Array.from({ length: count }, (_, at) => all[((from + at) * 7919) % all.length] as T)

/** The same parameters in another order. */
const turned = ({ query, bytes }: MadeRequest): MadeRequest => ({
  query: query.split('&').reverse().join('&'),
  bytes,
})

class Comparison {
  readonly rows: Row[] = []
  readonly #raw: Running
  readonly #own: Running

  constructor(raw: Running, own: Running) {
    this.#raw = raw
    this.#own = own
  }

  /** @param bare what the bare server is asked; the same unless given */
  async measure(
    what: string,
    own: (round: number) => readonly Asked[],
    bare: (round: number) => readonly Asked[] = own,
  ): Promise<void> {
    const pairs: (readonly [number, number])[] = []
    for (let round = 0; round < rounds; round += 1)
      pairs.push([await load(this.#raw, bare(round)), await load(this.#own, own(round))])
    const [theirs, ours] = [0, 1].map((at) => median(pairs.map((pair) => pair[at] ?? 0)))
    const figures = `${theirs?.toFixed(0)} and ${ours?.toFixed(0)} µs`
    this.rows.push({ what, ratios: pairs.map(([a, b]) => b / Math.max(a, 0.1)), figures })
  }
}

/** Milliseconds until the first answer has come. */
async function startMs(args: readonly string[], asked: Asked, cache?: string): Promise<number> {
  const began = performance.now()
  const server = await start(args, cache)
  await load(server, [asked], 1)
  const ms = performance.now() - began
  server.child.kill('SIGKILL')
  return ms
}

async function compareStart(what: string, dir: string, asked: Asked, cache?: string): Promise<Row> {
  const pairs: (readonly [number, number])[] = []
  for (let round = 0; round < rounds; round += 1)
    pairs.push([
      await startMs(hello, { ...asked, bytes: undefined }),
      await startMs(replay(dir), asked, cache),
    ])
  const [bare, ours] = [0, 1].map((at) => median(pairs.map((pair) => pair[at] ?? 0)))
  return {
    what,
    ratios: pairs.map(([a, b]) => b / a),
    figures: `${bare?.toFixed(0)} (hello) and ${ours?.toFixed(0)} ms`,
  }
}

/** What V8 makes of the command line lies in a cache then, and no answers: those are believed of a run that has ended. */
async function compileOnce(args: readonly string[], asked: Asked, cache: string): Promise<void> {
  const server = await start(args, cache)
  await load(server, [asked], 1)
  await setTimeout(1500)
  server.child.kill('SIGKILL')
}

/** A server that was asked once, and has had time to make the others ready: at most a minute. */
async function startIdle(args: readonly string[], asked: Asked, cache: string): Promise<Running> {
  const server = await start(args, cache)
  await load(server, [asked], 1)
  for (let [waited, before] = [0, -1]; waited < 60 && bytesIn(cache) > before; waited += 1) {
    before = bytesIn(cache)
    await setTimeout(1000)
  }
  return server
}

const bytesIn = (folder: string): number =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .map((one) => statSync(path.join(one.parentPath, one.name)).size)
        .reduce((sum, size) => sum + size, 0)
    : 0

/** The same of other programs. */
async function comparePeers(raw: Running, requests: readonly MadeRequest[]): Promise<readonly Row[]> {
  const rows: Row[] = []
  const [first] = requests
  if (first === undefined) return rows
  await withPeers(raw, requests, async (name, peer) => {
    const all = new Comparison(raw, peer)
    const ofAnyLength = (some: readonly MadeRequest[]): readonly Asked[] =>
      asGets(some).map((one) => ({ ...one, bytes: undefined }))
    const hot = ofAnyLength(scattered([first], forPeers))
    await all.measure(`${name}: one request, again and again`, () => hot)
    await all.measure(`${name}: random`, (round) => ofAnyLength(scattered(requests, forPeers, round)))
    rows.push(...all.rows)
  })
  return rows
}

async function compare(count: number): Promise<readonly Row[]> {
  const dir = mkdtempSync(path.join(tmpdir(), 'wikitape-bench-'))
  const [cassette, cache] = ['tape', 'cache'].map((name) => path.join(dir, name)) as [string, string]
  makeCassette(cassette, count)
  // Of what was written within two seconds nothing is kept for later runs.
  await setTimeout(2500)
  const [large, ...requests] = madeIndices(count).map(madeRequest)
  const [first] = requests
  if (large === undefined || first === undefined) throw new Error('expected a number of interactions')
  const asked = { method: 'GET', ...first } as const
  const unknown = await compareStart('start to the first answer, the first call ever', cassette, asked)
  const compiled = path.join(dir, 'compiled')
  await compileOnce(replay(cassette), asked, compiled)
  const atStart = await compareStart('start to the first answer', cassette, asked, compiled)
  const [bare, raw, own] = await Promise.all([
    start(hello),
    start(rawMap(count)),
    start(replay(cassette), cache),
  ])
  const all = new Comparison(raw, own)
  const fifth = Math.ceil(count / rounds)
  // Neither is measured while its code is being compiled.
  await load(raw, asGets(scattered(requests, 3000)))
  const part = (round: number): readonly MadeRequest[] => scattered(requests, fifth, round * fifth)
  const any = (round: number): readonly Asked[] => asGets(scattered(requests, perRound, round))
  await all.measure('random, each for the first time', (round) => asGets(part(round)), any)
  await all.measure('random, each answered before', any)
  await all.measure('one request, again and again', () => asGets(scattered([first], perRound)))
  await all.measure('an answer of 2 MB', () => asGets(scattered([large], 400)))
  await all.measure('parameters in another order', (round) => asGets(part(round).map(turned)), any)
  await all.measure('as a POST', (round) => part(round).map((one) => ({ method: 'POST', ...one })), any)
  if (isGate) {
    for (const { child } of [bare, raw, own]) child.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true })
    return [unknown, atStart, ...all.rows]
  }
  const besides = count > mostForPeers ? [] : await comparePeers(raw, requests)
  const over = memoryMb(own) - memoryMb(bare)
  await stop(own)
  const again = await compareStart('started again: to the first answer', cassette, asked, cache)
  const second = await start(replay(cassette), cache)
  const later = new Comparison(raw, second)
  await later.measure('started again: random, each for the first time', (round) => asGets(part(round)), any)
  await later.measure('started again: random, each answered before', any)
  const overLater = memoryMb(second) - memoryMb(bare)
  const third = await startIdle(replay(cassette), asked, path.join(dir, 'ahead'))
  const ahead = new Comparison(raw, third)
  await ahead.measure(
    'a while after one was asked: random, each for the first time',
    (round) => asGets(part(round)),
    any,
  )
  for (const { child } of [bare, raw, second, third]) child.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
  console.log(
    `\n${count} interactions; ${over.toFixed(0)} MB over a bare Node at the end, ${overLater.toFixed(0)} MB started again\n`,
  )
  return [unknown, atStart, ...all.rows, again, ...later.rows, ...ahead.rows, ...besides]
}

const counts = args.filter((one) => one !== '--gate').map(Number)
const wrong: string[] = []
for (const count of counts.length > 0 ? counts : [1000, 10_000]) {
  const rows = await compare(count)
  console.log('| what | ratio | from – to | bare server and replay |\n|---|---|---|---|')
  for (const { what, ratios, figures } of rows) {
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((one) => one.toFixed(2))
    console.log(`| ${what} | ${median(ratios).toFixed(2)} | ${least} – ${most} | ${figures} |`)
    if (median(ratios) > (bounds.get(what) ?? Number.POSITIVE_INFINITY))
      wrong.push(`${what}: ${median(ratios).toFixed(2)}, expected at most ${bounds.get(what)}`)
  }
}
if (isGate) {
  for (const line of wrong) console.error(line)
  process.exitCode = wrong.length > 0 ? 1 : 0
}
