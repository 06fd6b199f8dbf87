/** The items of two lists in pairs, and the order of those that both have: how many moved, and what it follows. */
import {
  type JsonTree,
  memberOf,
  sameTree,
  textAt
} from '../../recorder/json/json-tree.ts'
import { isAt, isUnordered } from '../content/field-names.ts'
import { isTouched, sameIn } from '../content/same-state.ts'
import { variantOf } from '../members/sample-shape.ts'
import type { TreePosition, TreeWalk } from '../members/tree-walk.ts'
import {
  chooseKey,
  itemLabeller,
  type JsonItems,
  type Labeller,
  notFound
} from './item-keys.ts'

/** How many items have to move to turn one order into the other: all but the longest increasing subsequence; O(n log n). */
export function countMoved(indexes: readonly number[]): number {
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
  return indexes.length - tails.length
}

const numberFields = ['pageid', 'fromid', 'revid', 'logid', 'userid'] as const
const nameFields = ['title', 'name', 'timestamp', 'url', 'from'] as const

/** False if renumbered pages come in the order of a title or a time. Many lists follow ids that no answer shows. */
export function mayFollowIds(a: readonly JsonTree[], b: readonly JsonTree[]): boolean {
  const byNumber = numberFields.some(
    (name) => isSorted(numbersOf(a, name)) && isSorted(numbersOf(b, name))
  )
  return byNumber || !nameFields.some((name) => isSorted(textsOf(a, name)))
}

const textsOf = (items: readonly JsonTree[], name: string) =>
  items.flatMap((item) => textAt(item, name) ?? [])
const numbersOf = (items: readonly JsonTree[], name: string) =>
  items.flatMap((item) => {
    const value = memberOf(item, name)
    return value?.kind === 'literal' ? [Number(value.text)] : []
  })

/** Up or down, and not all the same. */
function isSorted<T extends string | number>(values: readonly T[]) {
  const steps = values.slice(1).map((next, at) => [values[at] ?? next, next] as const)
  if (new Set(values).size < 2) return false
  return (
    steps.every(([one, next]) => one <= next) || steps.every(([one, next]) => one >= next)
  )
}

/** The items of two lists, by the key that aligns them. */
export interface Pairing {
  readonly a: JsonItems
  readonly b: JsonItems
  readonly labelOf: Labeller
  /** Pairs that differ in anything. */
  readonly pairs: readonly { readonly one: JsonTree; readonly other: JsonTree }[]
  readonly gone: JsonItems
  readonly fresh: JsonItems
  /** Indexes in B of all pairs, in A's order. */
  readonly indexes: readonly number[]
  /** The items are rows of a log, which no edit turns round. */
  readonly isLog: boolean
}

/** Undefined if no member is unique. */
export function pairItems(
  a: JsonItems,
  b: JsonItems,
  isRenumbered: () => boolean
): Pairing | undefined {
  const keyed = chooseKey(a, b, isRenumbered)
  if (!keyed) return undefined
  const pairs: { one: JsonTree; other: JsonTree }[] = []
  const gone: JsonTree[] = []
  for (const [at, one] of a.entries()) {
    const other = b[keyed.indexes[at] ?? notFound]
    if (!other) gone.push(one)
    else if (!sameTree(one, other)) pairs.push({ one, other })
  }
  const indexes = keyed.indexes.filter((at) => at !== notFound)
  const common = new Set(indexes)
  const fresh = b.filter((_, at) => !common.has(at))
  const isLog = /^(?:revid|rcid|logid)$/.test(keyed.name)
  return {
    a,
    b,
    labelOf: itemLabeller(keyed),
    pairs,
    gone,
    fresh,
    indexes,
    isLog
  }
}

export function emitOrder(pairing: Pairing, place: TreePosition, isMap: boolean): void {
  const { a, b } = pairing
  const { path, walk } = place
  if (countMoved(pairing.indexes) === 0) return
  const gone = new Set(pairing.gone)
  const stayed = a.filter((one) => !gone.has(one))
  const moved = countMoved(
    pairing.indexes.filter((index, at) => isSameVariant(stayed[at], b[index]))
  )
  if (moved === 0) return
  const isReversed = moved === pairing.indexes.length - 1
  // An edit of any page may change what these lists are ranked by.
  if (isAt(path, 'ranked') && (!isReversed || isRankChanged(pairing)))
    place.emit('order.by-rank', {})
  else if (walk.context.renumbered() && mayFollowIds(a, b)) place.emit('order.by-id', {})
  else {
    const note = `${moved} of ${pairing.indexes.length} moved`
    const touched = isListTouched(pairing, walk)
    place.emit(
      'order.changed',
      {
        note,
        other: isMap || isUnordered(path)
      },
      { ...path, touched }
    )
  }
}

/** True if an edit can have turned the items round: other items, or items in another state. */
const isListTouched = ({ pairs, gone, fresh, isLog }: Pairing, walk: TreeWalk) =>
  !isLog &&
  (gone.length + fresh.length > 0 ||
    pairs.some(({ one, other }) => isTouched(one, other, walk.context.renumbered)))

/** True if what ranks the items moved: other items, or other sizes and counts. */
const isRankChanged = ({ pairs, gone, fresh }: Pairing) =>
  gone.length + fresh.length > 0 ||
  pairs.some(
    ({ one, other }) => sameIn(one, other, ['value', 'wordcount', 'timestamp']) === false
  )

/** A page or user that was deleted or renamed is listed where those of its new sort are. */
const isSameVariant = (one: JsonTree | undefined, other: JsonTree | undefined) =>
  one !== undefined &&
  other !== undefined &&
  variantOf(one) === variantOf(other) &&
  ['title', 'name'].every((name) => textAt(one, name) === textAt(other, name))
