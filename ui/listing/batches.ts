/** The rows of a listing as stretches of one recording each, and gaps. */
import type { ListingRowView } from '../../src/ui/run-views.ts'

export interface Batch {
  /** Key of the recording; empty for a gap. */
  readonly key: string
  /** Number of its first row. */
  readonly from: number
  readonly rows: number
  /** The continue values before it. */
  readonly continues: string
}

export function batchesOf(rows: readonly ListingRowView[]): readonly Batch[] {
  const batches: Batch[] = []
  for (const [at, row] of rows.entries()) {
    const key = row.kind === 'gap' ? '' : row.key
    const continues = row.kind === 'gap' ? '' : row.continues
    const last = batches.at(-1)
    if (last !== undefined && last.key === key && key !== '' && continues === '')
      batches[batches.length - 1] = { ...last, rows: last.rows + 1 }
    else batches.push({ key, from: at, rows: 1, continues })
  }
  return batches
}
