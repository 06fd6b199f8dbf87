/** `npm run bench:in-process`: what a suite waits for in one process, beside nock with as many mocks of its own. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { madeAnswer, madeIndices, madeQuery, makeCassette } from './bench/cassette.ts'

const rounds = 5
const script = fileURLToPath(new URL('bench/in-process.mjs', import.meta.url))
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

console.log('| what | ratio | from – to | nock and wikitape |\n| --- | --- | --- | --- |')
for (const count of [299, 999]) {
  const dir = mkdtempSync(path.join(tmpdir(), 'wikitape-bench-'))
  const [cassette, answers] = [path.join(dir, 'tape'), path.join(dir, 'answers')]
  makeCassette(cassette, count)
  mkdirSync(answers)
  for (const index of madeIndices(count).slice(1))
    writeFileSync(path.join(answers, /apfrom=([^&]*)/.exec(madeQuery(index))?.[1] ?? ''), madeAnswer(index))
  const ms = (kind: string): number =>
    Number(execFileSync(process.execPath, [script, kind, cassette, answers], { encoding: 'utf8' }))
  const times = Array.from({ length: rounds }, () => [ms('mocks'), ms('testing'), ms('nock')] as const)
  for (const [at, door] of [
    [1, 'wikitape/testing'],
    [2, 'wikitape/nock'],
  ] as const) {
    const ratios = times.map((round) => round[at] / round[0]).sort((a, b) => a - b)
    const [theirs, ours] = [0, at].map((one) => median(times.map((round) => round[one] ?? 0)).toFixed(0))
    console.log(
      `| ${count} answers, ${door} | ${median(ratios).toFixed(2)} | ${ratios[0]?.toFixed(2)} – ${ratios.at(-1)?.toFixed(2)} | ${theirs} and ${ours} ms |`,
    )
  }
  rmSync(dir, { recursive: true })
}
