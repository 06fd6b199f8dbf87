/**
 * `npm run bench:in-process [-- FOLDER]`: what a suite waits for in one process, beside nock with as many mocks of its own,
 * and beside msw with a map where a folder is named in which msw is installed.
 */
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

const [folder] = process.argv.slice(2)
const others = ['mocks', ...(folder === undefined ? [] : ['msw'])]
const kinds = [...others, 'testing', 'nock']

console.log(
  '| what | ratio | from – to | theirs and ours | processor time |\n| --- | --- | --- | --- | --- |',
)
for (const count of [299, 999]) {
  const dir = mkdtempSync(path.join(tmpdir(), 'wikitape-bench-'))
  const cassette = path.join(dir, 'tape')
  const answers = path.join(dir, 'answers')
  makeCassette(cassette, count)
  mkdirSync(answers)
  for (const index of madeIndices(count).slice(1))
    writeFileSync(
      path.join(answers, /apfrom=([^&]*)/.exec(madeQuery(index))?.[1] ?? ''),
      madeAnswer(index),
    )
  const args = [cassette, answers, ...(folder === undefined ? [] : [folder])]
  const measure = (kind: string): readonly number[] =>
    execFileSync(process.execPath, [script, kind, ...args], { encoding: 'utf8' })
      .split(' ')
      .map(Number)
  const times = Array.from(
    { length: rounds },
    () => new Map(kinds.map((kind) => [kind, measure(kind)])),
  )
  const all = (kind: string, at: number): readonly number[] =>
    times.map((round) => round.get(kind)?.[at] ?? 0)
  for (const theirs of others)
    for (const ours of ['testing', 'nock']) {
      const [wall = [], processor = []] = [0, 1].map((at) =>
        all(ours, at)
          .map((time, round) => time / (all(theirs, at)[round] ?? 0))
          .sort((a, b) => a - b),
      )
      const name = theirs === 'mocks' ? 'nock' : theirs
      const texts = [
        `${count} answers, wikitape/${ours} and ${name}`,
        median(wall).toFixed(2),
        `${wall[0]?.toFixed(2)} – ${wall.at(-1)?.toFixed(2)}`,
        `${median(all(theirs, 0)).toFixed(0)} and ${median(all(ours, 0)).toFixed(0)} ms`,
        median(processor).toFixed(2),
      ]
      console.log(`| ${texts.join(' | ')} |`)
    }
  rmSync(dir, { recursive: true })
}
