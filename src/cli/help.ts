/** What the command line says of itself, in lines of 80 columns. */
import { wrap } from '../text/wrap-lines.ts'
import { type Entry, helpFlag, type Verb } from './args/command.ts'
import { catalogue } from './commands.ts'

const columns = 80

/** Every verb, a line each, by what people come for. */
export function overview(): string {
  const width = Math.max(...catalogue.flatMap((group) => group.entries.map((one) => one.name.length)))
  const line = ({ name, brief }: Entry): string => `  ${name.padEnd(width)}  ${brief}`
  return [
    'Usage: wikitape <verb> [arguments]',
    '',
    'Record once against a live wiki, replay offline in tests.',
    ...catalogue.flatMap(({ title, entries }) => ['', `${title}:`, ...entries.map(line)]),
    '',
    'wikitape help <verb> tells more. First steps:',
    '  wikitape record https://ru.wikipedia.org/w/api.php --cassette cassettes/mine',
    '  wikitape replay --cassette cassettes/mine',
    '',
  ].join('\n')
}

const aboutCommand =
  'Flags stand in front of the command. It begins behind --, or, since PowerShell keeps that to itself, with the first argument that is none of those above.'

/** One verb: how it is called, what it does, its flags, examples. */
export function helpText(verb: Verb): string {
  const rows = [...verb.flags, helpFlag].map((flag) => ({
    left: `--${flag.name}${flag.value === undefined ? '' : ` ${flag.value}`}`,
    right: flag.help,
  }))
  const width = Math.max(...rows.map(({ left }) => left.length))
  return [
    `Usage: wikitape ${verb.name} ${verb.args}`.trim(),
    '',
    ...wrap(verb.summary, columns),
    '',
    ...rows.flatMap(({ left, right }) => hanging(left.padEnd(width), right)),
    '',
    ...(verb.commandAfter === undefined ? [] : [...wrap(aboutCommand, columns), '']),
    'Examples:',
    ...verb.examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}

/** The text stands beside its flag, also where it goes on in the next line. */
function hanging(left: string, text: string): readonly string[] {
  const lines = wrap(text, columns - left.length - 4)
  return lines.map((line, index) => `  ${index === 0 ? left : ' '.repeat(left.length)}  ${line}`)
}
