/** `wikitape review`: whether the client that a cassette was recorded from uses the API as the manual says. */
import { reviewFormats, reviewReport } from '../../../report/formats/review-report.ts'
import { reviewSeverities } from '../../../review/rules.ts'
import { type Command, choiceFlag } from '../../args/command.ts'
import { writeText } from '../../files/text-files.ts'
import { cassetteFlag, openCassetteArg } from '../../flags/cassette-flags.ts'
import { packageVersion } from '../../package-version.ts'
import { readLog, reviewCassette } from '../../serve/review-run.ts'
import { writeUnescaped } from '../../terminal/terminal-output.ts'

const failOnValues = [...reviewSeverities, 'none'] as const

export const reviewCommand: Command = {
  name: 'review',
  usage: '[DIR] [flags]',
  summary:
    'Reviews how the recorded client uses the API: answers cut off, warnings, deprecated names, pages asked one by one, and, with the log of the run, User-Agent, maxlag, parallel requests, Retry-After and tokens. Exit code 1: findings as severe as --fail-on.',
  flags: {
    ...cassetteFlag,
    'log FILE': 'the log of the run (record --log FILE): only its requests are reviewed, by User-Agent',
    'format FORMAT': { help: `${reviewFormats.join(', ')} (default text)`, choices: reviewFormats },
    'output FILE': 'write the report to a file instead of stdout',
    'fail-on LEVEL': {
      help: `lowest severity that counts: ${failOnValues.join(', ')} (default error)`,
      choices: failOnValues,
    },
    json: 'the same as --format json',
  },
  examples: [
    'wikitape review cassettes/mine --log run.jsonl',
    'wikitape review cassettes/mine --format sarif --output review.sarif --fail-on warning',
  ],
  async run(call) {
    const failOn = choiceFlag(call, 'fail-on', failOnValues) ?? 'error'
    const format = call.isOn('json') ? 'json' : (choiceFlag(call, 'format', reviewFormats) ?? 'text')
    const [file, log] = [call.value('output'), call.value('log')]
    const store = openCassetteArg(reviewCommand, call)
    const review = reviewCassette(store, log === undefined ? undefined : readLog(log, store.dir))
    const text = reviewReport(review, format, store.dir, packageVersion())
    if (file === undefined) writeUnescaped(call, text)
    else writeText(file, text)
    const counted = failOnValues.slice(0, failOn === 'none' ? 0 : failOnValues.indexOf(failOn) + 1)
    return review.findings.some(({ severity }) => counted.includes(severity)) ? 1 : 0
  },
}
