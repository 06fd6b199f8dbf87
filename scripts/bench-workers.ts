/**
 * `npm run bench:workers [-- 2 4]`: `replay --workers N` beside one process, in one run. Where each process has a
 * processor of its own and none waits for work, so many times as many requests are answered: N by what one needs a request,
 * divided by what all need together. Read that: requests a second are those of this machine, where others run as well.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { madeIndices, madeRequest, makeCassette } from './bench/cassette.ts'
import { type Asked, cpuMsOf, load, type Running, start, stop } from './bench/servers.ts'

const program = fileURLToPath(new URL('../dist/cli/start.cjs', import.meta.url))
const interactions = 10_000
const perRound = 10_000
const rounds = 5
/** After so many each process has been asked nearly everything. */
const mostPasses = 6

/** The process that leads, and those that it has begun. */
function processesOf({ child }: Running): readonly number[] {
  const { pid = 0 } = child
  const begun = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return [pid, ...begun.split(' ').filter(Boolean).map(Number)]
}

interface Cost {
  /** Processor µs a request, of all processes. */
  readonly all: number
  readonly perSecond: number
}

async function costOf(server: Running, requests: readonly Asked[]): Promise<Cost> {
  const cpuMs = (): number => processesOf(server).reduce((sum, pid) => sum + cpuMsOf(pid), 0)
  const [before, began] = [cpuMs(), performance.now()]
  await load(server, requests)
  const took = performance.now() - began
  // What was answered is told a little later, which costs as well.
  await setTimeout(300)
  return { all: ((cpuMs() - before) * 1000) / requests.length, perSecond: (requests.length * 1000) / took }
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** The same requests in the same order for everybody: a fixed stride instead of chance. */
const scattered = (all: readonly Asked[], count: number, from: number): readonly Asked[] =>
  Array.from({ length: count }, (_, at) => all[((from + at) * 7919) % all.length] as Asked)

const home = mkdtempSync(path.join(tmpdir(), 'wikitape-bench-'))
const [dir, cache] = ['tape', 'cache'].map((name) => path.join(home, name)) as [string, string]
makeCassette(dir, interactions)
// Of what was written within two seconds nothing is kept for later runs.
await setTimeout(2500)
const [, ...made] = madeIndices(interactions).map(madeRequest)
const requests = made.map((one): Asked => ({ method: 'GET', ...one }))
const serve = (workers: number, kept?: string): Promise<Running> =>
  start([program, 'replay', '--port', '0', '--cassette', dir, '--workers', String(workers)], kept)

interface Kind {
  readonly what: string
  readonly asked: (round: number) => readonly Asked[]
}

const fifth = Math.ceil(requests.length / rounds)
const firstTime = (round: number): readonly Asked[] => scattered(requests, fifth, round * fifth)
const ofThisRun: readonly Kind[] = [
  { what: 'random, each for the first time', asked: firstTime },
  { what: 'random, each answered before', asked: (round) => scattered(requests, perRound, round) },
  { what: 'one request, again and again', asked: () => scattered(requests.slice(0, 1), perRound, 0) },
]
const ofLaterRun: readonly Kind[] = [
  { what: 'random, each for the first time in a later run', asked: firstTime },
]

async function compare(
  alone: Running,
  together: Running,
  count: number,
  { what, asked }: Kind,
): Promise<void> {
  // Each process gets to know by itself what it is asked: here it shall know all.
  if (what.includes('before'))
    for (let pass = 0; pass < mostPasses; pass += 1)
      for (const server of [alone, together]) await load(server, scattered(requests, perRound, pass))
  const pairs: (readonly [Cost, Cost])[] = []
  for (let round = 0; round < rounds; round += 1)
    pairs.push([await costOf(alone, asked(round)), await costOf(together, asked(round))])
  const times = pairs.map(([one, many]) => (count * one.all) / many.all)
  const range = [Math.min(...times), Math.max(...times)].map((one) => one.toFixed(2)).join(' – ')
  const [one, all] = [median(pairs.map(([a]) => a.all)), median(pairs.map(([, b]) => b.all))]
  const here = median(pairs.map(([a, b]) => b.perSecond / a.perSecond))
  console.log(
    `| ${what} | ${median(times).toFixed(2)} | ${range} | ${one.toFixed(1)}, ${all.toFixed(1)} | ${here.toFixed(2)} |`,
  )
}

/** @param kept where ready answers lie from run to run; nowhere unless given */
async function compareRuns(count: number, kinds: readonly Kind[], kept?: string): Promise<void> {
  const [alone, together] = [await serve(1, kept), await serve(count, kept)]
  for (const kind of kinds) await compare(alone, together, count, kind)
  for (const { child } of [alone, together]) child.kill('SIGKILL')
}

const before = await serve(1, cache)
await load(before, requests)
await stop(before)
const counts = process.argv.slice(2).map(Number)
for (const count of counts.length > 0 ? counts : [2]) {
  console.log(
    `\n| ${count} processes | as many times one | from – to | µs of one, of all together | here, at once |`,
  )
  console.log('|---|---|---|---|---|')
  await compareRuns(count, ofThisRun)
  await compareRuns(count, ofLaterRun, cache)
}
rmSync(home, { recursive: true, force: true })
