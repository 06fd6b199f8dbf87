/** The orders of rows. */
export const sorts = ['newest', 'age', 'size', 'time', 'name'] as const
export type Sort = (typeof sorts)[number]

export const sortOf = (text: string | null): Sort =>
  sorts.find((one) => one === text) ?? 'newest'

export interface SortedRow {
  readonly bytes: number
  /** Milliseconds that it took. */
  readonly ms: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly words: string
}

/** The oldest, the largest and the slowest first; `newest` leaves the order as it is. */
export function sortRows<T>(
  rows: readonly T[],
  sort: Sort,
  factsOf: (row: T) => SortedRow
): readonly T[] {
  const compare = (a: SortedRow, b: SortedRow): number => {
    if (sort === 'age') return a.at - b.at
    if (sort === 'size') return b.bytes - a.bytes
    return sort === 'time' ? b.ms - a.ms : a.words < b.words ? -1 : 1
  }
  if (sort === 'newest') return rows
  return rows.toSorted((a, b) => compare(factsOf(a), factsOf(b)))
}
