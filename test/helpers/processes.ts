/** The real binary in child processes: for what the boundary of a process has to show (signals, preloads, other users). */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import {
  cleanEnvironment,
  Printed,
  type Run,
  type RunOptions,
  type Serving,
  type Started,
  served
} from './program.ts'

export const program: string = fileURLToPath(
  new URL('../../dist/cli/start.cjs', import.meta.url)
)

/** Path of a module beside this one, for `--import`. */
export const preload = (name: string): string =>
  fileURLToPath(new URL(name, import.meta.url))

export interface ProcessOptions extends RunOptions {
  /** Modules that node imports first. */
  readonly preload?: readonly string[]
  readonly uid?: number
}

/** With the id of its process. */
export type Spawned<T extends Started = Started> = T & { readonly pid: number }

/** Starts the binary; it is killed when the running test has ended. */
export function spawnStarted(
  args: readonly string[],
  options: ProcessOptions = {}
): Spawned {
  const imports = (options.preload ?? []).flatMap((one) => ['--import', one])
  const child = spawn(process.execPath, [...imports, program, ...args], {
    cwd: options.cwd,
    env: cleanEnvironment(options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid })
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const print = new Printed()
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (bytes: Uint8Array) => print.add(name, bytes))
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.stdin ?? '')
  const ended = new Promise<Run>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, ...print.texts() }))
  })
  const kill = (signal: NodeJS.Signals): void => void child.kill(signal)
  return { ended, printed: print.expecting(ended), kill, pid: child.pid ?? 0 }
}

/** Runs the binary to its end. */
export const spawned = (
  args: readonly string[],
  options: ProcessOptions = {}
): Promise<Run> => spawnStarted(args, options).ended

/** Starts `record` or `replay` on a free port as a process of its own, and waits for the start line. */
export async function spawnServing(
  args: readonly string[],
  options: ProcessOptions = {}
): Promise<Spawned<Serving>> {
  const started = spawnStarted([...args, '--port', '0'], options)
  return { ...(await served(started)), pid: started.pid }
}
