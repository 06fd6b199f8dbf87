/** The command line as a function: loads the command, runs it, turns errors into a message and an exit code; the texts of --help. */

import { constants } from 'node:os'
import {
  readProjectSettings,
  SettingsError
} from '../recorder/settings/project-settings.ts'
import { isStoreAddress } from '../recorder/store/redis-address.ts'
import { StoreError } from '../recorder/store/store-error.ts'
import { escapeControlsInLines } from '../recorder/text/escape-control-characters.ts'
import { groupBy } from '../recorder/text/group-by.ts'
import { didYouMean } from '../recorder/text/words.ts'
import { wrapLines } from '../recorder/text/wrap-lines.ts'
import { UpstreamError } from '../recorder/upstream/upstream.ts'
import {
  type Command,
  type CommandContext,
  type CommandEntry,
  type Invocation,
  textsOf,
  UsageError
} from './args/command.ts'
import { type Flag, flagsOf } from './args/flags.ts'
import { parseCommandArgs } from './args/parse-args.ts'
import { commandGroups, commands } from './commands.ts'
import { packageVersion } from './package-version.ts'
import { cleanOutput } from './terminal/terminal-output.ts'

/**
 * One call of `wikitape`. Never throws; a server runs until `context.stopSignal()` resolves.
 * @param argv the arguments after the program's name
 * @returns the exit code: 0 fine, 1 miss or failed check, 2 usage or unreadable input, 3 upstream, 4 secret found, 130 and 143 ended by a signal
 */
export async function runProgram(
  argv: readonly string[],
  context: CommandContext
): Promise<number> {
  try {
    return await runCommand(argv, cleanOutput(context))
  } catch (error) {
    const text = escapeControlsInLines(errorMessage(error))
    context.stderr(
      context.useColor ? `\u001b[31mwikitape: ${text}\u001b[0m\n` : `wikitape: ${text}\n`
    )
    return error instanceof UpstreamError ? 3 : 2
  }
}

async function runCommand(argv: readonly string[], context: CommandContext) {
  const [name, ...rest] = argv
  const isHelp = name === 'help' || name === '--help' || name === '-h'
  if (name === undefined || (isHelp && rest.length === 0)) {
    context.stdout(overviewText())
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === '-V' || name === '-v') {
    context.stdout(`${packageVersion()}\n`)
    return 0
  }
  const command = await loadCommand(isHelp ? (rest[0] ?? '') : name)
  const args = parseCommandArgs(command, isHelp ? ['--help'] : rest)
  if (args.isOn('help')) {
    context.stdout(helpText(command))
    return 0
  }
  if (args.childCommand.length > 0)
    await (await import('./serve/child-process.ts')).assertExecutable(
      args.childCommand,
      context
    )
  const call = { ...args, ...context, settings: readProjectSettings(process.cwd()) }
  const named = [
    ...args.positionals,
    args.value('cassette') ?? '',
    context.env['WIKITAPE_CASSETTE'] ?? ''
  ]
  const addresses = new Set(named.filter(isStoreAddress))
  if (addresses.size === 0) return runUntilSignal(command, call)
  return (await import('./commands/transfer/push-command.ts')).runWithCopies(
    { ...command, run: (copied) => runUntilSignal(command, copied) },
    call,
    addresses
  )
}

/** A signal ends every command that says what it leaves in the same way. */
async function runUntilSignal(command: Command, call: Invocation) {
  const { interrupted } = textsOf(command)
  if (!interrupted) return command.run(call)
  let signal: NodeJS.Signals | undefined
  const stopSignal = async () => {
    signal = await call.stopSignal()
    return signal
  }
  const running = command.run({ ...call, stopSignal }).catch((error: unknown) => {
    if (!signal) throw error
    call.stderr(`wikitape: ${escapeControlsInLines(errorMessage(error))}\n`)
    return 2
  })
  const code = await (interrupted.isAwaited
    ? running
    : Promise.race([running, stopSignal().then(() => 0)]))
  if (!signal) return code
  call.stderr(`wikitape: ended by ${signal}; ${interrupted.left}\n`)
  return 128 + constants.signals[signal]
}

function loadCommand(name: string) {
  const entry = commands.find((one) => one.name === name)
  if (entry) return entry.load()
  const synonymOf =
    commands.find((one) => textsOf(one).synonyms?.includes(name.toLowerCase()))?.name ??
    name
  const names = commands.map((one) => one.name)
  throw new UsageError(
    `unknown command "${name}"${didYouMean(synonymOf, names)}; wikitape --help lists them`
  )
}

/** Any other error is a bug: its stack says where. */
function errorMessage(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  const isOurs = [UsageError, SettingsError, StoreError, UpstreamError].some(
    (type) => error instanceof type
  )
  return isOurs ? error.message : (error.stack ?? error.message)
}

const columns = 80

function overviewText() {
  const width = Math.max(
    ...commandGroups.flatMap((group) => group.commands.map((one) => one.name.length))
  )
  const line = (one: CommandEntry) => `  ${one.name.padEnd(width)}  ${textsOf(one).brief}`
  return [
    'Usage: wikitape <command> [arguments]',
    '',
    'Record once against a live wiki, replay offline in tests.',
    ...commandGroups.flatMap(({ title, commands }) => [
      '',
      `${title}:`,
      ...commands.map(line)
    ]),
    '',
    'wikitape help <command> shows its flags. First steps:',
    '  wikitape record https://ru.wikipedia.org/w/api.php --cassette cassettes/mine',
    '  wikitape replay --cassette cassettes/mine',
    ''
  ].join('\n')
}

const aboutChildCommand =
  'Flags come before --, and CMD after it. PowerShell removes the --. Therefore CMD also starts at the first argument that wikitape does not take itself.'

/** @param writeGroup how flags that several commands have are shown */
export function helpText(
  command: Command,
  writeGroup: typeof flagLines = flagLines
): string {
  const { usage, summary, examples } = textsOf(command)
  const flags = flagsOf(command)
  const own = flags.filter(({ group }) => group === '')
  const shared = flags.filter(({ group }) => group !== '')
  const groups = [...groupBy(shared, ({ group }) => group)]
  return [
    `Usage: wikitape ${command.name} ${usage}`.trim(),
    '',
    ...wrapLines(summary, columns),
    '',
    ...flagLines(own),
    '',
    ...groups.flatMap(([title, ofGroup]) => [`${title}:`, ...writeGroup(ofGroup), '']),
    ...(command.maxArgsBeforeChild === undefined
      ? []
      : [...wrapLines(aboutChildCommand, columns), '']),
    'Examples:',
    ...examples.map((example) => `  ${example}`),
    ''
  ].join('\n')
}

/** One flag after the other, each with its help beside it. */
export function flagLines(flags: readonly Flag[]): readonly string[] {
  const rows = flags.map((flag) => ({
    left: `--${flag.name} ${flag.valueName ?? ''}`.trimEnd(),
    right: flag.help
  }))
  const width = Math.max(...rows.map(({ left }) => left.length))
  return rows.flatMap(({ left, right }) =>
    wrapLines(right, columns - width - 4).map(
      (line, at) => `  ${(at === 0 ? left : '').padEnd(width)}  ${line}`
    )
  )
}
