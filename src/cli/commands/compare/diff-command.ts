/** `wikitape diff`: what drifted between two recordings, or between a recording and a wiki. */
import { exitCode, failOnValues } from '../../../drift/findings/fail-on.ts'
import { showValues } from '../../../report/terminal/terminal-report.ts'
import { expectArgs, type Given, type Shell, UsageError, type Verb } from '../../args/command.ts'
import { compareFlags, compareNamed } from '../../compare/compare-sides.ts'
import { formats, outputOf, writeReports } from '../../compare/drift-output.ts'
import { readAcceptances } from '../../files/drift-files.ts'
import { jsonFlag } from '../../flags/cassette-flags.ts'

export const diff: Verb = {
  name: 'diff',
  args: 'A B [flags]',
  summary:
    'Shows what changed between two cassettes, or a cassette and a live wiki. Exit code 0: no drift that counts, 1: drift, 2: trouble.',
  flags: [
    {
      name: 'fail-on',
      value: 'LEVEL',
      choices: failOnValues,
      help: `${failOnValues.join(', ')} (default breaking)`,
    },
    {
      name: 'format',
      value: 'FORMAT',
      choices: formats,
      help: `${formats.join(', ')} (default terminal)`,
    },
    { name: 'output', value: 'FILE', help: 'write the report here rather than to stdout' },
    {
      name: 'show',
      value: 'WHAT',
      choices: showValues,
      help: 'noise: what was suppressed; all: that, and every example (default some)',
    },
    { name: 'accept', value: 'FILE', help: 'drift that was agreed to (default drift.accept.json)' },
    { name: 'matrix', help: 'any number of sides in a row, as one table' },
    ...compareFlags,
    { ...jsonFlag, help: 'the same as --format json' },
  ],
  examples: [
    'wikitape diff cassettes/ru-1.35 cassettes/ru-1.43',
    'wikitape diff cassettes/mine https://ru.wikipedia.org/w/api.php --fail-on risky',
    'wikitape diff --matrix cassettes/ru-1.35 cassettes/ru-1.39 cassettes/ru-1.43 --format html --output drift.html',
  ],
  async run(given, shell) {
    const output = outputOf(given, shell)
    const names = sidesOf(given)
    const acceptances = readAcceptances(given, 'accept')
    const reports = await compareNamed(names, acceptances, given, shell)
    writeReports(reports, given.on('matrix'), output, shell)
    tellTrouble(reports, shell)
    return Math.max(0, ...reports.map((report) => exitCode(report, output.failOn)))
  },
}

function sidesOf(given: Given): readonly string[] {
  if (!given.on('matrix')) return expectArgs(diff, given, 2)
  if (given.positionals.length >= 2) return given.positionals
  throw new UsageError('too few arguments; usage: wikitape diff --matrix A B C… [flags]')
}

/** Whoever sees only the end of a log must not take a part for the whole. */
function tellTrouble(reports: Awaited<ReturnType<typeof compareNamed>>, shell: Shell): void {
  for (const { text, fatal } of reports.flatMap(({ remarks }) => remarks))
    if (fatal) shell.err(`wikitape: incomplete comparison: ${text}\n`)
}
