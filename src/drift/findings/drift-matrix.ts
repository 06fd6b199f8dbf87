/** Several versions in a row: which class of requests drifted at which step. */

import { type Axis, bySeverity, type Severity } from '../changes/kinds.ts'
import type { DriftReport } from './drift-report.ts'
import { unaccepted } from './drift-report.ts'
import type { Finding } from './finding.ts'

export interface Matrix {
  /** One for each neighbouring pair of sides. */
  readonly steps: readonly DriftReport[]
  /** Worst first; then classes of requests, then modules of the contract, by name. */
  readonly rows: readonly MatrixRow[]
}

export interface MatrixRow {
  readonly scope: string
  readonly axis: Exclude<Axis, 'data'>
  /** One for each step. */
  readonly cells: readonly MatrixCell[]
}

export interface MatrixCell {
  /** Undefined where nothing drifted. */
  readonly worst: Severity | undefined
  readonly findings: readonly Finding[]
}

/** @param steps the reports of A→B, B→C, … in order */
export function matrixOf(steps: readonly DriftReport[]): Matrix {
  const rows = new Map<string, Pick<MatrixRow, 'scope' | 'axis'>>()
  for (const { scope, axis } of steps.flatMap(unaccepted)) {
    if (axis !== 'data') rows.set(`${axis} ${scope}`, { scope, axis })
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  const filled = sorted.map(([, row]) => ({
    ...row,
    cells: steps.map((step) => cellOf(step, row.scope, row.axis)),
  }))
  return { steps, rows: filled.toSorted((a, b) => bySeverity(worstOf(a), worstOf(b))) }
}

/** Of all steps. */
const worstOf = ({ cells }: MatrixRow): Severity =>
  cells.flatMap(({ worst }) => worst ?? []).sort(bySeverity)[0] ?? 'noise'

function cellOf(step: DriftReport, scope: string, axis: Axis): MatrixCell {
  const findings = unaccepted(step).filter((one) => one.scope === scope && one.axis === axis)
  const [worst] = findings.map(({ severity }) => severity).sort(bySeverity)
  return { worst, findings }
}
