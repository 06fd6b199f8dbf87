/** The command line inside of this process: streams, environment, stdin and signals are a test's own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import type { CommandContext } from '../../src/cli/args/command.ts'
import { runProgram } from '../../src/cli/program.ts'
import type { RetryClock } from '../../src/recorder/upstream/polite-client.ts'
import { testClock } from './clocks.ts'

export interface RunOptions {
  /** What relative paths start from. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** How time passes for questions that wait; nobody waits unless given. */
  readonly clock?: RetryClock
  /** What is typed where a secret is asked for. */
  readonly secret?: string
}

export interface Run {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Started {
  readonly ended: Promise<Run>
  /** Resolves with the match as soon as what was printed so far fits. */
  readonly printed: (
    pattern: RegExp,
    stream?: 'stdout' | 'stderr'
  ) => Promise<RegExpExecArray>
  readonly kill: (signal: NodeJS.Signals) => void
}

/** An environment without what would change how wikitape behaves. */
export function cleanEnvironment(more: RunOptions['env']): NodeJS.ProcessEnv {
  const {
    CI: _ci,
    NO_COLOR: _color,
    VCR_MODE: _vcr,
    FORCE_COLOR: _force,
    ...rest
  } = process.env
  const own = Object.entries(rest).filter(
    ([name]) => !/^(?:WIKITAPE_|VITEST|NODE_)/.test(name)
  )
  return { ...Object.fromEntries(own), ...more }
}

/** Runs a verb to its end. For what a process of its own has to show there is `spawned` in processes.ts. */
export const run = (args: readonly string[], options: RunOptions = {}): Promise<Run> =>
  start(args, options).ended

/** Starts a verb; it is told to stop when the running test has ended. */
export function start(args: readonly string[], options: RunOptions = {}): Started {
  const leave = enter(options.cwd ?? home)
  const print = new Printed()
  const { secret } = options
  let stop: (signal: NodeJS.Signals) => void = () => undefined
  const stopped = new Promise<NodeJS.Signals>((resolve) => {
    stop = resolve
  })
  const shell: CommandContext = {
    stdout: (text) => print.add('stdout', text),
    stderr: (text) => print.add('stderr', text),
    env: cleanEnvironment(options.env),
    isTerminal: false,
    useColor: false,
    isInteractive: false,
    now: Date.now,
    clock: options.clock ?? testClock(),
    ...(secret === undefined ? {} : { askSecret: () => Promise.resolve(secret) }),
    stdin: () => Promise.resolve(options.stdin ?? ''),
    stopSignal: () => stopped,
    spawn: (name, args, env) =>
      piped(spawn(name, args, { env }), options.stdin ?? '', print)
  }
  const ended = runProgram(args, shell)
    .finally(leave)
    .then((code) => ({ code, signal: null, ...print.texts() }))
  onTestFinished(async () => {
    stop('SIGTERM')
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, patienceMs))])
  })
  return { ended, printed: print.expecting(ended), kill: (signal) => stop(signal) }
}

/** How long a server may take to stop: what a wiki of the test never answers holds it up. */
const patienceMs = 500

const home = process.cwd()
let present = { folder: home, users: 0 }

/** Relative paths of a verb are those of the process: verbs that run at the same time share one folder. */
function enter(folder: string): () => void {
  if (present.users > 0 && present.folder !== folder)
    throw new Error(
      `a verb is running in ${present.folder}; stop it first, or use a process (processes.ts)`
    )
  const entered = present.folder === folder ? present : { folder, users: 0 }
  present = entered
  entered.users += 1
  if (process.cwd() !== folder) process.chdir(folder)
  return () => {
    entered.users -= 1
    if (entered.users > 0 || present !== entered) return
    present = { folder: home, users: 0 }
    process.chdir(home)
  }
}

/** The command after `--` prints where the verb prints. */
function piped(child: ChildProcess, stdin: string, print: Printed): ChildProcess {
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => print.add(name, text))
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(stdin)
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** What was printed so far, and who waits for more. */
export class Printed {
  readonly #parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  readonly #watchers = new Set<() => void>()

  add(stream: 'stdout' | 'stderr', text: string | Uint8Array): void {
    this.#parts[stream].push(Buffer.from(text))
    for (const watch of this.#watchers) watch()
  }

  texts(): Pick<Run, 'stdout' | 'stderr'> {
    const stdout = this.#text('stdout')
    const stderr = this.#text('stderr')
    return { stdout, stderr }
  }

  expecting(ended: Promise<Run>): Started['printed'] {
    return (pattern, stream = 'stdout') =>
      new Promise((resolve, reject) => {
        const watch = (): void => {
          const match = pattern.exec(this.#text(stream))
          if (match === null) return
          this.#watchers.delete(watch)
          resolve(match)
        }
        this.#watchers.add(watch)
        watch()
        ended.then(
          (run) =>
            reject(
              new Error(`ended before it printed ${pattern}: ${JSON.stringify(run)}`)
            ),
          reject
        )
      })
  }

  #text(stream: 'stdout' | 'stderr'): string {
    return Buffer.concat(this.#parts[stream]).toString('utf8')
  }
}

export interface Serving extends Started {
  /** Address of api.php, out of the start line. */
  readonly api: string
  readonly stop: (signal?: NodeJS.Signals) => Promise<Run>
}

/** Starts `record` or `replay` on a free port and waits for the start line. */
export const serving = (
  args: readonly string[],
  options: RunOptions = {}
): Promise<Serving> => served(start([...args, '--port', '0'], options))

/** Waits for the start line. */
export async function served(started: Started): Promise<Serving> {
  const [, api = ''] = await started.printed(/^wikitape: \w+ .+ on (http:\/\/\S+)\n/)
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<Run> => {
    started.kill(signal)
    return started.ended
  }
  return { ...started, api, stop }
}
