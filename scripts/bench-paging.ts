/**
 * `npm run bench:paging [-- BATCHES]`: answers that nobody recorded, out of a listing of ten times as many items as
 * batches: the first from a cold start, later ones at other limits and places, and the physical limit of the first: reading the files.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startReplay } from '../src/index.ts'
import { listPaths } from '../src/store/cassette-store.ts'
import { makeListing } from './bench/listing.ts'

const batches = Number(process.argv[2] ?? 10_000)
const perBatch = 10
const later = 200
const dir = mkdtempSync(path.join(tmpdir(), 'wikitape-bench-'))
makeListing(dir, batches, perBatch)

const timed = async (work: () => Promise<unknown> | unknown): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const reading = await timed(() => {
  for (const file of listPaths(dir)) readFileSync(path.join(dir, file))
})
const serving = await startReplay({ cassette: dir })
const ask = async (query: string): Promise<void> => {
  const response = await fetch(`${serving.apiUrl}?action=query&list=allpages&format=json&${query}`)
  const body = await response.text()
  if (response.headers.get('x-cassette-status') !== 'synthesized')
    throw new Error(`not synthesized: ${body.slice(0, 300)}`)
}
const before = process.cpuUsage()
const first = await timed(() => ask('aplimit=25'))
const spent = process.cpuUsage(before)
// Of this process, the client and the collector's threads included: steadier than time on a busy machine.
const cpu = (spent.user + spent.system) / 1000
const times: number[] = []
for (let at = 0; at < later; at += 1) {
  const title = `Page_${String((at * 7919) % (batches * perBatch)).padStart(7, '0')}`
  times.push(await timed(() => ask(`aplimit=${1 + (at % 499)}&apcontinue=${title}`)))
}
await serving.close()
rmSync(dir, { recursive: true, force: true })
times.sort((a, b) => a - b)
const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1)
console.log(
  '| items | batches | reading the files, ms | first answer, ms | its CPU, ms | ratio | later, median ms | later, 99 % ms | memory, MB |',
)
console.log('|---|---|---|---|---|---|---|---|---|')
console.log(
  `| ${batches * perBatch} | ${batches} | ${reading.toFixed(0)} | ${first.toFixed(0)} | ${cpu.toFixed(0)} | ${(first / reading).toFixed(1)} | ${at(0.5)} | ${at(0.99)} | ${(process.memoryUsage().rss / 1e6).toFixed(0)} |`,
)
