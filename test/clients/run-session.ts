/** Runs one session of one client: straight at the wiki, or below `wikitape exec`. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { preload, program } from '../helpers/processes.ts'
import type { Client, SessionKind } from './clients.ts'
import { normalised } from './normalise.ts'

/** Items asked for at a time, in long listings and in short ones. */
export interface BatchSize {
  readonly long: number
  readonly short: number
}

/** Where a session goes. */
export type Route =
  | { readonly kind: 'direct'; readonly apiUrl: string }
  | { readonly kind: 'record'; readonly apiUrl: string; readonly cassette: string }
  | { readonly kind: 'replay'; readonly apiUrl: string; readonly cassette: string }

/** A step's result, or its error, as text. */
export type Steps = ReadonlyMap<string, string>

export interface Outcome {
  readonly steps: Steps
  /** Exit code of the session; below wikitape the worse of both. */
  readonly code: number | null
  /** What wikitape counted; undefined where it was not in between. */
  readonly counts: Readonly<Record<string, number>> | undefined
  readonly stderr: string
}

const patience = 300_000

/** WIKITAPE_PROGRAM names another build to put to the test, e.g. an installed one. */
const tested = process.env['WIKITAPE_PROGRAM'] ?? program

/** What may differ from one run of a session to the next. */
export interface Run {
  readonly batch: BatchSize
  /** Of the hashes that a language puts its sets in order by; by chance unless given. */
  readonly seed?: number
  /** File of cookies that outlasts the run: written at a login, and what `kept` begins with. */
  readonly cookies?: string
  /** Names of the only steps to be done. */
  readonly steps?: readonly string[]
}

export async function runSession(
  client: Client,
  kind: SessionKind,
  route: Route,
  { batch, seed, cookies, steps }: Run
): Promise<Outcome> {
  // MediaWiki::Bot leaves a file of cookies in the working directory.
  const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-client-'))
  try {
    const env = {
      ...plainEnvironment(),
      ...(route.kind === 'direct' ? { WIKITAPE_API_URL: route.apiUrl } : {}),
      ...(kind === 'proxied' ? { CLIENT_WIKI: route.apiUrl } : {}),
      CLIENT_USER: client.account.name,
      CLIENT_PASSWORD: client.account.password,
      CLIENT_BATCH: String(batch.long),
      CLIENT_SHORT_BATCH: String(batch.short),
      ...(cookies === undefined ? {} : { CLIENT_COOKIES: cookies }),
      ...(steps === undefined ? {} : { CLIENT_STEPS: JSON.stringify(steps) }),
      ...(seed === undefined
        ? {}
        : { PYTHONHASHSEED: String(seed), PERL_HASH_SEED: String(seed) })
    }
    const { code, stdout, stderr } = await runProgram(
      commandOf(client, kind, route),
      folder,
      env
    )
    return {
      code,
      stderr,
      steps: stepsIn(stdout),
      counts: route.kind === 'direct' ? undefined : countsIn(stderr)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Nothing that would change how wikitape or a client goes about its work. */
const plainEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:CI$|WIKITAPE_|VCR_|VITEST|NODE_|.*_proxy$)/i.test(name)
    )
  )

function commandOf(client: Client, kind: SessionKind, route: Route): readonly string[] {
  const session = [...client.command, kind]
  const own = flagsOf(kind)
  const wikitape = (
    flags: readonly string[],
    imports: readonly string[] = []
  ): readonly string[] => [
    process.execPath,
    ...imports.flatMap((one) => ['--import', preload(one)]),
    ...[tested, 'exec', ...own, ...flags, '--json', '--', ...session]
  ]
  switch (route.kind) {
    case 'direct':
      return session
    case 'record':
      return wikitape(['--record', route.apiUrl, '--cassette', route.cassette])
    case 'replay':
      return wikitape(['--cassette', route.cassette], ['./no-outbound.mjs'])
  }
}

function flagsOf(kind: SessionKind): readonly string[] {
  switch (kind) {
    case 'read':
    case 'write':
    case 'kept':
      return []
    case 'proxied':
      return ['--forward-proxy']
    case 'rewritten':
      return ['--rewrite-urls']
  }
}

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function runProgram(
  command: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv
): Promise<Ended> {
  const [name = '', ...args] = command
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: patience
    })
    const texts = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        texts[stream] += text
      })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...texts }))
  })
}

/** Some clients print a log of their own between the lines of the session. */
function stepsIn(stdout: string): Steps {
  const lines = stdout.split('\n').flatMap((line) => {
    const found = asStep(line)
    return found === undefined ? [] : [found]
  })
  return new Map(lines)
}

function asStep(line: string): readonly [string, string] | undefined {
  if (!line.startsWith('{')) return undefined
  const { step, ...rest } = JSON.parse(line) as Record<string, unknown>
  return typeof step === 'string' ? [step, normalised(JSON.stringify(rest))] : undefined
}

/** The last line of JSON on stderr. */
function countsIn(stderr: string): Record<string, number> | undefined {
  const line = stderr.split('\n').findLast((one) => one.startsWith('{'))
  return line === undefined ? undefined : (JSON.parse(line) as Record<string, number>)
}
