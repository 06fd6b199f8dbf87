/** Whether common items stand in another order, and how many moved. */

/** Length of the longest increasing subsequence, in O(n log n). */
export function longestIncreasing(positions: readonly number[]): number {
  const tails: number[] = []
  for (const position of positions) {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((tails[middle] ?? 0) < position) low = middle + 1
      else high = middle
    }
    tails[low] = position
  }
  return tails.length
}

/** How many items have to move to make the one order out of the other. */
export const movedOf = (positions: readonly number[]): number =>
  positions.length - longestIncreasing(positions)
