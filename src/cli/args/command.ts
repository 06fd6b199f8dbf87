/** What a verb of the command line is; parsing of its flags. */
import type { ChildProcess } from 'node:child_process'
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { redactUrl } from '../../privacy/redact/url-credentials.ts'
import type { ProjectSettings } from '../../settings/project-settings.ts'
import { didYouMean } from '../../text/did-you-mean.ts'
import { errorText } from '../../text/error-text.ts'
import type { RetryClock } from '../../upstream/polite-client.ts'

/** The process as a verb sees it. */
export interface CommandContext {
  readonly stdout: (text: string | Uint8Array) => void
  readonly stderr: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  /** What the project has settled in wikitape.config.json. */
  readonly settings?: ProjectSettings | undefined
  /** True where stderr is a terminal: progress is shown there. */
  readonly isTerminal: boolean
  /** How wide it is; 80 unless told. */
  readonly columns?: () => number
  readonly useColor: boolean
  readonly now: () => number
  readonly stdin: () => Promise<string>
  /** True where someone sits at a terminal, whose Ctrl-C every process of the job gets. */
  readonly isInteractive: boolean
  /** Asks at the terminal for what must not be seen; absent where nobody sits there. */
  readonly askSecret?: (question: string) => Promise<string>
  /** Resolves at SIGINT or SIGTERM; until a verb asks for it, these end the process at once. */
  readonly stopSignal: () => Promise<NodeJS.Signals>
  /** How time passes for questions that wait; that of the system unless given. */
  readonly clock?: RetryClock
  /** How the command after `--` is started; with the streams of this process unless given. */
  readonly spawn?: (name: string, args: readonly string[], env: NodeJS.ProcessEnv) => ChildProcess
}

export interface Flag {
  readonly name: string
  /** What stands for the value in the help; a flag without one is on or off. */
  readonly valueName?: string
  /** True where it may be given several times. */
  readonly repeatable?: boolean
  /** Every value there is, where they are few. */
  readonly choices?: readonly string[]
  readonly help: string
}

export interface Command {
  readonly name: string
  /** Positional arguments as the help shows them. */
  readonly usage: string
  readonly summary: string
  readonly flags: readonly Flag[]
  /** Flags of another verb that people may look for here, and why there is none. */
  readonly absentFlags?: Readonly<Record<string, string>>
  readonly examples: readonly string[]
  /** Where a command may follow: how many arguments of the verb's own stand before it at most. */
  readonly maxArgsBeforeChild?: number
  /** @returns the exit code. @throws UsageError */
  run(args: ParsedArgs, context: CommandContext): Promise<number>
}

/** A verb in the list of all of them. */
export interface CommandEntry {
  readonly name: string
  /** For the list: one line of a terminal has room for it. */
  readonly brief: string
  /** What people type who mean it, as other tools have it. */
  readonly synonyms?: readonly string[]
  /** Verbs are read one by one, since most of a short call goes to reading what it does not use. */
  readonly load: () => Promise<Command>
}

/** Flags and arguments of one call. */
export interface ParsedArgs {
  readonly positionals: readonly string[]
  /** What follows `--`, or the verb's own arguments where no `--` stands. */
  readonly childCommand: readonly string[]
  /** The value of a flag; of one given several times the last. */
  readonly value: (flag: string) => string | undefined
  /** Every value of a flag that may be given several times. */
  readonly values: (flag: string) => readonly string[]
  readonly isOn: (flag: string) => boolean
}

/** A call that cannot be carried out as it was written: exit code 2. */
export class UsageError extends Error {}

/** What an act gives, or why it cannot be done, e.g. `cannot read FILE: …`. @throws UsageError */
export function orUsageError<T>(failure: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw new UsageError(`${failure}: ${errorText(error)}`)
  }
}

export const helpFlag: Flag = { name: 'help', help: 'show this help' }

/** @throws UsageError */
export function parseCommandArgs(command: Command, argv: readonly string[]): ParsedArgs {
  const options = Object.fromEntries(
    [...command.flags, helpFlag].map((flag) => [
      flag.name,
      {
        type: flag.valueName === undefined ? 'boolean' : 'string',
        multiple: flag.repeatable === true,
      } as const,
    ]),
  )
  const { ownArgs, childCommand } = splitChildCommand(command, argv, options)
  const parsed = parseFlags(
    command,
    ownArgs.map((one) => (one === '-h' ? '--help' : one)),
    options,
  )
  const values = new Map(Object.entries(parsed.values))
  return {
    positionals: parsed.positionals,
    childCommand,
    value: (flag) => {
      const value = [values.get(flag)].flat().at(-1)
      return typeof value === 'string' ? value : undefined
    },
    values: (flag) => [values.get(flag)].flat().filter((one) => typeof one === 'string'),
    isOn: (flag) => values.get(flag) === true,
  }
}

interface SplitArgs {
  readonly ownArgs: readonly string[]
  readonly childCommand: readonly string[]
}

/**
 * The command begins behind the first `--`, or with the first argument that the verb does not take itself: PowerShell
 * keeps the first `--` of a call of `npx` to itself. @throws UsageError
 */
function splitChildCommand(command: Command, argv: readonly string[], options: FlagOptions): SplitArgs {
  const separatorAt = argv.indexOf('--')
  const beforeSeparator = separatorAt < 0 ? argv : argv.slice(0, separatorAt)
  const { maxArgsBeforeChild } = command
  const childArgs = separatorAt < 0 ? [] : argv.slice(separatorAt + 1)
  if (maxArgsBeforeChild === undefined) {
    if (childArgs.length > 0) throw new UsageError(`wikitape ${command.name} takes no command after --`)
    return { ownArgs: beforeSeparator, childCommand: [] }
  }
  const { tokens } = parseArgs({ args: [...beforeSeparator], options, strict: false, tokens: true })
  const firstExtra = tokens.filter(({ kind }) => kind === 'positional')[maxArgsBeforeChild]
  if (firstExtra === undefined) return { ownArgs: beforeSeparator, childCommand: childArgs }
  const [name = '', ...args] = argv.slice(firstExtra.index)
  // A bare name is a program's. Many verbs take a cassette where these want a flag: nobody runs a folder.
  if (/[/\\]/.test(name) && statSync(name, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new UsageError(
      `unexpected argument "${name}", which is no program either; usage: wikitape ${command.name} ${command.usage}`,
    )
  }
  return { ownArgs: argv.slice(0, firstExtra.index), childCommand: [name, ...args] }
}

type FlagOptions = Record<string, { readonly type: 'boolean' | 'string'; readonly multiple: boolean }>

function parseFlags(
  command: Command,
  argv: readonly string[],
  options: FlagOptions,
): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
  } catch (error) {
    const text = errorText(error).split('. ', 1)[0]
    const typed = /^Unknown option '(--[^']+)'/.exec(text ?? '')?.[1]
    const absentReason = command.absentFlags?.[typed?.slice(2) ?? '']
    if (absentReason !== undefined) throw new UsageError(absentReason)
    const known = Object.keys(options).map((name) => `--${name}`)
    const hint = typed === undefined ? '' : didYouMean(typed, known)
    throw new UsageError(`${text}${hint}; wikitape ${command.name} --help lists its flags`)
  }
}

/** A whole number flag. @throws UsageError */
export function numberFlag(args: ParsedArgs, flag: string, defaultValue: number, max: number): number {
  const text = args.value(flag)
  if (text === undefined) return defaultValue
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > max) {
    throw new UsageError(`--${flag} is "${text}"; expected a whole number from 0 to ${max}`)
  }
  return value
}

/** The one argument that names a wiki, or what the project has settled. @throws UsageError */
export function addressArg(
  command: Command,
  args: ParsedArgs,
  { settings, env, stderr }: CommandContext,
): string {
  if (args.positionals.length > 0 || settings?.apiUrl === undefined)
    return expectArgs(command, args, 1)[0] ?? ''
  const { apiUrl, file } = settings
  const shown = redactUrl(apiUrl)
  // A file of a clone must not choose who is told a password.
  if (args.value('login') !== undefined || args.values('header').length > 0 || env['WIKITAPE_BEARER'])
    throw new UsageError(
      `${file} names the wiki, and credentials go only to one that the command line names: wikitape ${command.name} ${shown} …`,
    )
  stderr(`wikitape: the wiki is ${shown}, as ${file} says\n`)
  return apiUrl
}

/** Exactly so many positional arguments, or fewer down to the least. @throws UsageError */
export function expectArgs(
  command: Command,
  args: ParsedArgs,
  max: number,
  min: number = max,
): readonly string[] {
  const { length } = args.positionals
  if (length >= min && length <= max) return args.positionals
  const what = length < min ? 'too few arguments' : `unexpected argument "${args.positionals[max]}"`
  throw new UsageError(`${what}; usage: wikitape ${command.name} ${command.usage}`.trim())
}
