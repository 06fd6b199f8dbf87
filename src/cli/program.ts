/** The command line as a function: finds the verb, runs it, turns what went wrong into one message and an exit code. */

import { readSettings, SettingsError } from '../settings/project-settings.ts'
import { StoreError } from '../store/store-error.ts'
import { didYouMean } from '../text/did-you-mean.ts'
import { visibleLines } from '../text/escape-control-characters.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import { parseGiven, type Shell, UsageError, type Verb } from './args/command.ts'
import { entries } from './commands.ts'
import { packageVersion } from './package-version.ts'
import { clearLine, keepApart } from './terminal/terminal-output.ts'

/**
 * One call of `wikitape`. Never throws; a verb that serves runs until `shell.stopped()` resolves.
 * @param argv what stands behind the program's name
 * @returns the exit code: 0 fine, 1 miss or failed check, 2 usage or unreadable input, 3 upstream, 4 secret found
 */
export async function runProgram(argv: readonly string[], shell: Shell): Promise<number> {
  try {
    return await runVerb(argv, keepApart(spellingOut(shell)))
  } catch (error) {
    const text = visibleLines(messageOf(error))
    shell.err(shell.color ? `\u001b[31mwikitape: ${text}\u001b[0m\n` : `wikitape: ${text}\n`)
    return error instanceof UpstreamError ? 3 : 2
  }
}

/** What a wiki or a client wrote may stand in any line: no verb can forget to spell out what it hides. Bytes go as they are. */
function spellingOut(shell: Shell): Shell {
  return {
    ...shell,
    out: (text) => shell.out(typeof text === 'string' ? visibleLines(text) : text),
    err: (text) => {
      const own = text.startsWith(clearLine) ? clearLine : ''
      shell.err(own + visibleLines(text.slice(own.length)))
    },
  }
}

/** @throws UsageError, StoreError, UpstreamError */
async function runVerb(argv: readonly string[], shell: Shell): Promise<number> {
  const [name, ...rest] = argv
  if (name === undefined || (isHelp(name) && rest.length === 0)) {
    shell.out((await import('./help.ts')).overview())
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === '-V' || name === '-v') {
    shell.out(`${packageVersion()}\n`)
    return 0
  }
  if (isHelp(name)) {
    await showHelp(await verbNamed(rest[0] ?? ''), shell)
    return 0
  }
  const verb = await verbNamed(name)
  const given = parseGiven(verb, rest)
  if (given.on('help')) {
    await showHelp(verb, shell)
    return 0
  }
  if (given.command.length > 0)
    await (await import('./serve/child-process.ts')).mustBeProgram(given.command, shell)
  return verb.run(given, { ...shell, settings: readSettings(process.cwd()) })
}

const isHelp = (word: string): boolean => word === 'help' || word === '--help' || word === '-h'

async function showHelp(verb: Verb, shell: Shell): Promise<void> {
  shell.out((await import('./help.ts')).helpText(verb))
}

/** @throws UsageError */
function verbNamed(name: string): Promise<Verb> {
  const entry = entries.find((one) => one.name === name)
  if (entry !== undefined) return entry.load()
  const meant = entries.find((one) => one.meant?.includes(name.toLowerCase()))?.name ?? name
  const names = entries.map((one) => one.name)
  throw new UsageError(`there is no verb "${name}"${didYouMean(meant, names)}; wikitape --help lists them`)
}

/** What is no error of ours is a bug: its stack says where. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isOurs = [UsageError, SettingsError, StoreError, UpstreamError].some(
    (known) => error instanceof known,
  )
  return isOurs ? error.message : (error.stack ?? error.message)
}
