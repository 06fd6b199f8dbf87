/** What a verb does to a cassette while the disk refuses: which acknowledged recordings are lost, which files are torn. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { CommandContext } from '../../src/cli/args/command.ts'
import { runProgram } from '../../src/cli/program.ts'
import { startRecording } from '../../src/integrations/program/start.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { StoreError } from '../../src/recorder/store/store-error.ts'
import { systemErrorCode } from '../../src/recorder/text/error-text.ts'
import { onFailingDisk, type Refusal } from './failing-disk.ts'

export const verbsTried = [
  'record',
  'record again',
  'capture',
  'refresh',
  'prune',
  'normalize'
] as const
export type VerbTried = (typeof verbsTried)[number]

export interface Outcome {
  readonly runs: number
  /** Recordings that had to be there, of all runs. */
  readonly told: number
  /** Each with the refusal that led to it. */
  readonly lost: readonly string[]
  readonly torn: readonly string[]
}

const queries = [1, 2, 3].map(
  (one) => `action=query&list=allpages&apfrom=P${one}&format=json`
)

/** Answered with the query twenty times over: its recording has a body beside it. */
const long = `wiki/Long?${'-.'.repeat(30_000)}`

/**
 * Records into a cassette, all answers anew where it holds some.
 * @returns the keys of what clients were told to be recorded
 */
async function record(dir: string, api: string): Promise<readonly string[]> {
  const told: string[] = []
  try {
    const server = await startRecording({
      apiUrl: api,
      cassette: dir,
      mode: 'all',
      allowLive: true
    })
    const { apiUrl } = server
    try {
      for (const target of [
        ...queries.map((query) => `${apiUrl}?${query}`),
        new URL(`/${long}`, apiUrl)
      ]) {
        const reply = await fetch(target)
        await reply.arrayBuffer()
        const key = reply.headers.get('x-cassette-key')
        if (reply.headers.get('x-cassette-status') === 'recorded' && key !== null)
          told.push(key)
      }
    } finally {
      await server.close()
    }
  } catch (error) {
    // What could not be opened or forced to the disk is told, as the command line would.
    if (systemErrorCode(error) === '' && !(error instanceof StoreError)) throw error
  }
  return told
}

async function call(args: readonly string[]): Promise<number> {
  const shell: CommandContext = {
    stdout: () => undefined,
    stderr: () => undefined,
    env: {},
    isTerminal: false,
    useColor: false,
    isInteractive: false,
    now: Date.now,
    stdin: () => Promise.resolve(''),
    stopSignal: () => new Promise(() => undefined),
    spawn: () => {
      throw new Error('nothing is spawned here')
    }
  }
  return runProgram(args, shell)
}

/**
 * Refuses the operations of a verb in turn.
 * @param api a wiki that answers, @param folder an empty one, @param stride 1 for every operation, 7 for each seventh
 */
export async function tryRefusals(
  verb: VerbTried,
  code: Refusal['code'],
  api: string,
  folder: string,
  stride = 1
): Promise<Outcome> {
  const base = path.join(folder, 'base')
  const requests = path.join(folder, 'requests.txt')
  writeFileSync(requests, `${queries.join('\n')}\n`)
  const capture = (dir: string): readonly string[] => [
    'capture',
    api,
    '--cassette',
    dir,
    '--requests',
    requests
  ]
  rmSync(base, { recursive: true, force: true })
  await call(capture(base))
  if (verb === 'record again') await record(base, api)
  const keys = [...CassetteStore.open(base).paths()].map(([key]) => key)
  const outcome = { runs: 0, told: 0, lost: [] as string[], torn: [] as string[] }
  for (let at = 1; ; at += stride) {
    const home = path.join(folder, 'try')
    const dir = path.join(home, 'base')
    rmSync(home, { recursive: true, force: true })
    mkdirSync(home)
    if (verb !== 'capture' && verb !== 'record') cpSync(base, dir, { recursive: true })
    if (verb === 'normalize') spellOtherwise(dir)
    const usage = path.join(folder, 'usage.json')
    const used = {
      cassette: path.relative(folder, dir),
      missed: 0,
      used: 2,
      unused: keys.slice(2)
    }
    writeFileSync(usage, JSON.stringify({ usage: { exitCode: 0, cassettes: [used] } }))
    /** What must be there afterwards. */
    const run = async (): Promise<readonly string[]> => {
      switch (verb) {
        case 'record':
          return record(dir, api)
        case 'record again':
          return [...keys, ...(await record(dir, api))]
        case 'capture':
          return (await call(capture(dir))) === 0 ? keys : []
        case 'refresh':
        case 'normalize':
          await call([verb, dir])
          return keys
        case 'prune':
          await call(['prune', dir, '--usage', usage, '--yes'])
          return keys.slice(0, 2)
      }
    }
    let kept: readonly string[] = []
    const count = await onFailingDisk({ at, code, folder: home }, async () => {
      kept = await run()
    })
    outcome.runs += 1
    outcome.told += kept.length
    const told = inspect(dir, kept)
    const where = `${verb}, ${code} at operation ${at}`
    outcome.lost.push(...told.lost.map((key) => `${where}: ${key}`))
    outcome.torn.push(...told.torn.map((file) => `${where}: ${file}`))
    if (count < at) return outcome
  }
}

function inspect(dir: string, keys: readonly string[]): Pick<Outcome, 'lost' | 'torn'> {
  let store: CassetteStore
  try {
    store = CassetteStore.open(dir)
  } catch (error) {
    // A cassette that nothing was recorded into need not be there.
    return { lost: [...keys], torn: keys.length === 0 ? [] : [String(error)] }
  }
  const found = [...store.paths()].map(([key, file]) => ({
    key,
    file,
    kind: store.get(key).kind
  }))
  const whole = new Set<string>(
    found.flatMap(({ key, kind }) => (kind === 'found' ? [key] : []))
  )
  return {
    lost: keys.filter((key) => !whole.has(key)),
    torn: found.flatMap(({ file, kind }) => (kind === 'found' ? [] : [file]))
  }
}

/** The same JSON on one line. */
function spellOtherwise(dir: string): void {
  for (const [, file] of CassetteStore.open(dir).paths()) {
    const place = path.join(dir, file)
    writeFileSync(place, JSON.stringify(JSON.parse(readFileSync(place, 'utf8'))))
  }
}
