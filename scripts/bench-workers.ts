/**
 * `npm run bench:workers [-- 2 4]`: `replay --workers N` beside one process, in one run. Read what the busiest process
 * needs a request: where each has a processor of its own, and whoever asks has another, that is what bounds them all.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { madeIndices, madeRequest, makeCassette } from './bench/cassette.ts'
import { type Asked, cpuMs, load, type Running, start } from './bench/servers.ts'

const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const interactions = 10_000
const perRound = 10_000
const rounds = 5

/** The process that leads, and those that it has begun. */
function processesOf({ child }: Running): readonly number[] {
  const { pid = 0 } = child
  const begun = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return [pid, ...begun.split(' ').filter(Boolean).map(Number)]
}

interface Cost {
  /** Processor µs a request of the busiest process, and of all together. */
  readonly busiest: number
  readonly all: number
  /** Requests a second, as far as this machine lets them. */
  readonly perSecond: number
}

async function costOf(server: Running, requests: readonly Asked[]): Promise<Cost> {
  const pids = processesOf(server)
  const before = pids.map((pid) => cpuMs({ child: { pid } }))
  const began = performance.now()
  await load(server, requests)
  const took = performance.now() - began
  const used = pids.map(
    (pid, at) => ((cpuMs({ child: { pid } }) - (before[at] ?? 0)) * 1000) / requests.length,
  )
  return {
    busiest: Math.max(...used),
    all: used.reduce((sum, one) => sum + one, 0),
    perSecond: (requests.length * 1000) / took,
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** The same requests in the same order for everybody: a fixed stride instead of chance. */
const scattered = (all: readonly Asked[], count: number, from: number): readonly Asked[] =>
  Array.from({ length: count }, (_, at) => all[((from + at) * 7919) % all.length] as Asked)

const dir = mkdtempSync(path.join(tmpdir(), 'wikitape-bench-'))
makeCassette(dir, interactions)
const [, ...made] = madeIndices(interactions).map(madeRequest)
const requests = made.map((one): Asked => ({ method: 'GET', ...one }))
const serve = (workers: number): Promise<Running> =>
  start([program, 'replay', '--port', '0', '--cassette', dir, '--workers', String(workers)])

const fifth = Math.ceil(requests.length / rounds)
const kinds: readonly (readonly [string, (round: number) => readonly Asked[]])[] = [
  ['random, each for the first time', (round) => scattered(requests, fifth, round * fifth)],
  ['random, each answered before', (round) => scattered(requests, perRound, round)],
  ['one request, again and again', () => scattered(requests.slice(0, 1), perRound, 0)],
]

const counts = process.argv.slice(2).map(Number)
for (const count of counts.length > 0 ? counts : [2]) {
  const [alone, together] = [await serve(1), await serve(count)]
  console.log(
    `\n| ${count} processes | as many times one | µs of one | of the busiest | of all | requests a second |`,
  )
  console.log('|---|---|---|---|---|---|')
  for (const [what, asked] of kinds) {
    // Each process gets to know by itself what it was asked: here it shall know all.
    if (what.includes('before'))
      for (let pass = 0; pass < 7; pass += 1)
        for (const server of [alone, together]) await load(server, scattered(requests, perRound, pass))
    const pairs: (readonly [Cost, Cost])[] = []
    for (let round = 0; round < rounds; round += 1)
      pairs.push([await costOf(alone, asked(round)), await costOf(together, asked(round))])
    const figure = (of: (pair: readonly [Cost, Cost]) => number): string => median(pairs.map(of)).toFixed(2)
    const times = figure(([one, many]) => one.busiest / many.busiest)
    const [one, busiest, all] = [
      figure(([a]) => a.busiest),
      figure(([, b]) => b.busiest),
      figure(([, b]) => b.all),
    ]
    const speed = figure(([a, b]) => b.perSecond / a.perSecond)
    console.log(`| ${what} | ${times} | ${one} | ${busiest} | ${all} | ${speed} × |`)
  }
  for (const { child } of [alone, together]) child.kill('SIGKILL')
}
rmSync(dir, { recursive: true, force: true })
