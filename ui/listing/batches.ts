/** The rows of a listing as stretches of one recording each, and gaps. */
import type { ListingRowView } from '../../src/pages/run-views.ts'

export interface Batch {
  /** Key of the recording; empty for a gap. */
  readonly key: string
  /** Position of its first row among rows and gaps. */
  readonly from: number
  /** Number of its first row among those recorded, from 1 on. */
  readonly number: number
  readonly rows: number
  /** The continue values before it. */
  readonly continues: string
}

export function batchesOf(rows: readonly ListingRowView[]): readonly Batch[] {
  const batches: Batch[] = []
  const numbers = rowNumbers(rows)
  for (const [at, row] of rows.entries()) {
    const key = row.kind === 'gap' ? '' : row.key
    const continues = row.kind === 'gap' ? '' : row.continues
    const last = batches.at(-1)
    if (last !== undefined && last.key === key && key !== '' && continues === '')
      batches[batches.length - 1] = { ...last, rows: last.rows + 1 }
    else batches.push({ key, from: at, number: numbers[at] ?? 0, rows: 1, continues })
  }
  return batches
}

/** Numbers of the recorded rows; a gap has that of the row after it. */
export function rowNumbers(rows: readonly ListingRowView[]): readonly number[] {
  let count = 0
  return rows.map((row) => {
    if (row.kind === 'gap') return count + 1
    count += 1
    return count
  })
}
