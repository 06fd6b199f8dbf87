/** What a verb of the command line is; parsing of its flags. */
import type { ChildProcess } from 'node:child_process'
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { withoutCredentials } from '../../privacy/redact/url-credentials.ts'
import type { Settings } from '../../settings/project-settings.ts'
import { didYouMean } from '../../text/did-you-mean.ts'
import { errorText } from '../../text/error-text.ts'
import type { Clock } from '../../upstream/polite-client.ts'

/** The process as a verb sees it. */
export interface Shell {
  readonly out: (text: string | Uint8Array) => void
  readonly err: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  /** What the project has settled in wikitape.config.json. */
  readonly settings?: Settings | undefined
  /** True where stderr is a terminal: progress is shown there. */
  readonly terminal: boolean
  /** How wide it is; 80 unless told. */
  readonly columns?: () => number
  readonly color: boolean
  readonly now: () => number
  readonly stdin: () => Promise<string>
  /** True where someone sits at a terminal, whose Ctrl-C every process of the job gets. */
  readonly interactive: boolean
  /** Asks at the terminal for what must not be seen; absent where nobody sits there. */
  readonly askSecret?: (question: string) => Promise<string>
  /** Resolves at SIGINT or SIGTERM; until a verb asks for it, these end the process at once. */
  readonly stopped: () => Promise<NodeJS.Signals>
  /** How time passes for questions that wait; that of the system unless given. */
  readonly clock?: Clock
  /** How the command after `--` is started; with the streams of this process unless given. */
  readonly spawn?: (name: string, args: readonly string[], env: NodeJS.ProcessEnv) => ChildProcess
}

export interface Flag {
  readonly name: string
  /** What stands for the value in the help; a flag without one is on or off. */
  readonly value?: string
  /** True where it may be given several times. */
  readonly many?: boolean
  /** Every value there is, where they are few. */
  readonly choices?: readonly string[]
  readonly help: string
}

export interface Verb {
  readonly name: string
  /** Positional arguments as the help shows them. */
  readonly args: string
  readonly summary: string
  readonly flags: readonly Flag[]
  /** Flags of another verb that people may look for here, and why there is none. */
  readonly lacks?: Readonly<Record<string, string>>
  readonly examples: readonly string[]
  /** Where a command may follow: how many arguments of the verb's own stand before it at most. */
  readonly commandAfter?: number
  /** @returns the exit code. @throws UsageError */
  run(given: Given, shell: Shell): Promise<number>
}

/** A verb in the list of all of them. */
export interface Entry {
  readonly name: string
  /** For the list: one line of a terminal has room for it. */
  readonly brief: string
  /** What people type who mean it, as other tools have it. */
  readonly meant?: readonly string[]
  /** Verbs are read one by one, since most of a short call goes to reading what it does not use. */
  readonly load: () => Promise<Verb>
}

/** Flags and arguments of one call. */
export interface Given {
  readonly positionals: readonly string[]
  /** What follows `--`, or the verb's own arguments where no `--` stands. */
  readonly command: readonly string[]
  /** The value of a flag; of one given several times the last. */
  readonly text: (flag: string) => string | undefined
  /** Every value of a flag that may be given several times. */
  readonly texts: (flag: string) => readonly string[]
  readonly on: (flag: string) => boolean
}

/** A call that cannot be carried out as it was written: exit code 2. */
export class UsageError extends Error {}

/** What an act gives, or why it cannot be done, e.g. `cannot read FILE: …`. @throws UsageError */
export function orUsage<T>(cannot: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new UsageError(`${cannot}: ${errorText(error)}`)
  }
}

export const helpFlag: Flag = { name: 'help', help: 'show this help' }

/** @throws UsageError */
export function parseGiven(verb: Verb, argv: readonly string[]): Given {
  const options = Object.fromEntries(
    [...verb.flags, helpFlag].map((flag) => [
      flag.name,
      { type: flag.value === undefined ? 'boolean' : 'string', multiple: flag.many === true } as const,
    ]),
  )
  const { own, command } = splitOff(verb, argv, options)
  const parsed = parseStrictly(
    verb,
    own.map((one) => (one === '-h' ? '--help' : one)),
    options,
  )
  const values = new Map(Object.entries(parsed.values))
  return {
    positionals: parsed.positionals,
    command,
    text: (flag) => {
      const value = [values.get(flag)].flat().at(-1)
      return typeof value === 'string' ? value : undefined
    },
    texts: (flag) => [values.get(flag)].flat().filter((one) => typeof one === 'string'),
    on: (flag) => values.get(flag) === true,
  }
}

interface Split {
  readonly own: readonly string[]
  readonly command: readonly string[]
}

/**
 * The command begins behind the first `--`, or with the first argument that the verb does not take itself: PowerShell
 * keeps the first `--` of a call of `npx` to itself. @throws UsageError
 */
function splitOff(verb: Verb, argv: readonly string[], options: Options): Split {
  const dashes = argv.indexOf('--')
  const before = dashes < 0 ? argv : argv.slice(0, dashes)
  const { commandAfter } = verb
  const after = dashes < 0 ? [] : argv.slice(dashes + 1)
  if (commandAfter === undefined) {
    if (after.length > 0) throw new UsageError(`wikitape ${verb.name} takes no command after --`)
    return { own: before, command: [] }
  }
  const { tokens } = parseArgs({ args: [...before], options, strict: false, tokens: true })
  const first = tokens.filter(({ kind }) => kind === 'positional')[commandAfter]
  if (first === undefined) return { own: before, command: after }
  const [name = '', ...args] = argv.slice(first.index)
  // A bare name is a program's. Many verbs take a cassette where these want a flag: nobody runs a folder.
  if (/[/\\]/.test(name) && statSync(name, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new UsageError(
      `unexpected argument "${name}", which is no program either; usage: wikitape ${verb.name} ${verb.args}`,
    )
  }
  return { own: argv.slice(0, first.index), command: [name, ...args] }
}

type Options = Record<string, { readonly type: 'boolean' | 'string'; readonly multiple: boolean }>

function parseStrictly(verb: Verb, argv: readonly string[], options: Options): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
  } catch (error) {
    const text = errorText(error).split('. ', 1)[0]
    const typed = /^Unknown option '(--[^']+)'/.exec(text ?? '')?.[1]
    const lacking = verb.lacks?.[typed?.slice(2) ?? '']
    if (lacking !== undefined) throw new UsageError(lacking)
    const known = Object.keys(options).map((name) => `--${name}`)
    const hint = typed === undefined ? '' : didYouMean(typed, known)
    throw new UsageError(`${text}${hint}; wikitape ${verb.name} --help lists its flags`)
  }
}

/** A whole number flag. @throws UsageError */
export function numberFlag(given: Given, flag: string, standard: number, max: number): number {
  const text = given.text(flag)
  if (text === undefined) return standard
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > max) {
    throw new UsageError(`--${flag} is "${text}"; expected a whole number from 0 to ${max}`)
  }
  return value
}

/** The one argument that names a wiki, or what the project has settled. @throws UsageError */
export function addressArg(verb: Verb, given: Given, { settings, env, err }: Shell): string {
  if (given.positionals.length > 0 || settings?.apiUrl === undefined)
    return expectArgs(verb, given, 1)[0] ?? ''
  const { apiUrl, file } = settings
  const shown = withoutCredentials(apiUrl)
  // A file of a clone must not choose who is told a password.
  if (given.text('login') !== undefined || given.texts('header').length > 0 || env['WIKITAPE_BEARER'])
    throw new UsageError(
      `${file} names the wiki, and credentials go only to one that the command line names: wikitape ${verb.name} ${shown} …`,
    )
  err(`wikitape: the wiki is ${shown}, as ${file} says\n`)
  return apiUrl
}

/** Exactly so many positional arguments, or fewer down to the least. @throws UsageError */
export function expectArgs(
  verb: Verb,
  given: Given,
  count: number,
  least: number = count,
): readonly string[] {
  const { length } = given.positionals
  if (length >= least && length <= count) return given.positionals
  const what = length < least ? 'too few arguments' : `unexpected argument "${given.positionals[count]}"`
  throw new UsageError(`${what}; usage: wikitape ${verb.name} ${verb.args}`.trim())
}
