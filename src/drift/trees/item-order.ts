/** The order of items that both lists have: how many moved, and what the order follows. */
import { type JsonTree, memberOf, textOf } from '../../json/json-tree.ts'

/** Length of the longest increasing subsequence, in O(n log n). */
export function longestIncreasing(indexes: readonly number[]): number {
  const tails: number[] = []
  for (const index of indexes) {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((tails[middle] ?? 0) < index) low = middle + 1
      else high = middle
    }
    tails[low] = index
  }
  return tails.length
}

/** How many items have to move to turn one order into the other. */
export function countMoved(indexes: readonly number[]): number {
  let last = -1
  for (const index of indexes) {
    if (index < last) return indexes.length - longestIncreasing(indexes)
    last = index
  }
  return 0
}

const numberFields = ['pageid', 'fromid', 'revid', 'logid', 'userid'] as const
const nameFields = ['title', 'name', 'timestamp', 'url', 'from'] as const

/**
 * For wikis that number their pages differently: false where the order follows something else, a title or a time. Many
 * lists follow ids that the answer does not show.
 */
export function mayFollowIds(a: readonly JsonTree[], b: readonly JsonTree[]): boolean {
  const byNumber = numberFields.some((name) => isSorted(numbersOf(a, name)) && isSorted(numbersOf(b, name)))
  return byNumber || !nameFields.some((name) => isSorted(textsOf(a, name)))
}

const textsOf = (items: readonly JsonTree[], name: string): readonly string[] =>
  items.flatMap((item) => textOf(memberOf(item, name)) ?? [])
const numbersOf = (items: readonly JsonTree[], name: string): readonly number[] =>
  items.flatMap((item) => {
    const value = memberOf(item, name)
    return value?.kind === 'literal' ? [Number(value.text)] : []
  })

/** Up or down, and not all the same. */
function isSorted<T extends string | number>(values: readonly T[]): boolean {
  const [first] = values
  if (first === undefined || values.every((one) => one === first)) return false
  const follows = (compare: (one: T, next: T) => boolean): boolean =>
    values.every((one, at) => {
      const next = values[at + 1]
      return next === undefined || compare(one, next)
    })
  return follows((one, next) => one <= next) || follows((one, next) => one >= next)
}
