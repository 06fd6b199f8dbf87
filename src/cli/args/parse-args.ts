/** Parses the arguments of a command. Every function throws UsageError for arguments that the command does not take. */

import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { errorText } from '../../recorder/text/error-text.ts'
import { didYouMean } from '../../recorder/text/words.ts'
import { type Command, type ParsedArgs, textsOf, UsageError } from './command.ts'
import { flagsOf } from './flags.ts'

type FlagOptions = Record<
  string,
  { readonly type: 'boolean' | 'string'; readonly multiple: boolean }
>

export function parseCommandArgs(command: Command, argv: readonly string[]): ParsedArgs {
  const options: FlagOptions = Object.fromEntries(
    flagsOf(command).map(({ name, valueName, repeatable: multiple }) => [
      name,
      { type: valueName === undefined ? 'boolean' : 'string', multiple }
    ])
  )
  const { ownArgs, childCommand } = splitChildCommand(command, argv, options)
  const parsed = parseFlags(command, ownArgs, options)
  const given = new Map(Object.entries(parsed.values))
  const values = (flag: string) =>
    [given.get(flag)].flat().filter((one) => typeof one === 'string')
  requireChoices(command, given)
  return {
    positionals: parsed.positionals,
    childCommand,
    value: (flag) => values(flag).at(-1),
    values,
    isOn: (flag) => given.get(flag) === true
  }
}

function requireChoices(command: Command, given: ReadonlyMap<string, unknown>) {
  for (const { name, choices } of flagsOf(command)) {
    const value = given.get(name)
    if (!choices || typeof value !== 'string' || choices.includes(value)) continue
    const expected =
      choices.length > 2 ? `one of ${choices.join(', ')}` : choices.join(' or ')
    throw new UsageError(`--${name} is "${value}"; expected ${expected}`)
  }
}

/** The child command starts after the first `--`, or with the first argument not taken here: PowerShell removes the `--`. */
function splitChildCommand(
  command: Command,
  argv: readonly string[],
  options: FlagOptions
) {
  const { name, maxArgsBeforeChild } = command
  const separatorAt = argv.indexOf('--')
  const ownArgs = separatorAt < 0 ? argv : argv.slice(0, separatorAt)
  const childCommand = separatorAt < 0 ? [] : argv.slice(separatorAt + 1)
  if (maxArgsBeforeChild === undefined) {
    if (childCommand.length > 0)
      throw new UsageError(`wikitape ${name} accepts no command after --`)
    return { ownArgs, childCommand }
  }
  const { tokens } = parseArgs({
    args: [...ownArgs],
    options,
    strict: false,
    tokens: true
  })
  const positionals = tokens.filter((token) => token.kind === 'positional')
  const isOwn = command.isOwnArg ?? (() => true)
  const hasMore = (index: number) => index + 1 < argv.length
  const extra = positionals.find(
    ({ value, index }, at) =>
      at >= maxArgsBeforeChild || (!isOwn(value) && hasMore(index))
  )
  if (!extra) return { ownArgs, childCommand }
  const program = argv[extra.index] ?? ''
  // A bare name is a program's. A folder is none: other commands take a cassette where these want a flag.
  if (/[/\\]/.test(program) && !statSync(program, { throwIfNoEntry: false })?.isFile()) {
    // An unknown flag before it is the reason.
    parseFlags(command, argv.slice(0, extra.index), options)
    const fault = `unexpected argument "${program}", which is not a program either`
    throw new UsageError(`${fault}; usage: wikitape ${name} ${textsOf(command).usage}`)
  }
  return { ownArgs: argv.slice(0, extra.index), childCommand: argv.slice(extra.index) }
}

function parseFlags({ name }: Command, argv: readonly string[], options: FlagOptions) {
  const args = argv.map((one) => (one === '-h' ? '--help' : one))
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    const [text = ''] = errorText(error).split('. ', 1)
    const typed = /^Unknown option '(--[^']+)'/.exec(text)?.[1]
    const known = Object.keys(options).map((option) => `--${option}`)
    const why =
      typed === '--trouble'
        ? ': trouble is for replay and exec, and never recorded'
        : undefined
    const hint = typed === undefined ? '' : (why ?? didYouMean(typed, known))
    throw new UsageError(`${text}${hint}; wikitape ${name} --help lists its flags`)
  }
}
