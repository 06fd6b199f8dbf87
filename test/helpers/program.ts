/** The real binary in child processes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export const program: string = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** Path of a module beside this one, for `--import`. */
export const preload = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Modules that node imports first. */
  readonly preload?: readonly string[]
  readonly uid?: number
}

export interface Run {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** An environment without what would change how wikitape behaves. */
function cleanEnvironment(more: RunOptions['env']): NodeJS.ProcessEnv {
  const { CI: _ci, NO_COLOR: _color, VCR_MODE: _vcr, FORCE_COLOR: _force, ...rest } = process.env
  const own = Object.entries(rest).filter(([name]) => !/^(?:WIKITAPE_|VITEST|NODE_)/.test(name))
  return { ...Object.fromEntries(own), ...more }
}

interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Run>
  /** Resolves with the match as soon as what was printed so far fits. */
  readonly printed: (pattern: RegExp, stream?: 'stdout' | 'stderr') => Promise<RegExpExecArray>
}

/** Starts the binary; it is killed when the running test has ended. */
export function start(args: readonly string[], options: RunOptions = {}): Started {
  const imports = (options.preload ?? []).flatMap((one) => ['--import', one])
  const child = spawn(process.execPath, [...imports, program, ...args], {
    cwd: options.cwd,
    env: cleanEnvironment(options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const texts = { stdout: '', stderr: '' }
  const watchers = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
      for (const watch of watchers) watch()
    })
  }
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.stdin ?? '')
  const ended = new Promise<Run>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, ...texts }))
  })
  const printed = (pattern: RegExp, stream: 'stdout' | 'stderr' = 'stdout'): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const watch = (): void => {
        const match = pattern.exec(texts[stream])
        if (match === null) return
        watchers.delete(watch)
        resolve(match)
      }
      watchers.add(watch)
      watch()
      ended.then(
        (run) => reject(new Error(`ended before it printed ${pattern}: ${JSON.stringify(run)}`)),
        reject,
      )
    })
  return { child, ended, printed }
}

/** Runs the binary to its end. */
export const run = (args: readonly string[], options: RunOptions = {}): Promise<Run> =>
  start(args, options).ended

export interface Serving extends Started {
  /** Address of api.php, out of the start line. */
  readonly api: string
  readonly stop: (signal?: NodeJS.Signals) => Promise<Run>
}

/** Starts `record` or `replay` on a free port and waits for the start line. */
export async function serving(args: readonly string[], options: RunOptions = {}): Promise<Serving> {
  const started = start([...args, '--port', '0'], options)
  const [, api = ''] = await started.printed(/^wikitape: \w+ .+ on (http:\/\/\S+)\n/)
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<Run> => {
    started.child.kill(signal)
    return started.ended
  }
  return { ...started, api, stop }
}
