/** Serves a rack until it is told to stop or a command has ended; what `record`, `replay` and `exec` have in common. */

import type { Rack } from '../../engine/registry/engine-registry.ts'
import { countsText, redactionsText } from '../../engine/run-summary.ts'
import { ownPath } from '../../server/browser-routes.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../server/start-server.ts'
import { visible } from '../../text/escape-control-characters.ts'
import { plural } from '../../text/plural.ts'
import { type Given, numberFlag, type Shell, UsageError } from '../args/command.ts'
import { allowedOrigins } from '../flags/cassette-flags.ts'
import { warnOfAge } from './cassette-age.ts'
import { tellRequests } from './log-requests.ts'
import { forgetUsage, usagesOf, writeUsage } from './run-usage.ts'

export interface Service {
  readonly word: 'recording' | 'replaying' | 'showing'
  readonly cassette: string
  /** What is printed at the start, and what a command is given: that of the wiki's api.php, or of the pages. */
  readonly apiPath: string
  readonly rack: Rack
  /** Begun once the server listens, and not waited for. */
  readonly whenListening?: () => void
  /** True where stdout is the command's alone: start line and result go to stderr. */
  readonly stdoutTaken?: boolean
}

/** Seconds between two forced writes to the disk while recording. */
const checkpointSeconds = 5

/** @returns the worse exit code of the command and of what happened. @throws UsageError */
export async function serve(service: Service, given: Given, shell: Shell): Promise<number> {
  const { rack } = service
  forgetUsage(given)
  warnOfAge(rack, given, shell)
  // Before the start line, on which somebody may stop it at once.
  const stopped = shell.stopped()
  const untell = tellRequests(rack.feed, given, shell)
  const server = await listen(service, given, shell)
  const url = `${server.url}${service.apiPath}`
  const say = service.stdoutTaken === true ? shell.err : shell.out
  say(`wikitape: ${service.word} ${service.cassette} on ${url}\n`)
  if (shell.terminal && service.word !== 'showing')
    shell.err(`wikitape: to look on, open ${server.url}${ownPath}/\n`)
  service.whenListening?.()
  const timer = setInterval(() => void checkpoint(rack, shell), checkpointSeconds * 1000)
  const progress = shell.terminal
    ? (await import('../terminal/progress.ts')).showProgress(shell, () => countsText(rack.counts()))
    : undefined
  const code = given.command.length === 0 ? await stopped.then(() => 0) : await run(url, given, shell)
  clearInterval(timer)
  progress?.stop()
  await server.close()
  untell()
  rack.close(doubtOfRun(rack, given, code))
  tellSummary(rack, given, shell, say)
  const recordedNothing = rack.recordedNothing()
  if (recordedNothing)
    shell.err('wikitape: nothing was recorded: every request was passed on, for the reasons above\n')
  const exitCode = Math.max(code, rack.exitCode(), recordedNothing ? 1 : 0)
  writeUsage(rack, exitCode, given)
  return exitCode
}

/** Read where there is a command: a server alone starts without it. */
async function run(apiUrl: string, given: Given, shell: Shell): Promise<number> {
  const { runCommand } = await import('./child-process.ts')
  return runCommand(given.command, { apiUrl, forwardProxy: given.on('forward-proxy') }, shell)
}

/** Why `update` may drop nothing: there must be reason to believe that the whole suite has run. */
function doubtOfRun(rack: Rack, { command }: Given, code: number): string | undefined {
  if (command.length === 0)
    return 'nothing tells that all clients have asked for all they need, as the end of a command (-- CMD) would'
  if (code !== 0) return `the command ended with exit code ${code}`
  if (rack.exitCode() > 1) return 'not everything could be recorded'
  const few = usagesOf(rack).find(({ used, unused }) => unused.size > used)
  return (
    few &&
    `only ${few.used} of ${plural(few.used + few.unused.size, 'recording')} of ${few.dir} were asked for`
  )
}

/** A disk that fails now must not end the server: what is recorded next will tell. */
async function checkpoint(rack: Rack, shell: Shell): Promise<void> {
  try {
    await rack.checkpoint()
  } catch (error) {
    shell.err(`wikitape: cannot force the recordings to the disk: ${String(error)}\n`)
  }
}

function tellSummary(rack: Rack, given: Given, shell: Shell, say: Shell['err']): void {
  const counts = rack.counts()
  if (given.on('json')) say(`${JSON.stringify(counts)}\n`)
  else shell.err(`wikitape: ${countsText(counts)}\n`)
  tellRedactions(rack, shell)
}

/** What differs from what the wiki sent, by name. */
export function tellRedactions(rack: Rack, shell: Shell): void {
  const text = redactionsText(rack.engines().map(({ summary }) => summary.redactions))
  if (text !== '') shell.err(`wikitape: ${text}\n`)
}

async function listen({ rack }: Service, given: Given, shell: Shell): Promise<RunningServer> {
  const port = numberFlag(given, 'port', given.command.length > 0 ? 0 : 4050, 65_535)
  const host = given.text('host') ?? '127.0.0.1'
  try {
    const options: ServerOptions = {
      rack,
      host,
      port,
      allowedOrigins: allowedOrigins(given),
      maxBody: numberFlag(given, 'max-body', 16 * 1024 * 1024, 1024 * 1024 * 1024),
      pages: async () => (await import('../../ui/ui-router.ts')).pagesOf(rack),
      report: (line) => shell.err(`wikitape: ${visible(line)}\n`),
    }
    return await startServer(options)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const why =
      code === 'EADDRINUSE'
        ? `port ${port} is in use; take another with --port, or any free one with --port 0`
        : code
    throw new UsageError(`cannot listen on ${host}: ${why}`)
  }
}
