/** Serves a rack until it is told to stop or a command has ended; what `record` and `replay` have in common. */
import { spawn } from 'node:child_process'
import type { Rack } from '../proxy/rack.ts'
import { type RunningServer, startServer } from '../proxy/server.ts'
import { countsText } from '../proxy/summary.ts'
import { showProgress } from './progress.ts'
import { type Given, numberFlag, type Shell, UsageError } from './verb.ts'

export interface Service {
  readonly word: 'recording' | 'replaying'
  readonly cassette: string
  readonly apiPath: string
  readonly rack: Rack
}

/** Seconds between two forced writes to the disk while recording. */
const checkpointSeconds = 5

/** @returns the worse exit code of the command and of what happened. @throws UsageError */
export async function serve(service: Service, given: Given, shell: Shell): Promise<number> {
  const { rack } = service
  const server = await listen(service, given, shell)
  const url = `${server.url}${service.apiPath}`
  shell.out(`wikitape: ${service.word} ${service.cassette} on ${url}\n`)
  const timer = setInterval(() => checkpoint(rack, shell), checkpointSeconds * 1000)
  const progress = showProgress(shell, () => countsText(rack.counts()))
  const code =
    given.command.length === 0
      ? await shell.stopped.then(() => 0)
      : await runCommand(given.command, url, shell)
  clearInterval(timer)
  progress.stop()
  await server.close()
  rack.close()
  tellSummary(rack, given, shell)
  return Math.max(code, rack.exitCode())
}

/** A disk that fails now must not end the server: what is recorded next will tell. */
function checkpoint(rack: Rack, shell: Shell): void {
  try {
    rack.checkpoint()
  } catch (error) {
    shell.err(`wikitape: cannot force the recordings to the disk: ${String(error)}\n`)
  }
}

function tellSummary(rack: Rack, given: Given, shell: Shell): void {
  const counts = rack.counts()
  if (given.on('json')) shell.out(`${JSON.stringify(counts)}\n`)
  else shell.err(`wikitape: ${countsText(counts)}\n`)
}

async function listen({ rack }: Service, given: Given, shell: Shell): Promise<RunningServer> {
  const port = numberFlag(given, 'port', given.command.length > 0 ? 0 : 4050, 65_535)
  const host = given.text('host') ?? '127.0.0.1'
  try {
    return await startServer({
      rack,
      host,
      port,
      maxBody: numberFlag(given, 'max-body', 16 * 1024 * 1024, 1024 * 1024 * 1024),
      admin: async () => (await import('../proxy/admin.ts')).adminApp(rack),
      report: (line) => shell.err(`wikitape: ${line}\n`),
    })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const why =
      code === 'EADDRINUSE'
        ? `port ${port} is in use; take another with --port, or any free one with --port 0`
        : code
    throw new UsageError(`cannot listen on ${host}: ${why}`)
  }
}

/** Runs CMD with `WIKITAPE_API_URL` set. A command that cannot be started counts as 2. */
function runCommand(command: readonly string[], url: string, shell: Shell): Promise<number> {
  const [name = '', ...args] = command
  return new Promise((resolve) => {
    const child = spawn(name, args, { stdio: 'inherit', env: { ...shell.env, WIKITAPE_API_URL: url } })
    child.once('error', (error) => {
      shell.err(`wikitape: cannot run ${name}: ${error.message}\n`)
      resolve(2)
    })
    child.once('close', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)))
    shell.stopped.then(() => child.kill('SIGTERM')).catch(() => undefined)
  })
}
