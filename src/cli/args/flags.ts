/** The flags of all commands: data, a line each as the help has it. Lists that begin with `@` are parts of others. */
import lists from './flags.json' with { type: 'json' }

export interface Flag {
  readonly name: string
  /** In the help; a flag without one is on or off. */
  readonly valueName: string | undefined
  readonly repeatable: boolean
  /** All values, if they are few. */
  readonly choices: readonly string[] | undefined
  readonly help: string
}

/** Those of a command, `--help` last. */
export const flagsOf = ({ name }: { readonly name: string }): readonly Flag[] =>
  flagsIn(name, '@help')

/** Those of several lists; of one name the last counts, in the place of the first. */
export function flagsIn(...names: readonly string[]): readonly Flag[] {
  const flags = names.flatMap(linesOf).map(readFlag)
  return [...new Map(flags.map((flag) => [flag.name, flag])).values()]
}

const linesByList: Readonly<Record<string, readonly string[]>> = lists

const linesOf = (list: string): readonly string[] =>
  (linesByList[list] ?? []).flatMap((line) =>
    line.startsWith('@') ? linesOf(line) : line
  )

/** `--port N: help`, `--header LINE…: help` if it may be repeated, `--match HOW (strict): help` with all values. */
function readFlag(line: string): Flag {
  const [, name = '', valueName, more, choices, help = ''] =
    /^--([\w-]+)(?: ([^ (:…]+)(…)?)?(?: \((\S+)\))?: (.*)$/.exec(line) ?? []
  return {
    name,
    valueName,
    repeatable: more !== undefined,
    choices: choices?.split('|'),
    help
  }
}
