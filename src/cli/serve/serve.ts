/** Runs a server until a signal comes or its command has ended: what `record`, `replay`, `exec` and `ui` share. */
import type { ShownRun } from '../../pages/runs/shown-run.ts'
import { apiPathOf } from '../../recorder/cassette/format/manifest.ts'
import { defaultMissStatus } from '../../recorder/engine/engine-options.ts'
import { EngineRegistry } from '../../recorder/engine/registry/engine-registry.ts'
import type { EngineRegistryOptions } from '../../recorder/engine/registry/registry-options.ts'
import { countsText } from '../../recorder/engine/run-summary.ts'
import { missPolicies } from '../../recorder/playback/decide.ts'
import { browserPath } from '../../recorder/server/browser-requests.ts'
import type { Interception } from '../../recorder/server/proxy/interception.ts'
import { type RunningServer, startServer } from '../../recorder/server/start-server.ts'
import { harmlessBy } from '../../recorder/settings/judgements.ts'
import { systemErrorCode } from '../../recorder/text/error-text.ts'
import { plural } from '../../recorder/text/words.ts'
import { openIfRemote } from '../../redis/open-store.ts'
import { choiceFlag, type Invocation, numberFlag, UsageError } from '../args/command.ts'
import { existingCassette } from '../flags/cassette-flags.ts'
import {
  allowedOrigins,
  expiryReason,
  readMaxAge,
  readTrouble,
  readTrust
} from '../flags/server-flags.ts'
import {
  eventPrinter,
  messagePrinter,
  printNote,
  showProgress
} from '../terminal/terminal-output.ts'
import { logRequests } from './log-requests.ts'
import { printNextSteps, printRedactions, startRunFile } from './run-record.ts'
import { deleteUsageFile, usageByCassette, writeUsageFile } from './run-usage.ts'

export interface Service {
  readonly activity: 'recording' | 'replaying' | 'showing'
  readonly cassette: string
  /** Path of the address that is printed, and given to the command: of api.php, or of the pages. */
  readonly apiPath: string
  readonly engines: EngineRegistry
  /** Called once the server listens. */
  readonly onListening?: () => void
  /** Set if the server is the forward proxy of the command. */
  readonly program?: ProgramProxy
  /** Runs in files that the pages show. */
  readonly runs?: readonly ShownRun[]
  /** True if stdout belongs to the command: start line and result go to stderr. */
  readonly reservesStdout?: boolean
}

export interface ProgramProxy {
  readonly interception: Interception
  /** What the command needs to reach it. @param origin of the server */
  readonly environment: (origin: string) => NodeJS.ProcessEnv
  /** The command that is run, in a network of its own with `--sealed`. @throws UsageError */
  readonly command: (server: RunningServer) => Promise<readonly string[]>
  /** Tells what was not recorded. @returns the exit code */
  readonly end: () => number
}

/** Milliseconds between two forced writes to the disk while recording. */
const checkpointMs = 1000

/** @returns the worse exit code of the command and of the run. @throws UsageError */
export async function serve(service: Service, call: Invocation): Promise<number> {
  const { engines, program, activity } = service
  deleteUsageFile(call)
  warnIfExpired(engines, call)
  // Before the start line: its reader may send the signal at once.
  const stopSignal = call.stopSignal()
  const stopLogging = logRequests(engines.feed, call)
  const run = activity === 'showing' ? undefined : await startRunFile(engines, call)
  const server = await listen(service, call)
  const url = `${server.url}${service.apiPath}`
  const print = service.reservesStdout ? call.stderr : call.stdout
  print(`wikitape: ${activity} ${service.cassette} on ${url}\n`)
  if (call.isTerminal && activity !== 'showing')
    printNote(call, `to watch it, open ${server.url}${browserPath}/`)
  if (program && call.childCommand.length === 0)
    await printEnvironment(program, server.url, call)
  service.onListening?.()
  // A disk that fails now must not end the server: the next recording reports it.
  const reportFailure = (error: unknown) =>
    printNote(call, `cannot flush the recordings to the disk: ${String(error)}`)
  const timer = setInterval(
    () => void engines.checkpoint().catch(reportFailure),
    checkpointMs
  )
  const stopProgress = showProgress(call, () => countsText(engines.counts()))
  const code =
    call.childCommand.length === 0
      ? await stopSignal.then(() => 0)
      : await runCommand(service, server, call)
  clearInterval(timer)
  stopProgress()
  await server.close()
  stopLogging()
  run?.stop()
  await engines.end(incompleteRunReason(engines, call, code))
  const counts = engines.counts()
  if (call.isOn('json')) print(`${JSON.stringify(counts)}\n`)
  else printNote(call, countsText(counts))
  if (call.value('trouble') !== undefined && counts.troubled === 0)
    printNote(call, 'trouble: no request met it; docs/bad-day.md says which requests can')
  printRedactions(engines, call)
  const proxyCode = program?.end() ?? 0
  const recordedNothing = engines.recordedNothing()
  if (recordedNothing)
    printNote(
      call,
      'nothing was recorded: every request was passed on, for the reasons above'
    )
  const isUseless = recordedNothing || isIdle(service, call)
  const exitCode = Math.max(code, engines.exitCode(), proxyCode, isUseless ? 1 : 0)
  writeUsageFile(engines, exitCode, call)
  printNextSteps(engines, call, run?.file)
  return exitCode
}

/** Whether a command has ended that asked nothing, though nobody allowed that. */
function isIdle({ engines, program }: Service, call: Invocation) {
  const hasRequests =
    (program?.interception.requests ?? 0) > 0 || engines.feed.since(0).length > 0
  if (hasRequests || call.childCommand.length === 0 || call.isOn('allow-none'))
    return false
  printNote(
    call,
    'no request reached wikitape; the program may ignore WIKITAPE_API_URL or proxy settings (docs/any-program.md), or ask nothing: then add --allow-none'
  )
  return true
}

/** What programs need that are started elsewhere. @throws UsageError */
async function printEnvironment(program: ProgramProxy, url: string, call: Invocation) {
  const { environmentLines, lineForms } = await import(
    '../intercept/environment-lines.ts'
  )
  const form = choiceFlag(call, 'lines', lineForms) ?? 'sh'
  printNote(call, 'programs that are started with these variables are served:')
  call.stdout(environmentLines(program.environment(url), form))
}

/** @returns its exit code */
async function runCommand(
  { program, apiPath }: Service,
  server: RunningServer,
  call: Invocation
) {
  const { url } = server
  const { addressVariables, proxyVariables, runChild } = await import(
    './child-process.ts'
  )
  if (!program) {
    const proxy = call.isOn('forward-proxy') ? proxyVariables(new URL(url).origin) : {}
    return runChild({ ...addressVariables(url + apiPath), ...proxy }, call)
  }
  const variables = program.environment(url)
  return runChild(variables, { ...call, childCommand: await program.command(server) })
}

/** Warns of each cassette that is older than `--expires`. @throws UsageError */
function warnIfExpired(engines: EngineRegistry, call: Invocation) {
  if (readMaxAge(call) === undefined) return
  for (const store of new Set(engines.all().map((engine) => engine.store))) {
    // An empty cassette will be recorded today.
    const reason = store.size === 0 ? undefined : expiryReason(store, call)
    if (reason !== undefined) printNote(call, `${store.dir} has expired: ${reason}`)
  }
}

/** Why `update` may delete nothing; undefined if the whole suite seems to have run. */
function incompleteRunReason(engines: EngineRegistry, call: Invocation, code: number) {
  if (call.childCommand.length === 0)
    return 'only the end of a command (-- CMD) shows that all clients are finished'
  if (code !== 0) return `the command ended with exit code ${code}`
  if (engines.exitCode() > 1) return 'not everything could be recorded'
  const few = usageByCassette(engines).find(({ used, unused }) => unused.size > used)
  const all = few && plural(few.used + few.unused.size, 'recording')
  return few && `only ${few.used} of ${all} of ${few.dir} were requested`
}

/** @throws UsageError if the port cannot be had */
export async function listen(
  { engines, program, runs }: Pick<Service, 'engines' | 'program' | 'runs'>,
  call: Invocation
): Promise<RunningServer> {
  const port = numberFlag(call, 'port', call.childCommand.length > 0 ? 0 : 4050, 65_535)
  const host = call.value('host') ?? '127.0.0.1'
  const origins = allowedOrigins(call)
  const maxBody = numberFlag(call, 'max-body', 16 * 1024 * 1024, 1024 * 1024 * 1024)
  try {
    return await startServer({
      engines,
      host,
      port,
      allowedOrigins: origins,
      report: messagePrinter(call),
      interception: program?.interception,
      maxBody,
      pages: async () =>
        (await import('../../pages/ui-router.ts')).uiRouter(engines, runs)
    })
  } catch (error) {
    const code = systemErrorCode(error) || String(error)
    const inUse = `port ${port} is in use; choose another with --port, or any free one with --port 0`
    throw new UsageError(
      `cannot listen on ${host}: ${code === 'EADDRINUSE' ? inUse : code}`
    )
  }
}

/** What `replay`, `exec`, `prune` and `ui` serve. @param named the cassette, unless flags or settings name it. @throws UsageError, StoreError */
export async function replayService(call: Invocation, named?: string): Promise<Service> {
  const options = replayOptions(call)
  const opened = await openIfRemote(named ?? existingCassette(call))
  const engines = new EngineRegistry({ ...options, ...opened })
  const apiPath = apiPathOf(engines.first.store.manifest.upstream) ?? '/w/api.php'
  return { activity: 'replaying', cassette: opened.cassette, apiPath, engines }
}

/** From the flags of a replay. @throws UsageError */
export const replayOptions = (
  call: Invocation
): Omit<EngineRegistryOptions, 'cassette'> => ({
  ...servedOptions(call),
  onMiss: choiceFlag(call, 'on-miss', missPolicies) ?? 'synthesize',
  mode: 'none',
  live: undefined,
  trouble: readTrouble(call)
})

/** From the flags of a server. @throws UsageError */
export const servedOptions = (
  call: Invocation
): Pick<
  EngineRegistryOptions,
  'missStatus' | 'trust' | 'strict' | 'rewriteUrls' | 'now' | 'onEvent' | 'isHarmless'
> => ({
  missStatus: numberFlag(call, 'miss-status', defaultMissStatus, 599, 200),
  trust: readTrust(call),
  strict: choiceFlag(call, 'match', ['strict']) === 'strict',
  rewriteUrls: call.isOn('rewrite-urls'),
  now: call.now,
  onEvent: eventPrinter(call),
  isHarmless: harmlessBy(call.settings)
})
