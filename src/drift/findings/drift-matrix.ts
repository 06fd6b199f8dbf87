/** Several versions in a row: which class of requests drifted at which step. */
import { type Axis, bySeverity, type Severity } from '../changes/kinds.ts'
import { type DriftReport, unacceptedFindings } from './drift-report.ts'
import type { Finding } from './finding.ts'

export interface DriftMatrix {
  readonly steps: readonly DriftReport[]
  /** Worst first; then classes of requests, then modules of the contract, by name. */
  readonly rows: readonly DriftMatrixRow[]
}

export interface DriftMatrixRow {
  readonly scope: string
  readonly axis: Exclude<Axis, 'data'>
  readonly cells: readonly DriftMatrixCell[]
}

export interface DriftMatrixCell {
  /** Undefined where nothing drifted. */
  readonly worst: Severity | undefined
  readonly findings: readonly Finding[]
}

/** @param steps the reports of A→B, B→C, … in order */
export function driftMatrixOf(steps: readonly DriftReport[]): DriftMatrix {
  const rows = new Map<string, DriftMatrixRow>()
  for (const { scope, axis } of steps.flatMap(unacceptedFindings)) {
    const name = `${axis} ${scope}`
    if (axis === 'data' || rows.has(name)) continue
    rows.set(name, { scope, axis, cells: steps.map((step) => cellOf(step, scope, axis)) })
  }
  const byName = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  return { steps, rows: byName.toSorted((a, b) => bySeverity(worstOf(a), worstOf(b))) }
}

/** Of all steps. */
const worstOf = ({ cells }: DriftMatrixRow): Severity =>
  cells.flatMap(({ worst }) => worst ?? []).sort(bySeverity)[0] ?? 'noise'

function cellOf(step: DriftReport, scope: string, axis: Axis): DriftMatrixCell {
  const findings = unacceptedFindings(step).filter((one) => one.scope === scope && one.axis === axis)
  const [worst] = findings.map(({ severity }) => severity).sort(bySeverity)
  return { worst, findings }
}
