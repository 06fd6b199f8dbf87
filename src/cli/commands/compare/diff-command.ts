/** `wikitape diff`: the drift between two cassettes, or a cassette and a live wiki. */
import { exitCode, failOnValues } from '../../../drift/findings/drift-report.ts'
import { detailLevels } from '../../../report/terminal/terminal-report.ts'
import { type Command, expectArgs } from '../../args/command.ts'
import { compareFlags, compareSides } from '../../compare/compare-sides.ts'
import { driftFormats, readDriftOutput, writeReports } from '../../compare/drift-output.ts'
import { readAcceptances } from '../../files/drift-files.ts'
import { printNote } from '../../terminal/terminal-output.ts'

export const diffCommand: Command = {
  name: 'diff',
  usage: 'A B [flags]',
  summary:
    'Shows what changed from A to B. Each is a cassette or the address of a live wiki. Exit code 0: no drift that --fail-on counts; 1: drift; 2: the comparison failed.',
  flags: {
    'fail-on LEVEL': {
      help: `lowest severity that counts: ${failOnValues.join(', ')} (default breaking)`,
      choices: failOnValues,
    },
    'format FORMAT': { help: `${driftFormats.join(', ')} (default terminal)`, choices: driftFormats },
    'output FILE': 'write the report to a file instead of stdout',
    'show WHAT': {
      help: 'some (default); noise: also suppressed differences; all: also every example',
      choices: detailLevels,
    },
    'accept FILE': 'the file with accepted drift (default drift.accept.json)',
    matrix: 'compare two or more sides, each with the next one, in one table',
    'probe N': 'repeat the requests N times, and write the fields that vary to noise.json in the cassette',
    ...compareFlags,
    json: 'the same as --format json',
  },
  examples: [
    'wikitape diff cassettes/ru-1.35 cassettes/ru-1.43',
    'wikitape diff cassettes/mine https://ru.wikipedia.org/w/api.php --fail-on risky',
    'wikitape diff --matrix cassettes/ru-1.35 cassettes/ru-1.39 cassettes/ru-1.43 --format html --output drift.html',
  ],
  async run(call) {
    const output = readDriftOutput(call)
    const names = expectArgs(diffCommand, call, call.isOn('matrix') ? Number.POSITIVE_INFINITY : 2, 2)
    const acceptances = readAcceptances(call, 'accept')
    const reports = await compareSides(names, acceptances, call)
    writeReports(reports, call.isOn('matrix'), output, call)
    // Last, for readers who see only the end of a log.
    for (const { text, fatal } of reports.flatMap(({ remarks }) => remarks))
      if (fatal) printNote(call, `incomplete comparison: ${text}`)
    return Math.max(0, ...reports.map((report) => exitCode(report, output.failOn)))
  },
}
