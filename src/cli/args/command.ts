/** What a command of the command line is: its flags, one call of it, and the process around it. */
import type { ChildProcess } from 'node:child_process'
import type { ProjectSettings } from '../../settings/project-settings.ts'
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
  run(call: Invocation): Promise<number>
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

/** One call of a command: its arguments, and the process around it. */
export interface Invocation extends CommandContext, ParsedArgs {}

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
