/** Parses the arguments of a command. Every function throws UsageError where they are not what the command takes. */

import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { redactUrl } from '../../privacy/redact/url-credentials.ts'
import { didYouMean } from '../../text/did-you-mean.ts'
import { errorText } from '../../text/error-text.ts'
import { printNote } from '../terminal/terminal-output.ts'
import { type Command, helpFlag, type Invocation, type ParsedArgs, UsageError } from './command.ts'

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

/** A flag with few values; undefined if it is absent. @throws UsageError */
export function choiceFlag<T extends string>(
  args: ParsedArgs,
  flag: string,
  values: readonly T[],
): T | undefined {
  const text = args.value(flag)
  const found = values.find((one) => one === text)
  if (text === undefined || found !== undefined) return found
  const expected = values.length > 2 ? `one of ${values.join(', ')}` : values.join(' or ')
  throw new UsageError(`--${flag} is "${text}"; expected ${expected}`)
}

/** The one argument that names a wiki, or what the project has settled. @throws UsageError */
export function addressArg(command: Command, call: Invocation): string {
  const { settings } = call
  if (call.positionals.length > 0 || settings?.apiUrl === undefined)
    return expectArgs(command, call, 1)[0] ?? ''
  const { apiUrl, file } = settings
  const shown = redactUrl(apiUrl)
  // A file of a clone must not choose who is told a password.
  if (call.value('login') !== undefined || call.values('header').length > 0 || call.env['WIKITAPE_BEARER'])
    throw new UsageError(
      `${file} names the wiki, and credentials go only to one that the command line names: wikitape ${command.name} ${shown} …`,
    )
  printNote(call, `the wiki is ${shown}, as ${file} says`)
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
