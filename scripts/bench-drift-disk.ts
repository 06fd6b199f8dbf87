/**
 * `wikitape diff` of two cassettes of 10,000 interactions on disk: `npm run build && npx tsx scripts/bench-drift-disk.ts`.
 * Each of B's answers has one field more and another length; every hundredth also lost a page.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Interaction } from '../src/cassette/interaction.ts'
import { readJson } from '../src/json/read-json.ts'
import { requestKey } from '../src/request/request-key.ts'
import { CassetteStore } from '../src/store/cassette-store.ts'

const count = 10_000
const program = fileURLToPath(new URL('../dist/cli/start.cjs', import.meta.url))

function bodyOf(at: number, isB: boolean): string {
  const pages = Array.from({ length: isB && at % 100 === 0 ? 9 : 10 }, (_, page) => ({
    pageid: at * 10 + page + 1,
    ns: 0,
    title: `Статья ${at} ${page}`,
    contentmodel: 'wikitext',
    touched: '2026-01-01T00:00:00Z',
    lastrevid: at * 10 + page,
    length: 1_000 + page + (isB ? 1 : 0),
    ...(isB ? { fresh: true } : {}),
  }))
  return JSON.stringify({ batchcomplete: true, query: { pages } })
}

function interactionOf(at: number, isB: boolean): Interaction {
  const reading = readJson(bodyOf(at, isB))
  if (!reading.ok) throw new Error(reading.fault.message)
  const titles = Array.from({ length: 10 }, (_, page) => `Статья ${at} ${page}`).join('|')
  const request = new Map([
    ['action', 'query'],
    ['formatversion', '2'],
    ['prop', 'info'],
    ['titles', titles],
  ])
  const body = { kind: 'json', tree: reading.tree, spelling: 'utf8' } as const
  return {
    key: requestKey(request),
    request,
    sentValues: new Map(),
    responses: [{ status: 200, headers: new Map(), cookies: [], body }],
  }
}

function write(dir: string, isB: boolean): void {
  const store = CassetteStore.openOrCreate(dir, 'http://127.0.0.1/w/api.php')
  for (let at = 0; at < count; at += 1) store.put(interactionOf(at, isB))
}

/** Seconds, on the clock and of the processor, and megabytes of the binary, told by `time`. */
function measure(args: readonly string[]): Promise<string> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    execFile(
      '/usr/bin/env',
      [
        'bash',
        '-c',
        'command time -f "%M %U %S" "$0" "$@" > /dev/null',
        process.execPath,
        program,
        ...args,
      ],
      (error, _, stderr) => {
        const code = error === null ? 0 : error.code
        const told = stderr.trim().split('\n').at(-1) ?? ''
        const [kilobytes = 0, user = 0, system = 0] = told.split(' ').map(Number)
        if (code !== 0 && code !== 1) reject(new Error(stderr))
        else
          resolve(
            `${((performance.now() - start) / 1000).toFixed(1)} s (processor ${(user + system).toFixed(1)} s), ${(kilobytes / 1024).toFixed(0)} MB, exit code ${code}`,
          )
      },
    )
  })
}

const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-bench-'))
try {
  const [a, b, html] = ['a', 'b', 'drift.html'].map((name) => path.join(folder, name))
  if (a === undefined || b === undefined || html === undefined) throw new Error('no folder')
  write(a, false)
  write(b, true)
  console.log(`diff of 10,000 interactions with 10,000: ${await measure(['diff', a, b])}`)
  console.log(
    `the same as HTML: ${await measure(['diff', a, b, '--format', 'html', '--output', html])}`,
  )
  console.log(`size of that: ${(statSync(html).size / 1000).toFixed(0)} KB`)
  console.log(`a cassette with itself: ${await measure(['diff', a, a])}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
