/** `npm run fuzz -- --minutes N`: hostile inputs for every reader, guided by the code that they reach; exit code 1 at a crash or a hang. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { Task, Told } from './fuzz/loop.ts'
import { lateReaders, readers } from './fuzz/readers.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    inputs: { type: 'string', default: '1000000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) }
  }
})
const names = [...readers.keys(), ...lateReaders.keys(), 'raw HTTP']
/** Seconds on one input after which it counts as a hang. */
const hangSeconds = 20
const found = '.fuzz'

const place = new SharedArrayBuffer(8)
const at = new Int32Array(place)
const task: Task = {
  seed: Number(values.seed),
  until: Date.now() + Number(values.minutes) * 60_000,
  most: Number(values.inputs),
  place
}
process.stdout.write(`fuzz: seed ${task.seed}, ${values.minutes} minutes\n`)
// A thread does not get tsx by itself.
const worker = new Worker(
  "import('tsx/esm/api').then(({ register }) => (register(), import(require('node:worker_threads').workerData.entry)))",
  {
    eval: true,
    workerData: { ...task, entry: new URL('./fuzz/loop.ts', import.meta.url).href }
  }
)

let last: Extract<Told, { kind: 'round' }> = {
  kind: 'round',
  inputs: 0,
  corpus: 0,
  blocks: 0,
  tries: []
}
let crashes = 0
const kinds = new Set<string>()
worker.on('message', (told: Told) => {
  if (told.kind === 'round') {
    last = told
    return
  }
  crashes += 1
  const kind = `${told.reader}: ${told.why.split('\n').slice(0, 2).join(' ')}`
  if (kinds.has(kind)) return
  kinds.add(kind)
  mkdirSync(found, { recursive: true })
  const file = `${found}/crash-${kinds.size}.json`
  writeFileSync(
    file,
    JSON.stringify({ reader: told.reader, input: told.input, why: told.why }, null, 2)
  )
  process.stdout.write(`crash in ${kind} (${file})\n`)
})

let stalled = 0
let before = -1
const watch = setInterval(() => {
  stalled = at[1] === before ? stalled + 1 : 0
  before = at[1] ?? 0
  if (stalled >= hangSeconds) finish(1)
}, 1000)

worker.once('error', (error) => {
  process.stdout.write(`the fuzzer itself failed: ${error.stack ?? error.message}\n`)
  process.exit(2)
})
worker.once('exit', () => finish(0))

function finish(hangs: number): void {
  clearInterval(watch)
  const where =
    hangs > 0 ? ` (in ${names[at[0] ?? 0]}, input ${at[1]} of seed ${task.seed})` : ''
  process.stdout.write(
    `${last.inputs} inputs, ${last.corpus} kept, ${last.blocks} blocks of code reached, crashes ${crashes}, hangs ${hangs}${where}\n` +
      `${names.map((name, which) => `${name} ${last.tries[which] ?? 0}`).join(', ')}\n`
  )
  process.exit(crashes + hangs > 0 ? 1 : 0)
}
