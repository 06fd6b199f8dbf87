/**
 * `npx tsx scripts/bad-day.ts API CASSETTE [client …]`: records a session of each client (test/clients/bad-day) from a wiki
 * that may be edited, below CASSETTE, replays it with each kind of trouble, and prints docs/bad-day.md's table: the steps that
 * ended as without trouble, and the seconds it took. With a cassette that is there already, only the rest is done.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { troubleKinds } from '../src/recorder/playback/trouble.ts'
import { program } from '../test/helpers/processes.ts'
import { labAccounts } from './wiki/lab.ts'

const [api = '', folder = '', ...named] = process.argv.slice(2)
const patienceMs = 1_800_000
const session = (file: string): string =>
  fileURLToPath(new URL(`../test/clients/bad-day/${file}`, import.meta.url))
const python = (file: string): readonly string[] => [
  '/usr/bin/python3',
  session(`${file}_session.py`)
]
const node = (file: string): readonly string[] => [
  process.execPath,
  session(`${file}.mjs`)
]
const commands: Readonly<Record<string, readonly string[]>> = {
  Pywikibot: python('pywikibot'),
  mwclient: python('mwclient'),
  mwn: node('mwn'),
  m3api: node('m3api'),
  nodemw: node('nodemw'),
  mwbot: node('mwbot')
}

/** On most wikis, only writes have limits of their own. */
const modules: Readonly<Record<string, readonly string[]>> = {
  ratelimited: ['--trouble-modules', 'edit']
}

interface Run {
  readonly steps: ReadonlyMap<string, string>
  readonly counts: Readonly<Record<string, number>>
  readonly seconds: number
}

async function run(name: string, kind: string, flags: readonly string[]): Promise<Run> {
  const { bob } = labAccounts
  const env = {
    ...process.env,
    CLIENT_USER: bob.name,
    CLIENT_PASSWORD: bob.password,
    CI: ''
  }
  const own = [
    'exec',
    '--cassette',
    path.join(folder, name),
    ...flags,
    '--json',
    '--log',
    `${folder}/${name} ${kind}.log`
  ]
  const args = [program, ...own, '--', ...(commands[name] ?? []), kind]
  const startedAt = Date.now()
  const texts = { stdout: '', stderr: '' }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      texts[stream] += text
    })
  const timer = setTimeout(() => child.kill('SIGTERM'), patienceMs)
  await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  // Some clients print errors of their own between the lines of the session.
  const lines = (text: string): readonly Record<string, unknown>[] =>
    text
      .split('\n')
      .flatMap((line) =>
        /^\{".*\}$/.test(line) ? [JSON.parse(line) as Record<string, unknown>] : []
      )
  const steps = new Map(
    lines(texts.stdout).map(({ step, ...rest }) => [String(step), JSON.stringify(rest)])
  )
  const counts = (lines(texts.stderr).at(-1) ?? {}) as Record<string, number>
  return { steps, counts, seconds: Math.round((Date.now() - startedAt) / 1000) }
}

mkdirSync(folder, { recursive: true })

async function cellsOf(name: string): Promise<readonly string[]> {
  if (!existsSync(path.join(folder, name))) await run(name, 'record', ['--record', api])
  const whole = await run(name, 'replay', [])
  if (whole.steps.size !== 5 || (whole.counts['missed'] ?? 1) > 0)
    throw new Error(`${name} does not even run without trouble`)
  console.error(
    name,
    whole.counts,
    [...whole.steps].map(([step, text]) => `${step}: ${text.slice(0, 60)}`)
  )
  return Promise.all(
    troubleKinds.map(async (kind) => {
      const { steps, counts, seconds } = await run(name, kind, [
        '--trouble',
        kind,
        ...(modules[kind] ?? [])
      ])
      const wrong = [...whole.steps].filter(([step, text]) => steps.get(step) !== text)
      console.error(
        name,
        kind,
        counts,
        seconds,
        wrong.map(([step]) => `${step}: ${steps.get(step)?.slice(0, 200)}`)
      )
      if (counts['troubled'] === 0) return '–'
      const right = whole.steps.size - wrong.length
      return right === whole.steps.size
        ? `yes, ${seconds} s`
        : `${right} of ${whole.steps.size}`
    })
  )
}

console.log(
  `| client | ${troubleKinds.join(' | ')} |\n| ${'--- | '.repeat(troubleKinds.length + 1)}`
)
for (const name of named.length > 0 ? named : Object.keys(commands))
  console.log(`| ${[name, ...(await cellsOf(name))].join(' | ')} |`)
