/** The texts of `--help`, in lines of 80 columns. */
import { wrapLines } from '../text/wrap-lines.ts'
import { type Command, type CommandEntry, helpFlag } from './args/command.ts'
import { commandGroups } from './commands.ts'

const columns = 80

/** All commands, one line each, in groups. */
export function overviewText(): string {
  const width = Math.max(...commandGroups.flatMap((group) => group.commands.map((one) => one.name.length)))
  const line = ({ name, brief }: CommandEntry): string => `  ${name.padEnd(width)}  ${brief}`
  return [
    'Usage: wikitape <command> [arguments]',
    '',
    'Record once against a live wiki, replay offline in tests.',
    ...commandGroups.flatMap(({ title, commands }) => ['', `${title}:`, ...commands.map(line)]),
    '',
    'wikitape help <command> shows its flags. First steps:',
    '  wikitape record https://ru.wikipedia.org/w/api.php --cassette cassettes/mine',
    '  wikitape replay --cassette cassettes/mine',
    '',
  ].join('\n')
}

const aboutChildCommand =
  'Flags come before --, and CMD after it. PowerShell removes the --. Therefore CMD also starts at the first argument that wikitape does not take itself.'

/** One command: usage, summary, flags, examples. */
export function helpText(command: Command): string {
  const rows = [...command.flags, helpFlag].map((flag) => ({
    left: `--${flag.name}${flag.valueName === undefined ? '' : ` ${flag.valueName}`}`,
    right: flag.help,
  }))
  const width = Math.max(...rows.map(({ left }) => left.length))
  return [
    `Usage: wikitape ${command.name} ${command.usage}`.trim(),
    '',
    ...wrapLines(command.summary, columns),
    '',
    ...rows.flatMap(({ left, right }) => hangingIndent(left.padEnd(width), right)),
    '',
    ...(command.maxArgsBeforeChild === undefined ? [] : [...wrapLines(aboutChildCommand, columns), '']),
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}

/** Wraps the text in a column of its own, to the right of its flag. */
function hangingIndent(left: string, text: string): readonly string[] {
  const lines = wrapLines(text, columns - left.length - 4)
  return lines.map((line, index) => `  ${index === 0 ? left : ' '.repeat(left.length)}  ${line}`)
}
