/** What a command of the command line is: its flags, one call of it, and the process around it. */
import type { ChildProcess } from 'node:child_process'
import type { ProjectSettings } from '../../recorder/settings/project-settings.ts'
import { errorText } from '../../recorder/text/error-text.ts'
import type { RetryClock } from '../../recorder/upstream/polite-client.ts'
import texts from './command-texts.json' with { type: 'json' }

/** The process around a command: in tests one of their own. */
export interface CommandContext {
  readonly stdout: (text: string | Uint8Array) => void
  readonly stderr: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  readonly settings?: ProjectSettings | undefined
  /** True if stderr is a terminal: progress is shown there. */
  readonly isTerminal: boolean
  /** Its width; 80 by default. */
  readonly columns?: () => number
  readonly useColor: boolean
  readonly now: () => number
  readonly stdin: () => Promise<string>
  /** True if stdin is a terminal, whose Ctrl-C reaches every process of the job. */
  readonly isInteractive: boolean
  /** Prompts for a password; absent without a terminal. */
  readonly askSecret?: (question: string) => Promise<string>
  /** Resolves at SIGINT or SIGTERM; until it is called, these end the process at once. */
  readonly stopSignal: () => Promise<NodeJS.Signals>
  /** For requests that wait; the system's by default. */
  readonly clock?: RetryClock
  /** Starts the command after `--`; by default with the streams of this process. */
  readonly spawn?: (
    name: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv
  ) => ChildProcess
}

export interface Command {
  readonly name: string
  /** If a child command may follow: how many arguments may precede it. */
  readonly maxArgsBeforeChild?: number
  /** False for what can only be the child command's name; absent if every argument may precede it. */
  readonly isOwnArg?: (argument: string) => boolean
  /** @returns the exit code. @throws UsageError */
  run(call: Invocation): Promise<number>
}

/** What people read of it. */
interface CommandTexts {
  /** For the list: it fits in one line of a terminal. */
  readonly brief: string
  /** Names in other tools. */
  readonly synonyms?: readonly string[]
  /** Its arguments, as the help shows them. */
  readonly usage: string
  readonly summary: string
  readonly examples: readonly string[]
  /** What a signal leaves, and how to go on; absent for commands that write nothing, and for servers, which it ends. */
  readonly interrupted?: {
    readonly left: string
    /** Whether the command listens to the signal, and ends by itself. */
    readonly isAwaited: boolean
  }
}

const textsByName: Readonly<Record<string, CommandTexts>> = texts

export const commandNames: readonly string[] = Object.keys(texts)

/** @throws TypeError if there is no such command */
export function textsOf({ name }: { readonly name: string }): CommandTexts {
  const found = textsByName[name]
  if (!found) throw new TypeError(`command-texts.json has no ${name}`)
  return found
}

export interface CommandEntry {
  readonly name: string
  /** Loaded on demand, which makes short calls several times as fast. */
  readonly load: () => Promise<Command>
}

export interface ParsedArgs {
  readonly positionals: readonly string[]
  /** The command after `--`. */
  readonly childCommand: readonly string[]
  /** The value of a flag; the last one if it was given several times. */
  readonly value: (flag: string) => string | undefined
  readonly values: (flag: string) => readonly string[]
  readonly isOn: (flag: string) => boolean
}

export interface Invocation extends CommandContext, ParsedArgs {}

/** Wrong arguments, or an unreadable file: exit code 2. */
export class UsageError extends Error {}

/** @param failure begins the message, e.g. `cannot read FILE`. @throws UsageError */
export function orUsageError<T>(failure: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw new UsageError(`${failure}: ${errorText(error)}`)
  }
}

/** What was read, unless it is a text: why it cannot be. @param place begins the message. @throws UsageError */
export function readOrThrow<T extends object>(reading: T | string, place = ''): T {
  if (typeof reading === 'string') throw new UsageError(place + reading)
  return reading
}

/** @throws UsageError, as the next ones */
export function numberFlag(
  args: ParsedArgs,
  flag: string,
  defaultValue: number,
  max: number,
  min = 0
): number {
  const text = args.value(flag)
  if (text === undefined) return defaultValue
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new UsageError(
    `--${flag} is "${text}"; expected a whole number from ${min} to ${max}`
  )
}

/** Undefined if the flag is absent. Other values than those of its choices were refused when the arguments were read. */
export const choiceFlag = <T extends string>(
  args: ParsedArgs,
  flag: string,
  values: readonly T[]
): T | undefined => values.find((one) => one === args.value(flag))

/** What has the only name that begins so. @param none the message if there is none */
export function onlyMatch<T>(
  named: Iterable<readonly [name: string, T]>,
  prefix: string,
  what: string,
  none: string
): T {
  const found = [...named].filter(([name]) => prefix !== '' && name.startsWith(prefix))
  const [first, second] = found
  if (!first) throw new UsageError(none)
  if (!second) return first[1]
  const examples = `e.g. ${first[0]} and ${second[0]}`
  throw new UsageError(
    `"${prefix}" matches ${found.length} ${what}, ${examples}; add more digits`
  )
}

/** The positional arguments: `max` of them, or not less than `min`. */
export function expectArgs(
  command: Command,
  { positionals }: ParsedArgs,
  max: number,
  min: number = max
): readonly string[] {
  const { length } = positionals
  if (length >= min && length <= max) return positionals
  const what =
    length < min ? 'too few arguments' : `unexpected argument "${positionals[max]}"`
  throw new UsageError(
    `${what}; usage: wikitape ${command.name} ${textsOf(command).usage}`.trim()
  )
}
