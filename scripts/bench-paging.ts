/**
 * `npm run bench:paging [-- BATCHES]`: answers that nobody recorded, out of a listing of ten times as many items as
 * batches. The first from a cold start, beside its physical limit: reading the files and parsing them by `JSON.parse`;
 * then a walk at another limit, and any limit at any place, beside a bare node:http server. All of it is processor time,
 * of the server alone; each is the median of several rounds. Machines are noisy: read the ratios.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Asked,
  cpuMs,
  load,
  memoryMb,
  type Running,
  start
} from './bench/servers.ts'

const batches = Number(process.argv[2] ?? 10_000)
const perBatch = 10
const items = batches * perBatch
const rounds = 5
const perRound = 4000

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const maker = fileURLToPath(new URL('bench/make-listing.ts', import.meta.url))
const dir = mkdtempSync(path.join(tmpdir(), 'wikitape-bench-'))
// In a process of its own: its leavings would be collected while something is measured.
execFileSync(process.execPath, [
  ...process.execArgv,
  maker,
  dir,
  `${batches}`,
  `${perBatch}`
])

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const reader = fileURLToPath(new URL('bench/read-all.mjs', import.meta.url))
/** In a process of its own, which is as cold as the server. */
const readAll = (): number =>
  Number(execFileSync(process.execPath, [reader, dir], { encoding: 'utf8' }))

const listing = 'action=query&list=allpages&format=json'
const titleAt = (item: number): string => `Page_${String(item % items).padStart(7, '0')}`
const askedAt = (item: number, limit: number): Asked => ({
  method: 'GET',
  query: `${listing}&aplimit=${limit}&apcontinue=${titleAt(item)}&continue=-||`,
  bytes: undefined
})
const walk = (round: number): readonly Asked[] =>
  Array.from({ length: perRound }, (_, at) => askedAt((round * perRound + at) * 7, 7))
const anywhere = (round: number): readonly Asked[] =>
  Array.from({ length: perRound }, (_, at) =>
    askedAt((round * perRound + at) * 7919, 1 + ((round + at) % 499))
  )

/** @throws where an answer is not made of batches */
async function mustBeMade(server: Running, { query }: Asked): Promise<void> {
  const response = await fetch(`${server.url}?${query}`)
  await response.arrayBuffer()
  const status = response.headers.get('x-cassette-status')
  if (status !== 'synthesized') throw new Error(`${query} was ${status}`)
}

const replay = [here('../dist/cli/start.cjs'), 'replay', '--port', '0', '--cassette', dir]

/** Processor milliseconds of a first answer, and the server that gave it. */
async function firstAnswer(): Promise<readonly [number, Running]> {
  const server = await start(replay)
  // What Node itself compiles for a first request is none of it.
  await fetch(`${server.url}?action=query&meta=tokens&format=json`).then((response) =>
    response.text()
  )
  const before = cpuMs(server)
  await mustBeMade(server, {
    method: 'GET',
    query: `${listing}&aplimit=25`,
    bytes: undefined
  })
  return [cpuMs(server) - before, server]
}

const reading: number[] = []
const firsts: number[] = []
for (let round = 1; round < rounds; round += 1) {
  reading.push(readAll())
  const [first, server] = await firstAnswer()
  firsts.push(first)
  server.child.kill()
}
reading.push(readAll())
const [last, own] = await firstAnswer()
firsts.push(last)
const memory = memoryMb(own)

const hello = await start([here('bench/hello.mjs')])
const warm: number[] = []
const any: number[] = []
const bare: number[] = []
await mustBeMade(own, askedAt(7, 7))
await mustBeMade(own, askedAt(7919, 499))
for (let round = 0; round < rounds; round += 1) {
  bare.push(await load(hello, walk(round)))
  warm.push(await load(own, walk(round)))
  any.push(await load(own, anywhere(round)))
}
own.child.kill()
hello.child.kill()
rmSync(dir, { recursive: true, force: true })

const whole = (value: number): string => value.toFixed(0)
const times = (value: number): string => value.toFixed(1)
const [read, first, walked, jumped, said] = [reading, firsts, warm, any, bare].map(
  median
) as [number, number, number, number, number]
console.log(
  `${items} items in ${batches} batches; processor time, medians of ${rounds} rounds; ${whole(memory)} MB after the first answer`
)
console.log('| what | its time | beside it | ratio |\n| --- | --- | --- | --- |')
console.log(
  `| first answer | ${whole(first)} ms | reading and parsing the files: ${whole(read)} ms | ${times(first / read)} |`
)
console.log(
  `| a walk at limit 7, an answer | ${whole(walked)} µs | a server that says hello: ${whole(said)} µs | ${times(walked / said)} |`
)
console.log(
  `| limits 1 to 499, any place, an answer | ${whole(jumped)} µs | the same | ${times(jumped / said)} |`
)
