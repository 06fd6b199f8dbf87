/** What the command line says of itself, in lines of 80 columns. */
import { wrapLines } from '../text/wrap-lines.ts'
import { type Command, type CommandEntry, helpFlag } from './args/command.ts'
import { commandGroups } from './commands.ts'

const columns = 80

/** Every verb, a line each, by what people come for. */
export function overviewText(): string {
  const width = Math.max(...commandGroups.flatMap((group) => group.commands.map((one) => one.name.length)))
  const line = ({ name, brief }: CommandEntry): string => `  ${name.padEnd(width)}  ${brief}`
  return [
    'Usage: wikitape <verb> [arguments]',
    '',
    'Record once against a live wiki, replay offline in tests.',
    ...commandGroups.flatMap(({ title, commands }) => ['', `${title}:`, ...commands.map(line)]),
    '',
    'wikitape help <verb> tells more. First steps:',
    '  wikitape record https://ru.wikipedia.org/w/api.php --cassette cassettes/mine',
    '  wikitape replay --cassette cassettes/mine',
    '',
  ].join('\n')
}

const aboutChildCommand =
  'Flags stand in front of the command. It begins behind --, or, since PowerShell keeps that to itself, with the first argument that is none of those above.'

/** One verb: how it is called, what it does, its flags, examples. */
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

/** The text stands beside its flag, also where it goes on in the next line. */
function hangingIndent(left: string, text: string): readonly string[] {
  const lines = wrapLines(text, columns - left.length - 4)
  return lines.map((line, index) => `  ${index === 0 ? left : ' '.repeat(left.length)}  ${line}`)
}
