/** The result of a comparison: all that a report is written from, and the exit code. */
import type { Traffic } from '../../recorder/cassette/format/traffic-file.ts'
import { groupBy } from '../../recorder/text/group-by.ts'
import { type Axis, bySeverity } from '../changes/kinds.ts'
import type { NoiseEntry, SuppressedChanges } from '../noise/noise-profile.ts'
import type { Cause } from './cause.ts'
import type { FailOn } from './fail-on.ts'
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
  /** Its id, or else its address. */
  readonly wiki: string
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
    | 'sent-otherwise'
    | 'acceptance-outgrown'
  readonly text: string
  readonly fatal: boolean
}

const unacceptedFindings = (report: DriftReport) =>
  report.findings.filter((finding) => !finding.accepted)

/** Findings that fail the job: not accepted, bad enough; content alone only with `any`. */
export function failingFindings(report: DriftReport, failOn: FailOn): readonly Finding[] {
  if (failOn === 'none') return []
  const open = unacceptedFindings(report)
  if (failOn === 'any') return open
  return open.filter(
    ({ severity, axis }) => axis !== 'data' && bySeverity(severity, failOn) <= 0
  )
}

export const isPartial = ({ remarks }: DriftReport): boolean =>
  remarks.some(({ fatal }) => fatal)

/** As POSIX diff: 0 the same (or nothing that counts), 1 drift, 2 could not compare: incomplete, whatever was found. */
export function exitCode(report: DriftReport, failOn: FailOn): 0 | 1 | 2 {
  if (isPartial(report)) return 2
  return failingFindings(report, failOn).length > 0 ? 1 : 0
}

/** Several versions in a row: which class of requests drifted at which step. */
export interface DriftMatrix {
  readonly steps: readonly DriftReport[]
  /** Worst first; then classes of requests, then modules of the contract, by name. */
  readonly rows: readonly DriftMatrixRow[]
}

interface DriftMatrixRow {
  readonly scope: string
  readonly axis: Exclude<Axis, 'data'>
  /** The findings of each step, worst first. */
  readonly cells: readonly (readonly Finding[])[]
}

/** @param steps the reports of A→B, B→C, … in order */
export function driftMatrixOf(steps: readonly DriftReport[]): DriftMatrix {
  const nameOf = ({ axis, scope }: Finding) => `${axis} ${scope}`
  const named = [...groupBy(steps.flatMap(unacceptedFindings), nameOf)].sort(
    ([a], [b]) => (a < b ? -1 : 1)
  )
  const rows = named.flatMap(([name, [{ scope, axis }]]) => {
    const cells = steps.map((step) =>
      unacceptedFindings(step).filter((one) => nameOf(one) === name)
    )
    return axis === 'data' ? [] : [{ scope, axis, cells }]
  })
  return {
    steps,
    rows: rows.sort((a, b) => bySeverity(worstOf(a), worstOf(b)))
  }
}

/** The worst severity of all steps. */
const worstOf = ({ cells }: DriftMatrixRow) =>
  cells.flatMap(([worst]) => worst?.severity ?? []).sort(bySeverity)[0] ?? 'noise'
