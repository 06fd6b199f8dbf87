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
  /** The findings of each step, worst first. */
  readonly cells: readonly (readonly Finding[])[]
}

/** @param steps the reports of A→B, B→C, … in order */
export function driftMatrixOf(steps: readonly DriftReport[]): DriftMatrix {
  const rows = new Map<string, DriftMatrixRow>()
  for (const { scope, axis } of steps.flatMap(unacceptedFindings)) {
    const name = `${axis} ${scope}`
    if (axis === 'data' || rows.has(name)) continue
    const cells = steps.map((step) =>
      unacceptedFindings(step).filter((one) => one.scope === scope && one.axis === axis),
    )
    rows.set(name, { scope, axis, cells })
  }
  const byName = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  return { steps, rows: byName.toSorted((a, b) => bySeverity(worstOf(a), worstOf(b))) }
}

/** Of all steps. */
const worstOf = ({ cells }: DriftMatrixRow): Severity =>
  cells.flatMap(([worst]) => worst?.severity ?? []).sort(bySeverity)[0] ?? 'noise'
