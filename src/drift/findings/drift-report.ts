/** The result of a comparison: all that a report is written from, and the exit code. */
import type { Traffic } from '../../cassette/format/traffic-file.ts'
import { bySeverity } from '../changes/kinds.ts'
import type { SuppressedChanges } from '../noise/noise-filter.ts'
import type { NoiseEntry } from '../noise/noise-profile.ts'
import type { Cause } from './cause.ts'
import type { Acceptance, Finding } from './finding.ts'

export interface DriftReport {
  readonly a: SideSummary
  readonly b: SideSummary
  /** How many pairs of interactions were compared. */
  readonly compared: number
  readonly listings: number
  /** Worst first; accepted ones carry their acceptance. */
  readonly findings: readonly Finding[]
  /** The findings that were not accepted, grouped by what they come from; worst first. */
  readonly causes: readonly Cause[]
  readonly suppressed: readonly SuppressedChanges[]
  readonly staleNoise: readonly NoiseEntry[]
  /** Entries that match no finding: fixed since, or mistyped. */
  readonly unknownAcceptances: readonly Acceptance[]
  /** Entries that match, past their last day: the finding counts again. */
  readonly expiredAcceptances: readonly Acceptance[]
  readonly remarks: readonly ComparisonRemark[]
  readonly traffic?: Traffic | undefined
}

export interface SideSummary {
  readonly name: string
  readonly engine: string
  readonly lang: string
  readonly interactions: number
  readonly modules: number
}

/** Something about the comparison itself. `fatal`: the comparison is incomplete. */
export interface ComparisonRemark {
  readonly kind:
    | 'partial'
    | 'nothing-in-common'
    | 'empty'
    | 'other-language'
    | 'other-wiki'
    | 'other-user'
    | 'no-descriptions'
    | 'not-asked'
    | 'acceptance-outgrown'
  readonly text: string
  readonly fatal: boolean
}

export const unacceptedFindings = (report: DriftReport): readonly Finding[] =>
  report.findings.filter((finding) => finding.accepted === undefined)

/** From which severity on drift fails a job; `any` includes data. */
export const failOnValues = ['breaking', 'risky', 'any', 'none'] as const
export type FailOn = (typeof failOnValues)[number]

/** As POSIX diff: 0 the same (or nothing that counts), 1 drift, 2 could not compare. */
export type ExitCode = 0 | 1 | 2

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
