/** Serves a rack until it is told to stop or a command has ended; what `record`, `replay` and `exec` have in common. */

import type { EngineRegistry } from '../../engine/registry/engine-registry.ts'
import { countsText, redactionsText } from '../../engine/run-summary.ts'
import { browserPath } from '../../server/browser-routes.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../server/start-server.ts'
import { escapeControls } from '../../text/escape-control-characters.ts'
import { plural } from '../../text/plural.ts'
import { type CommandContext, numberFlag, type ParsedArgs, UsageError } from '../args/command.ts'
import { allowedOrigins } from '../flags/cassette-flags.ts'
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
export async function serve(service: Service, args: ParsedArgs, context: CommandContext): Promise<number> {
  const { engines: rack } = service
  deleteUsageFile(args)
  warnIfExpired(rack, args, context)
  // Before the start line, on which somebody may stop it at once.
  const stopped = context.stopSignal()
  const stopLogging = logRequests(rack.feed, args, context)
  const server = await listen(service, args, context)
  const url = `${server.url}${service.apiPath}`
  const print = service.reservesStdout === true ? context.stderr : context.stdout
  print(`wikitape: ${service.activity} ${service.cassette} on ${url}\n`)
  if (context.isTerminal && service.activity !== 'showing')
    context.stderr(`wikitape: to look on, open ${server.url}${browserPath}/\n`)
  service.onListening?.()
  const timer = setInterval(() => void checkpoint(rack, context), checkpointSeconds * 1000)
  const progress = context.isTerminal
    ? (await import('../terminal/progress.ts')).showProgress(context, () => countsText(rack.counts()))
    : undefined
  const code =
    args.childCommand.length === 0 ? await stopped.then(() => 0) : await runChildCommand(url, args, context)
  clearInterval(timer)
  progress?.stop()
  await server.close()
  stopLogging()
  rack.close(incompleteRunReason(rack, args, code))
  printSummary(rack, args, context, print)
  const recordedNothing = rack.recordedNothing()
  if (recordedNothing)
    context.stderr('wikitape: nothing was recorded: every request was passed on, for the reasons above\n')
  const exitCode = Math.max(code, rack.exitCode(), recordedNothing ? 1 : 0)
  writeUsageFile(rack, exitCode, args)
  return exitCode
}

/** Read where there is a command: a server alone starts without it. */
async function runChildCommand(apiUrl: string, args: ParsedArgs, context: CommandContext): Promise<number> {
  const { runChild: runCommand } = await import('./child-process.ts')
  return runCommand(args.childCommand, { apiUrl, forwardProxy: args.isOn('forward-proxy') }, context)
}

/** Why `update` may drop nothing: there must be reason to believe that the whole suite has run. */
function incompleteRunReason(
  engines: EngineRegistry,
  { childCommand: command }: ParsedArgs,
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
async function checkpoint(engines: EngineRegistry, context: CommandContext): Promise<void> {
  try {
    await engines.checkpoint()
  } catch (error) {
    context.stderr(`wikitape: cannot force the recordings to the disk: ${String(error)}\n`)
  }
}

function printSummary(
  engines: EngineRegistry,
  args: ParsedArgs,
  context: CommandContext,
  print: CommandContext['stderr'],
): void {
  const counts = engines.counts()
  if (args.isOn('json')) print(`${JSON.stringify(counts)}\n`)
  else context.stderr(`wikitape: ${countsText(counts)}\n`)
  printRedactions(engines, context)
}

/** What differs from what the wiki sent, by name. */
export function printRedactions(engines: EngineRegistry, context: CommandContext): void {
  const text = redactionsText(engines.all().map(({ summary }) => summary.redactions))
  if (text !== '') context.stderr(`wikitape: ${text}\n`)
}

async function listen(
  { engines: rack }: Service,
  args: ParsedArgs,
  context: CommandContext,
): Promise<RunningServer> {
  const port = numberFlag(args, 'port', args.childCommand.length > 0 ? 0 : 4050, 65_535)
  const host = args.value('host') ?? '127.0.0.1'
  try {
    const options: ServerOptions = {
      engines: rack,
      host,
      port,
      allowedOrigins: allowedOrigins(args),
      maxBody: numberFlag(args, 'max-body', 16 * 1024 * 1024, 1024 * 1024 * 1024),
      pages: async () => (await import('../../ui/ui-router.ts')).uiRouter(rack),
      report: (line) => context.stderr(`wikitape: ${escapeControls(line)}\n`),
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
