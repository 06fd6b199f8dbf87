/**
 * `npm run bench:workers [-- 2 4]`: `replay --workers N` beside one process, in one run. Where each process has a
 * processor of its own and none waits for work, so many times as many requests are answered: N by what one needs a request,
 * divided by what all need together. Read that: requests a second are those of this machine, where others run as well.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { madeIndices, madeRequest, makeCassette } from './bench/cassette.ts'
import { type Asked, load, type Running, start } from './bench/servers.ts'

const program = fileURLToPath(new URL('../dist/cli/start.cjs', import.meta.url))
const interactions = 2000
const perRound = 10_000
const rounds = 5

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

/** Processor ms of a process, all its threads. Source: Linux, sched-stats, the first field of `schedstat` in ns. */
function cpuMsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const used = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
  )
  return used.reduce((sum, one) => sum + one, 0) / 1e6
}

async function costOf(server: Running, requests: readonly Asked[]): Promise<Cost> {
  const cpuMs = (): number => processesOf(server).reduce((sum, pid) => sum + cpuMsOf(pid), 0)
  const [before, began] = [cpuMs(), performance.now()]
  await load(server, requests)
  const took = performance.now() - began
  // What was answered is told a little later, which costs as well.
  await new Promise((resolve) => setTimeout(resolve, 300))
  return { all: ((cpuMs() - before) * 1000) / requests.length, perSecond: (requests.length * 1000) / took }
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
    `\n| ${count} processes | as many times one | from – to | µs of one, of all together | here, at once |`,
  )
  console.log('|---|---|---|---|---|')
  for (const [what, asked] of kinds) {
    // Each process gets to know by itself what it is asked: here it shall know all.
    if (what.includes('before'))
      for (let pass = 0; pass < 2; pass += 1)
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
  for (const { child } of [alone, together]) child.kill('SIGKILL')
}
rmSync(dir, { recursive: true, force: true })
