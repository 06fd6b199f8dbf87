/**
 * `npm run bench:paging [-- BATCHES]`: answers that nobody recorded, out of a listing of ten times as many items as
 * batches: the first from a cold start, later ones at other limits and places, and the physical limit of the first: reading the files.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { startReplay } from '../src/index.ts'
import { listPaths } from '../src/store/cassette-store.ts'

const batches = Number(process.argv[2] ?? 10_000)
const perBatch = 10
const later = 200
const maker = fileURLToPath(new URL('bench/make-listing.ts', import.meta.url))
const dir = mkdtempSync(path.join(tmpdir(), 'wikitape-bench-'))
// In a process of its own: its leavings would be collected while the first answer is timed.
execFileSync(process.execPath, [...process.execArgv, maker, dir, `${batches}`, `${perBatch}`])

const timed = async (work: () => Promise<unknown> | unknown): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const reading = await timed(() => {
  for (const file of listPaths(dir)) readFileSync(path.join(dir, file))
})
const serving = await startReplay({ cassette: dir })
const agent = new http.Agent({ keepAlive: true })
// Not fetch: loading it would count as part of the first answer.
const ask = (query: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const url = `${serving.apiUrl}?action=query&list=allpages&format=json&${query}`
    const request = http.get(url, { agent }, (response) => {
      text(response).then((body) => {
        if (response.headers['x-cassette-status'] === 'synthesized') resolve()
        else reject(new Error(`not synthesized: ${body.slice(0, 300)}`))
      }, reject)
    })
    request.once('error', reject)
  })
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
agent.destroy()
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
