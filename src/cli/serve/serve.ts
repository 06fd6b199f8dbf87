/** Serves a rack until it is told to stop or a command has ended; what `record`, `replay` and `exec` have in common. */

import type { EngineRegistry } from '../../engine/registry/engine-registry.ts'
import { countsText, redactionsText } from '../../engine/run-summary.ts'
import { browserPath } from '../../server/browser-routes.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../server/start-server.ts'
import { escapeControls } from '../../text/escape-control-characters.ts'
import { plural } from '../../text/plural.ts'
import { type Invocation, UsageError } from '../args/command.ts'
import { numberFlag } from '../args/parse-args.ts'
import { allowedOrigins } from '../flags/server-flags.ts'
import { printNote } from '../terminal/terminal-output.ts'
import { warnIfExpired } from './cassette-age.ts'
import { logRequests } from './log-requests.ts'
import { deleteUsageFile, usageByCassette, writeUsageFile } from './run-usage.ts'

export interface Service {
  readonly activity: 'recording' | 'replaying' | 'showing'
  readonly cassette: string
  /** What is printed at the start, and what a command is given: that of the wiki's api.php, or of the pages. */
  readonly apiPath: string
  readonly engines: EngineRegistry
  /** Begun once the server listens, and not waited for. */
  readonly onListening?: () => void
  /** True where stdout is the command's alone: start line and result go to stderr. */
  readonly reservesStdout?: boolean
}

/** Seconds between two forced writes to the disk while recording. */
const checkpointSeconds = 5

/** @returns the worse exit code of the command and of what happened. @throws UsageError */
export async function serve(service: Service, call: Invocation): Promise<number> {
  const { engines: rack } = service
  deleteUsageFile(call)
  warnIfExpired(rack, call)
  // Before the start line, on which somebody may stop it at once.
  const stopped = call.stopSignal()
  const stopLogging = logRequests(rack.feed, call)
  const server = await listen(service, call)
  const url = `${server.url}${service.apiPath}`
  const print = service.reservesStdout === true ? call.stderr : call.stdout
  print(`wikitape: ${service.activity} ${service.cassette} on ${url}\n`)
  if (call.isTerminal && service.activity !== 'showing')
    printNote(call, `to look on, open ${server.url}${browserPath}/`)
  service.onListening?.()
  const timer = setInterval(() => void checkpoint(rack, call), checkpointSeconds * 1000)
  const progress = call.isTerminal
    ? (await import('../terminal/progress.ts')).showProgress(call, () => countsText(rack.counts()))
    : undefined
  const code = call.childCommand.length === 0 ? await stopped.then(() => 0) : await runChildCommand(url, call)
  clearInterval(timer)
  progress?.stop()
  await server.close()
  stopLogging()
  rack.close(incompleteRunReason(rack, call, code))
  printSummary(rack, call, print)
  const recordedNothing = rack.recordedNothing()
  if (recordedNothing)
    printNote(call, 'nothing was recorded: every request was passed on, for the reasons above')
  const exitCode = Math.max(code, rack.exitCode(), recordedNothing ? 1 : 0)
  writeUsageFile(rack, exitCode, call)
  return exitCode
}

/** Read where there is a command: a server alone starts without it. */
async function runChildCommand(apiUrl: string, call: Invocation): Promise<number> {
  const { runChild: runCommand } = await import('./child-process.ts')
  return runCommand(call.childCommand, { apiUrl, forwardProxy: call.isOn('forward-proxy') }, call)
}

/** Why `update` may drop nothing: there must be reason to believe that the whole suite has run. */
function incompleteRunReason(
  engines: EngineRegistry,
  { childCommand: command }: Invocation,
  code: number,
): string | undefined {
  if (command.length === 0)
    return 'nothing tells that all clients have asked for all they need, as the end of a command (-- CMD) would'
  if (code !== 0) return `the command ended with exit code ${code}`
  if (engines.exitCode() > 1) return 'not everything could be recorded'
  const few = usageByCassette(engines).find(({ used, unused }) => unused.size > used)
  return (
    few &&
    `only ${few.used} of ${plural(few.used + few.unused.size, 'recording')} of ${few.dir} were asked for`
  )
}

/** A disk that fails now must not end the server: what is recorded next will tell. */
async function checkpoint(engines: EngineRegistry, call: Invocation): Promise<void> {
  try {
    await engines.checkpoint()
  } catch (error) {
    printNote(call, `cannot force the recordings to the disk: ${String(error)}`)
  }
}

function printSummary(engines: EngineRegistry, call: Invocation, print: Invocation['stderr']): void {
  const counts = engines.counts()
  if (call.isOn('json')) print(`${JSON.stringify(counts)}\n`)
  else printNote(call, countsText(counts))
  printRedactions(engines, call)
}

/** What differs from what the wiki sent, by name. */
export function printRedactions(engines: EngineRegistry, call: Invocation): void {
  const text = redactionsText(engines.all().map(({ summary }) => summary.redactions))
  if (text !== '') printNote(call, `${text}`)
}

async function listen({ engines: rack }: Service, call: Invocation): Promise<RunningServer> {
  const port = numberFlag(call, 'port', call.childCommand.length > 0 ? 0 : 4050, 65_535)
  const host = call.value('host') ?? '127.0.0.1'
  try {
    const options: ServerOptions = {
      engines: rack,
      host,
      port,
      allowedOrigins: allowedOrigins(call),
      maxBody: numberFlag(call, 'max-body', 16 * 1024 * 1024, 1024 * 1024 * 1024),
      pages: async () => (await import('../../ui/ui-router.ts')).uiRouter(rack),
      report: (line) => printNote(call, escapeControls(line)),
    }
    return await startServer(options)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const reason =
      code === 'EADDRINUSE'
        ? `port ${port} is in use; take another with --port, or any free one with --port 0`
        : code
    throw new UsageError(`cannot listen on ${host}: ${reason}`)
  }
}
