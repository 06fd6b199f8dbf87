/** Runs one command without a shell; a failure carries the command, the end of its output, and what to do next. */
import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'

export interface CommandOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  /** What a person should try when this command fails. */
  readonly advice: string
}

/** A step of the lab that failed; its message is meant to be printed as it is. */
export class LabProblem extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.name = 'LabProblem'
    this.exitCode = exitCode
  }
}

const linesShown = 12

export async function run(
  command: string,
  args: readonly string[],
  options: CommandOptions
): Promise<string> {
  const child = spawn(command, args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.timeoutMs ?? 1_800_000,
    killSignal: 'SIGKILL'
  })
  const stdout: Buffer[] = []
  const everything: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => {
    stdout.push(chunk)
    everything.push(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => void everything.push(chunk))
  const outcome = await new Promise<string | undefined>((settle) => {
    child.once('error', (problem) => settle(problem.message))
    child.once('close', (code, signal) =>
      settle(code === 0 ? undefined : `ended with ${signal ?? code}`)
    )
  })
  await forgetSharedClock(child.pid)
  if (outcome === undefined) return Buffer.concat(stdout).toString('utf8')
  const tail = Buffer.concat(everything)
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .slice(-linesShown)
  throw new LabProblem(
    [
      `${[command, ...args].join(' ')}: ${outcome}`,
      ...tail.map((line) => `  | ${line}`),
      options.advice
    ].join('\n')
  )
}

/** libfaketime leaves a piece of shared memory behind for each process that PHP ends by _exit. */
export async function forgetSharedClock(pid: number | undefined): Promise<void> {
  if (pid === undefined) return
  await Promise.all(
    [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`].map((name) =>
      rm(`/dev/shm/${name}`, { force: true })
    )
  )
}
