/** Starts, finds and stops the PHP server of a wiki. It is its own process group and outlives the command line. */
import { spawn } from 'node:child_process'
import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { wikiAnswering } from '../lab.ts'
import { builtAt, runningClock } from './clock.ts'
import { forgetSharedClock, LabProblem } from './command.ts'
import { environmentOf } from './mariadb.ts'
import type { WikiPlace } from './place.ts'
import { markOf, readLiveMark } from './process.ts'

export interface RunningServer {
  readonly pid: number
  readonly port: number
}

/** Files are never looked at again once compiled: a wiki of the lab does not change while it is served. */
const phpSettings = [
  ...[
    'memory_limit=512M',
    'max_execution_time=120',
    'opcache.enable_cli=1',
    'opcache.memory_consumption=192'
  ],
  ...['opcache.max_accelerated_files=20000', 'opcache.interned_strings_buffer=16'],
  ...['opcache.validate_timestamps=0', 'opcache.file_update_protection=0'],
  // A quarter of the time of a request less.
  ...['opcache.jit=tracing', 'opcache.jit_buffer_size=64M']
].flatMap((setting) => ['-d', setting])

const workers = '3'

/** @param now of its clock, unless that is the machine's */
export async function startServer(
  place: WikiPlace,
  now: string = builtAt
): Promise<void> {
  await insistOnFreePort(place)
  const url = `http://127.0.0.1:${place.port}`
  const log = await open(place.serverLog, 'a')
  const child = spawn(
    'php',
    [...phpSettings, '-q', '-S', `127.0.0.1:${place.port}`, '-t', place.web],
    {
      cwd: place.web,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: {
        ...process.env,
        ...(place.realClock ? {} : await runningClock(now)),
        TMPDIR: place.temporary,
        PHP_CLI_SERVER_WORKERS: workers,
        WIKITAPE_LAB_SERVER: url,
        ...environmentOf(place.mariadb)
      }
    }
  )
  const failed = new Promise<string>((settle) =>
    child.once('error', (problem) => settle(problem.message))
  )
  child.unref()
  await log.close()
  if (child.pid === undefined) throw new LabProblem(`php did not start: ${await failed}`)
  await writeFile(
    place.server,
    JSON.stringify({ ...(await markOf(child.pid)), port: place.port })
  )
}

/** Another program on the port could be taken for the wiki. */
export async function insistOnFreePort(place: WikiPlace): Promise<void> {
  const probe = createServer()
  const problem = await new Promise<string | undefined>((settle) => {
    probe.once('error', (cause) => settle(cause.message))
    probe.listen(place.port, '127.0.0.1', () => settle(undefined))
  })
  await new Promise<void>((settle) => probe.close(() => settle()))
  if (problem === undefined) return
  throw new LabProblem(
    `Port ${place.port} cannot be used: ${problem}.\nEnd what serves there, or use other ports: --port-base 18100`
  )
}

/** Waits until api.php answers; a server that ended meanwhile is a problem told at once, with its log. */
export async function waitForAnswer(
  place: WikiPlace,
  timeoutMs = 300_000
): Promise<string> {
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    const running = await runningServer(place)
    const answer =
      running && (await wikiAnswering(`http://127.0.0.1:${place.port}/w/api.php`))
    if (answer) return answer
    if (!running) break
    await new Promise((settle) => setTimeout(settle, 100))
  }
  const log = await readFile(place.serverLog, 'utf8').catch(() => '')
  const tail = log.trimEnd().split('\n').slice(-12)
  await stopServer(place)
  throw new LabProblem(
    [
      `MediaWiki ${place.version} does not answer on port ${place.port}.`,
      ...tail.map((line) => `  | ${line}`),
      `Build it again: npm run wiki -- up --fresh ${place.version}`
    ].join('\n')
  )
}

export async function runningServer(
  place: WikiPlace
): Promise<RunningServer | undefined> {
  const mark = await readLiveMark(place.server)
  return mark && { pid: mark.pid, port: mark.port ?? place.port }
}

/** Ends the server and its workers, and waits until the group is gone. True when there was one. */
export async function stopServer(place: WikiPlace): Promise<boolean> {
  const running = await runningServer(place)
  if (running !== undefined) {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      signalGroup(running.pid, signal)
      if (await groupGone(running.pid)) break
    }
    await forgetSharedClock(running.pid)
  }
  await rm(place.server, { force: true })
  return running !== undefined
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

async function groupGone(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    if (!signalGroup(pid, 0)) return true
    await new Promise((settle) => setTimeout(settle, 50))
  }
  return false
}
