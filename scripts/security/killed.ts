/**
 * `kill -9` at file operations spread over the whole of each verb: `npx tsx scripts/security/killed.ts [MOMENTS] [VERB…]`
 * (200 moments; the built binary). What was acknowledged must be there afterwards, and no file torn.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RequestKey } from '../../src/recorder/request/request-key.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { queryOf, standIn } from '../measure/stand-in.ts'

const verbs = ['record', 'capture', 'prune', 'refresh', 'normalize'] as const
type VerbKilled = (typeof verbs)[number]

const moments = Number(process.argv[2] ?? 200)
const asked = process.argv.slice(3)
const interactions = 40
const program = fileURLToPath(new URL('../../dist/cli/start.cjs', import.meta.url))
const preload = fileURLToPath(new URL('killed-at.mjs', import.meta.url))
const home = mkdtempSync(path.join(tmpdir(), 'wikitape-killed-'))
const base = path.join(home, 'base')
const dir = path.join(home, 'try', 'tape')
const counted = path.join(home, 'count')
const requests = path.join(home, 'requests.txt')
const usage = path.join(home, 'usage.json')
const queries = Array.from({ length: interactions }, (_, at) => queryOf(at))
const wiki = await standIn()

/** Starts a verb that is killed at an operation; at 0 it is not, and says how many there were. */
function start(args: readonly string[], at: number): ChildProcess {
  const { CI: _, ...env } = process.env
  const kill = {
    WIKITAPE_KILL_IN: dir,
    WIKITAPE_KILL_AT: String(at),
    WIKITAPE_KILL_COUNT: counted
  }
  return spawn(process.execPath, ['--import', preload, program, ...args], {
    env: { ...env, ...kill },
    stdio: ['ignore', 'pipe', 'ignore']
  })
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => child.once('close', () => resolve()))

/** The keys of one file each of the undisturbed cassette, in the order of the questions. */
let keys: readonly RequestKey[] = []
const keyOf = new Map<string, RequestKey>()

/** Runs a verb to its end by kill or by itself. @returns what must be there afterwards */
async function run(verb: VerbKilled, at: number): Promise<readonly RequestKey[]> {
  switch (verb) {
    case 'record':
      return await record(at)
    case 'capture': {
      let answered = 0
      wiki.onAnswer = () => {
        answered += 1
      }
      const child = start(
        ['capture', wiki.api, '--cassette', dir, '--requests', requests],
        at
      )
      child.stdout?.resume()
      await ended(child)
      // One at a time: whatever was asked before the last question was acknowledged.
      const known = child.signalCode === null ? answered : answered - 1
      return queries
        .slice(0, Math.max(0, known))
        .flatMap((query) => keyOf.get(query) ?? [])
    }
    case 'prune':
      await silent(['prune', dir, '--usage', usage, '--yes'], at)
      return keys.slice(0, interactions / 2)
    case 'refresh':
    case 'normalize':
      await silent([verb, dir], at)
      return keys
  }
}

async function silent(args: readonly string[], at: number): Promise<void> {
  const child = start(args, at)
  child.stdout?.resume()
  await ended(child)
}

/** Four clients ask a recorder; what they were told to be recorded must be there. */
async function record(at: number): Promise<readonly RequestKey[]> {
  const child = start(['record', wiki.api, '--cassette', dir, '--port', '0'], at)
  const over = ended(child)
  const api = await Promise.race([listening(child), over])
  if (api === undefined) return []
  const told: RequestKey[] = []
  const left = [...queries]
  const client = async (): Promise<void> => {
    for (let query = left.shift(); query !== undefined; query = left.shift()) {
      const reply = await fetch(`${api}?${query}`)
      const key = keyOf.get(query)
      if (reply.headers.get('x-cassette-status') === 'recorded' && key !== undefined)
        told.push(key)
      await reply.text()
    }
  }
  await Promise.all(Array.from({ length: 4 }, () => client().catch(() => undefined)))
  child.kill('SIGTERM')
  await over
  return told
}

const listening = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const address = /on (http\S+)/.exec(text)?.[1]
      if (address !== undefined) resolve(address)
    })
  })

function prepare(verb: VerbKilled): void {
  rmSync(path.dirname(dir), { recursive: true, force: true })
  mkdirSync(path.dirname(dir))
  if (verb === 'record' || verb === 'capture') return
  cpSync(base, dir, { recursive: true })
  if (verb !== 'normalize') return
  for (const [, file] of CassetteStore.open(dir).paths()) {
    const place = path.join(dir, file)
    writeFileSync(place, JSON.stringify(JSON.parse(readFileSync(place, 'utf8'))))
  }
}

interface Outcome {
  readonly lost: number
  readonly torn: number
  readonly drafts: number
}

function inspect(must: readonly RequestKey[]): Outcome {
  const names = readdirSync(path.dirname(dir), { recursive: true, encoding: 'utf8' })
  const drafts = names.filter((name) => name.endsWith('.tmp')).length
  // Nothing was acknowledged and nothing is there: killed before the first file.
  if (must.length === 0 && !names.some((name) => name.endsWith('cassette.json')))
    return { lost: 0, torn: 0, drafts }
  const store = CassetteStore.open(dir)
  const found = [...store.paths()].map(([key]) => [key, store.get(key).kind] as const)
  const whole = new Set(found.flatMap(([key, kind]) => (kind === 'found' ? [key] : [])))
  return {
    lost: must.filter((key) => !whole.has(key)).length,
    torn: found.filter(([, kind]) => kind !== 'found').length,
    drafts
  }
}

async function count(verb: VerbKilled): Promise<number> {
  prepare(verb)
  rmSync(counted, { force: true })
  await run(verb, 0)
  return Number(readFileSync(counted, 'utf8'))
}

/** The cassette that an undisturbed capture makes, and which key each question has. */
async function begin(): Promise<void> {
  writeFileSync(requests, `${queries.join('\n')}\n`)
  prepare('capture')
  await run('capture', 0)
  cpSync(dir, base, { recursive: true })
  const store = CassetteStore.open(base)
  for (const [key] of store.paths()) {
    const one = store.get(key)
    const from = one.kind === 'found' ? one.interaction.request.get('apfrom') : undefined
    const query = queries.find((each) => new URLSearchParams(each).get('apfrom') === from)
    if (query !== undefined) keyOf.set(query, key)
  }
  keys = [...keyOf.values()]
  const unused = keys.slice(interactions / 2)
  const used = {
    cassette: path.relative(home, dir),
    missed: 0,
    used: interactions / 2,
    unused
  }
  writeFileSync(usage, JSON.stringify({ usage: { exitCode: 0, cassettes: [used] } }))
}

let bad = 0
try {
  await begin()
  if (keys.length !== interactions)
    throw new Error(`${keys.length} of ${interactions} were recorded`)
  for (const verb of verbs.filter((one) => asked.length === 0 || asked.includes(one))) {
    const operations = await count(verb)
    const sum = { acknowledged: 0, lost: 0, torn: 0, drafts: 0 }
    for (let moment = 0; moment < moments; moment += 1) {
      prepare(verb)
      const must = await run(
        verb,
        1 + Math.floor(((moment + 0.5) * operations) / moments)
      )
      const { lost, torn, drafts } = inspect(must)
      sum.acknowledged += must.length
      sum.lost += lost
      sum.torn += torn
      sum.drafts += drafts
    }
    bad += sum.lost + sum.torn
    console.log(
      `${verb}: killed at ${moments} of ${operations} file operations; ${sum.acknowledged} acknowledged, lost ${sum.lost}, torn ${sum.torn}, drafts left ${sum.drafts}`
    )
  }
} finally {
  await wiki.close()
  rmSync(home, { recursive: true, force: true })
}
process.exitCode = bad === 0 ? 0 : 1
