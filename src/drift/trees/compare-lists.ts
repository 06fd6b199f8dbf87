/** Two lists: items aligned by key, gone and new ones told one by one, another order once. */
import { type JsonTree, jsonLiteral, memberOf, sameTree, textOf } from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { plural } from '../../text/plural.ts'
import { itemPath, type Path, templateOf } from '../changes/path.ts'
import { compareShapes } from '../members/compare-shapes.ts'
import { variantOf } from '../members/sample-shape.ts'
import { itemPosition, type TreePosition, type TreeWalk } from '../members/tree-walk.ts'
import { compareScalars, subtractItems } from './compare-scalar-lists.ts'
import { isRanked, isUnordered } from './field-names.ts'
import { chooseKey, itemLabeller, type KeyedLists, type Labeller, notFound } from './item-keys.ts'
import { countMoved, mayFollowIds } from './item-order.ts'

type ListItems = readonly JsonTree[]

/** @param isMap both sides are objects keyed by number, so that order is hardly seen */
export function compareLists(
  a: ListItems,
  b: ListItems,
  position: TreePosition,
  walk: TreeWalk,
  isMap = false,
): void {
  if (a.every(isObject) && b.every(isObject)) compareObjectsIn(a, b, position, walk, isMap)
  else if (a.every(isScalar) && b.every(isScalar)) compareScalars(a, b, position, walk)
  else pairByPosition(a, b, position, walk)
}

const isObject = (tree: JsonTree): boolean => tree.kind === 'object'
const isScalar = (tree: JsonTree): boolean => tree.kind === 'string' || tree.kind === 'literal'

function compareObjectsIn(
  a: ListItems,
  b: ListItems,
  position: TreePosition,
  walk: TreeWalk,
  isMap: boolean,
): void {
  const keyed = chooseKey(a, b)
  if (keyed === undefined) {
    pairByPosition(a, b, position, walk)
    return
  }
  const pairing = pairItems(a, b, keyed)
  // One item against one: they are compared even if no key connects them.
  if (pairing.indexes.length === 0 && a.length === 1 && b.length === 1) {
    pairByPosition(a, b, position, walk)
    return
  }
  const labelOf = itemLabeller(keyed.key)
  for (const { one, other } of pairing.pairs) {
    compareItemPair(one, other, itemPath(position.path, labelOf(one)), position, walk)
  }
  if (pairing.indexes.length === 0 && a.length > 0 && b.length > 0) compareShapes(position, walk)
  if (!emitBatchEnd(a, b, pairing, position, walk)) emitUnpaired(pairing, labelOf, position, walk)
  emitOrder(a, b, pairing, position.path, walk, isMap)
}

interface Pairing {
  /** Pairs that differ in anything. */
  readonly pairs: readonly { readonly one: JsonTree; readonly other: JsonTree }[]
  readonly gone: ListItems
  readonly fresh: ListItems
  /** Positions in B of all pairs, in A's order. */
  readonly indexes: readonly number[]
}

function pairItems(a: ListItems, b: ListItems, keyed: KeyedLists): Pairing {
  const pairs: { one: JsonTree; other: JsonTree }[] = []
  const gone: JsonTree[] = []
  const seen = new Uint8Array(b.length)
  for (let at = 0; at < a.length; at += 1) {
    const index = keyed.indexes[at] ?? notFound
    const one = a[at]
    if (one === undefined) continue
    const other = index === notFound ? undefined : b[index]
    if (other === undefined) gone.push(one)
    else {
      seen[index] = 1
      if (!sameTree(one, other)) pairs.push({ one, other })
    }
  }
  const indexes = gone.length === 0 ? keyed.indexes : keyed.indexes.filter((at) => at !== notFound)
  const fresh = indexes.length === b.length ? [] : b.filter((_, at) => seen[at] === 0)
  return { pairs, gone, fresh, indexes }
}

function compareItemPair(a: JsonTree, b: JsonTree, path: Path, position: TreePosition, walk: TreeWalk): void {
  const [variantA, variantB] = [variantOf(a), variantOf(b)]
  if (variantA === variantB) {
    walk.descend(a, b, itemPosition(position, path, variantA))
    return
  }
  const note = `${variantA || 'there'} → ${variantB || 'there'}`
  const kind = variantB === '' ? 'items.more' : 'items.fewer'
  // A page or user that is there on one side alone is content.
  const isNamedOtherwise = isNamedByRequest(position.path, walk) && !/missing/.test(note)
  walk.emit(kind, path, { before: a, after: b, note, other: isNamedOtherwise })
}

/** True for items that the request asked for by name. */
const isNamedByRequest = (path: Path, walk: TreeWalk): boolean =>
  walk.namesItems && /^query\.(?:pages|users)$/.test(templateOf(path))

function emitUnpaired(pairing: Pairing, labelOf: Labeller, position: TreePosition, walk: TreeWalk): void {
  const other = isNamedByRequest(position.path, walk)
  for (const item of pairing.gone) {
    walk.emit('items.fewer', itemPath(position.path, labelOf(item)), { before: item, other })
  }
  for (const item of pairing.fresh) {
    walk.emit('items.more', itemPath(position.path, labelOf(item)), { after: item, other })
  }
}

/** The same content in batches of another size: what is missing on one side lies behind its end. */
function emitBatchEnd(
  a: ListItems,
  b: ListItems,
  pairing: Pairing,
  position: TreePosition,
  walk: TreeWalk,
): boolean {
  if (!(walk.hasMoreA || walk.hasMoreB) || !isListing(position.path) || pairing.indexes.length === 0)
    return false
  const behind = (unpaired: ListItems, all: ListItems, cut: boolean): boolean =>
    unpaired.length > 0 &&
    cut &&
    unpaired.every((item, at) => item === all[all.length - unpaired.length + at])
  const shorterB = pairing.fresh.length === 0 && behind(pairing.gone, a, walk.hasMoreB)
  const shorterA = pairing.gone.length === 0 && behind(pairing.fresh, b, walk.hasMoreA)
  if (!shorterA && !shorterB) return false
  const note = `${plural(a.length, 'item')} → ${plural(b.length, 'item')}`
  walk.emit('continuation.batch', position.path, {
    before: jsonLiteral(a.length),
    after: jsonLiteral(b.length),
    note,
  })
  return true
}

const isListing = (path: Path): boolean => path.parent?.parent?.kind === 'root'

function emitOrder(
  a: ListItems,
  b: ListItems,
  pairing: Pairing,
  path: Path,
  walk: TreeWalk,
  isMap: boolean,
): void {
  if (countMoved(pairing.indexes) === 0) return
  const gone = new Set(pairing.gone)
  const stayed = a.filter((one) => !gone.has(one))
  const moved = countMoved(pairing.indexes.filter((index, at) => isSameVariant(stayed[at], b[index])))
  if (moved === 0) return
  if (isRanked(path) && isRankChanged(pairing)) {
    walk.emit('order.by-rank', path, {})
    return
  }
  if (walk.renumbered() && mayFollowIds(a, b)) {
    walk.emit('order.by-id', path, {})
    return
  }
  const note = `${moved} of ${pairing.indexes.length} moved`
  walk.emit('order.changed', path, { note, other: isMap || isUnordered(path) })
}

/** True where what ranks the items moved: other items, or other sizes and counts. */
const isRankChanged = ({ pairs, gone, fresh }: Pairing): boolean =>
  gone.length + fresh.length > 0 ||
  pairs.some(({ one, other }) =>
    rankFields.some((name) => {
      const [before, after] = [memberOf(one, name), memberOf(other, name)]
      return before !== undefined && after !== undefined && !sameTree(before, after)
    }),
  )
const rankFields = ['value', 'wordcount', 'timestamp'] as const

/** A page that went, or was renamed, stands where pages of its new sort do. */
const isSameVariant = (one: JsonTree | undefined, other: JsonTree | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  variantOf(one) === variantOf(other) &&
  textOf(memberOf(one, 'title')) === textOf(memberOf(other, 'title'))

/** Without a key: equal items are one item; what is left is compared in the order it comes. */
function pairByPosition(a: ListItems, b: ListItems, position: TreePosition, walk: TreeWalk): void {
  const [restA, restB] = [subtractItems(a, b, textKey), subtractItems(b, a, textKey)]
  const common = Math.min(restA.length, restB.length)
  const at = (index: number): Path => itemPath(position.path, String(index))
  for (let index = 0; index < common; index += 1) {
    const [one, other] = [restA[index], restB[index]]
    if (one && other) compareItemPair(one, other, at(a.indexOf(one)), position, walk)
  }
  restA.slice(common).forEach((item) => {
    walk.emit('items.fewer', at(a.indexOf(item)), { before: item })
  })
  restB.slice(common).forEach((item) => {
    walk.emit('items.more', at(b.indexOf(item)), { after: item })
  })
}

const textKey = (item: JsonTree): string => writeCompact(item, 'utf8')
