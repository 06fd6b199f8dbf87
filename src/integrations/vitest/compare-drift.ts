/** Whether a cassette has drifted, as a matcher tells it. */

import { parseGiven, type Shell } from '../../cli/args/command.ts'
import { diff } from '../../cli/commands/compare/diff-command.ts'
import { compareNamed } from '../../cli/compare/compare-sides.ts'
import { readAcceptances } from '../../cli/files/drift-files.ts'
import type { DriftReport } from '../../drift/findings/drift-report.ts'
import { exitCode, type FailOn, failing, failOnValues } from '../../drift/findings/fail-on.ts'
import { terminalReport } from '../../report/terminal/terminal-report.ts'
import { readSettings } from '../../settings/project-settings.ts'
import { CassetteStore } from '../../store/cassette-store.ts'
import {
  type Expected,
  flag,
  mustBeOptions,
  oneOf,
  text as someText,
  wholeNumber,
} from '../../text/option-checks.ts'
import { pastCassettes } from '../nock/nock-interceptor.ts'
import type { DriftOptions, Verdict } from './to-have-no-drift.ts'

const driftOptions: Expected<DriftOptions> = {
  failOn: oneOf(failOnValues),
  accept: someText('drift.accept.json'),
  allowLive: flag,
  timeout: wholeNumber(1, 3600),
}

/**
 * @param a folder of a cassette; @param other another's, or an api-url; the wiki that was recorded unless given
 * @throws TypeError where an option is none, UsageError, StoreError
 */
export async function driftVerdict(
  a: string,
  other: string | undefined,
  options: DriftOptions,
): Promise<Verdict> {
  mustBeOptions('toHaveNoDrift', options, driftOptions)
  const b = other ?? CassetteStore.open(a).manifest.upstream
  const { failOn = 'breaking' } = options
  const [report] = await pastCassettes(() => compare(a, b, options))
  if (report === undefined) throw new Error('there is nothing to compare')
  const code = exitCode(report, failOn)
  const text = terminalReport(report, { columns: 100, colour: false, failOn, show: 'some' })
  if (code === 2)
    throw new Error(`the comparison is not whole, so nobody can say whether there is drift:\n\n${text}`)
  return { pass: code === 0, message: () => tell(report, failOn, text) }
}

function compare(a: string, b: string, options: DriftOptions): Promise<readonly DriftReport[]> {
  const { accept, allowLive = false, timeout } = options
  const given = parseGiven(diff, [
    a,
    b,
    ...(accept === undefined ? [] : ['--accept', accept]),
    ...(allowLive ? ['--allow-live'] : []),
    ...(timeout === undefined ? [] : ['--timeout', String(timeout)]),
  ])
  return compareNamed([a, b], readAcceptances(given, 'accept'), given, shell())
}

/** A terminal that nobody looks at. */
const shell = (): Shell => ({
  out: () => undefined,
  err: () => undefined,
  env: process.env,
  settings: readSettings(process.cwd()),
  terminal: false,
  color: false,
  now: Date.now,
  stdin: async () => '',
  interactive: false,
  stopped: () => new Promise(() => undefined),
})

function tell(report: DriftReport, failOn: FailOn, text: string): string {
  const count = failing(report, failOn).length
  return count === 0
    ? `expected drift from ${report.a.name} to ${report.b.name}, and found none that counts:\n\n${text}`
    : `expected no drift from ${report.a.name} to ${report.b.name}:\n\n${text}`
}
