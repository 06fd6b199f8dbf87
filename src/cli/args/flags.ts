/** The flags of all commands: data, a line each as the help has it. Lists that begin with `@` are parts of others; `# Title` names a group. */
import lists from './flags.json' with { type: 'json' }

export interface Flag {
  readonly name: string
  /** In the help; a flag without one is on or off. */
  readonly valueName: string | undefined
  readonly repeatable: boolean
  /** All values, if they are few. */
  readonly choices: readonly string[] | undefined
  readonly help: string
  /** Those of a command alone are in none. */
  readonly group: string
}

/** Those of a command, `--help` last. */
export const flagsOf = ({ name }: { readonly name: string }): readonly Flag[] =>
  flagsIn(name, '@help')

/** Those of several lists; of one name the last counts, in the place of the first. */
export function flagsIn(...names: readonly string[]): readonly Flag[] {
  const flags = names.flatMap((name) => flagsOfList(name, ''))
  return [...new Map(flags.map((flag) => [flag.name, flag])).values()]
}

const linesByList: Readonly<Record<string, readonly string[]>> = lists

/** @param outer the group of the list that this one is a part of */
function flagsOfList(list: string, outer: string): readonly Flag[] {
  const lines = linesByList[list] ?? []
  const group = lines[0]?.startsWith('# ') ? lines[0].slice(2) : outer
  return lines
    .filter((line) => !line.startsWith('# '))
    .flatMap((line) =>
      line.startsWith('@') ? flagsOfList(line, group) : readFlag(line, group)
    )
}

/** `--port N: help`, `--header LINE…: help` if it may be repeated, `--match HOW (strict): help` with all values. */
function readFlag(line: string, group: string) {
  const [, name = '', valueName, more, choices, help = ''] =
    /^--([\w-]+)(?: ([^ (:…]+)(…)?)?(?: \((\S+)\))?: (.*)$/.exec(line) ?? []
  return {
    name,
    valueName,
    repeatable: more !== undefined,
    choices: choices?.split('|'),
    help,
    group
  }
}
