/** The threshold from which drift fails a job, and the exit code. */
import { bySeverity } from '../changes/kinds.ts'
import { type DriftReport, unacceptedFindings } from './drift-report.ts'
import type { Finding } from './finding.ts'

/** From which severity on drift fails a job; `any` includes data. */
export type FailOn = 'breaking' | 'risky' | 'any' | 'none'

/** As POSIX diff: 0 the same (or nothing that counts), 1 drift, 2 could not compare. */
export type ExitCode = 0 | 1 | 2

export const failOnValues: readonly FailOn[] = ['breaking', 'risky', 'any', 'none']

/** Findings that fail the job: not accepted, bad enough; content alone only with `any`. */
export function failingFindings(report: DriftReport, failOn: FailOn): readonly Finding[] {
  if (failOn === 'none') return []
  const open = unacceptedFindings(report)
  if (failOn === 'any') return open
  return open.filter(({ severity, axis }) => axis !== 'data' && bySeverity(severity, failOn) <= 0)
}

/** An incomplete comparison is trouble, whatever it found. */
export function exitCode(report: DriftReport, failOn: FailOn): ExitCode {
  if (report.remarks.some(({ fatal }) => fatal)) return 2
  return failingFindings(report, failOn).length > 0 ? 1 : 0
}
