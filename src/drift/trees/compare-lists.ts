/** Two lists: items aligned by key and compared; gone and new items are changes, another order is one. */
import { type JsonTree, jsonLiteral, memberOf, textOf } from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { plural } from '../../text/words.ts'
import { itemPath, type Path, templateOf } from '../changes/path.ts'
import { isTouched } from '../content/same-state.ts'
import { namesItems, namesNumbers } from '../inputs/cassette-side.ts'
import { compareNewTypes, compareShapes } from '../members/compare-shapes.ts'
import { variantOf } from '../members/sample-shape.ts'
import type { TreePosition, TreeWalk } from '../members/tree-walk.ts'
import { compareScalars, subtractItems } from './compare-scalar-lists.ts'
import { chooseKey, itemLabeller, type JsonItems, type Labeller } from './item-keys.ts'
import { emitOrder, type Pairing, pairItems } from './item-order.ts'

/** @param isMap both sides are objects keyed by number, so that order is hardly seen */
export function compareLists(
  a: JsonItems,
  b: JsonItems,
  place: TreePosition,
  walk: TreeWalk,
  isMap = false,
): void {
  if (a.every(isObject) && b.every(isObject)) compareObjectsIn(a, b, place, walk, isMap)
  else if (a.every(isScalar) && b.every(isScalar)) compareScalars(a, b, place, walk)
  else pairByPosition(a, b, place, walk)
}

const isObject = (tree: JsonTree): boolean => tree.kind === 'object'
const isScalar = (tree: JsonTree): boolean => tree.kind === 'string' || tree.kind === 'literal'

function compareObjectsIn(
  a: JsonItems,
  b: JsonItems,
  place: TreePosition,
  walk: TreeWalk,
  isMap: boolean,
): void {
  const keyed = chooseKey(a, b)
  const pairing = keyed && pairItems(a, b, keyed)
  const hasCommon = pairing !== undefined && pairing.indexes.length > 0
  // One item against one: they are compared even if no key connects them.
  if (keyed === undefined || pairing === undefined || (!hasCommon && a.length === 1 && b.length === 1)) {
    pairByPosition(a, b, place, walk)
    return
  }
  const labelOf = itemLabeller(keyed.key)
  for (const { one, other } of pairing.pairs)
    compareItemPair(one, other, itemPath(place.path, labelOf(one)), place, walk)
  if (!hasCommon && a.length > 0 && b.length > 0) compareShapes(place, walk)
  const newPlaceOf = (one: JsonTree): TreePosition =>
    place.item(itemPath(place.path, labelOf(one), true), variantOf(one))
  for (const one of pairing.fresh) compareNewTypes(one, a[0], newPlaceOf(one), walk)
  if (!emitBatchEnd(a, b, pairing, place, walk)) emitUnpaired(pairing, labelOf, place, walk)
  emitOrder(a, b, pairing, place.path, walk, isMap)
}

function compareItemPair(a: JsonTree, b: JsonTree, at: Path, place: TreePosition, walk: TreeWalk): void {
  const [title, titleB] = [a, b].map((item) => textOf(memberOf(item, 'title')))
  const sameTitle = title !== undefined && title === titleB
  const path = { ...at, touched: isTouched(a, b, walk.context.renumbered), sameTitle }
  const [variantA, variantB] = [variantOf(a), variantOf(b)]
  if (variantA === variantB) {
    walk.descend(a, b, place.item(path, variantA))
    return
  }
  const note = `${variantA || 'there'} → ${variantB || 'there'}`
  const kind = variantB === '' ? 'items.more' : 'items.fewer'
  // A page or user that is there on one side alone is content.
  const other = isNamedByRequest(place.path, walk) && !/missing/.test(note)
  walk.emit(kind, path, { before: a, after: b, note, other })
}

/** True for items that the request names, unless by numbers that are another wiki's own. */
function isNamedByRequest(path: Path, { context: { requestRef, renumbered } }: TreeWalk): boolean {
  const { request } = requestRef
  const isNamed = namesItems(request) && !(namesNumbers(request) && renumbered())
  return isNamed && /^query\.(?:pages|users)$/.test(templateOf(path))
}

function emitUnpaired(pairing: Pairing, labelOf: Labeller, place: TreePosition, walk: TreeWalk): void {
  const other = isNamedByRequest(place.path, walk)
  const pathOf = (item: JsonTree): Path => itemPath(place.path, labelOf(item))
  for (const before of pairing.gone) walk.emit('items.fewer', pathOf(before), { before, other })
  for (const after of pairing.fresh) walk.emit('items.more', pathOf(after), { after, other })
}

/** The same content in batches of another size: what is missing on one side lies behind its end. */
function emitBatchEnd(
  a: JsonItems,
  b: JsonItems,
  pairing: Pairing,
  place: TreePosition,
  walk: TreeWalk,
): boolean {
  const { gone, fresh, indexes } = pairing
  if (!isListing(place.path) || indexes.length === 0) return false
  const isEnd = (unpaired: JsonItems, all: JsonItems): boolean =>
    unpaired.length > 0 && unpaired.every((item, at) => item === all[all.length - unpaired.length + at])
  const endsSoonerB = walk.hasMoreB && fresh.length === 0 && isEnd(gone, a)
  const endsSoonerA = walk.hasMoreA && gone.length === 0 && isEnd(fresh, b)
  if (!endsSoonerA && !endsSoonerB) return false
  emitBatchSizes(a, b, place.path, walk)
  return true
}

/** Batches of one listing that end elsewhere on the two sides. */
export function emitBatchSizes(a: JsonItems, b: JsonItems, path: Path, walk: TreeWalk): void {
  walk.emit('continuation.batch', path, {
    before: jsonLiteral(a.length),
    after: jsonLiteral(b.length),
    note: `${plural(a.length, 'item')} → ${plural(b.length, 'item')}`,
    mark: countsInnerRows(a) ? 'pages' : '',
  })
}

/** True for rows that are pages, whose revisions are what the limit counts: an edit moves the end of such a batch. */
export const countsInnerRows = (rows: JsonItems): boolean =>
  rows.some((row) => memberOf(row, 'revisions') !== undefined)

const isListing = (path: Path): boolean => path.parent?.parent?.kind === 'root'

/** Without a key: equal items are one item; what is left is compared in the order it comes. */
function pairByPosition(a: JsonItems, b: JsonItems, place: TreePosition, walk: TreeWalk): void {
  const [gone, fresh] = [subtractItems(a, b, textKey), subtractItems(b, a, textKey)]
  const [againA, againB] = [repeatedRows(gone, b), repeatedRows(fresh, a)]
  const [restA, restB] = [gone.filter((one) => !againA.has(one)), fresh.filter((one) => !againB.has(one))]
  const pathOf = (index: number): Path => itemPath(place.path, String(index))
  for (const [at, one] of restA.entries()) {
    const [path, other] = [pathOf(a.indexOf(one)), restB[at]]
    if (other === undefined) walk.emit('items.fewer', path, { before: one })
    else compareItemPair(one, other, path, place, walk)
  }
  for (const after of restB.slice(restA.length))
    walk.emit('items.more', pathOf(b.lastIndexOf(after)), { after })
  const twice = { note: 'twice', mark: 'twice' }
  for (const before of againA) walk.emit('items.fewer', pathOf(a.lastIndexOf(before)), { before, ...twice })
  for (const after of againB) walk.emit('items.more', pathOf(b.lastIndexOf(after)), { after, ...twice })
}

/**
 * Rows that the other side has as well, but once: no list has a page, a revision or a row of a log twice, and none has
 * most of its rows twice.
 */
function repeatedRows(rows: JsonItems, others: JsonItems): ReadonlySet<JsonTree> {
  const known = new Set(others.map(textKey))
  const isOnce = known.size === others.length && rows.length > 1 && rows.length * 2 > others.length
  const isDoubled = isOnce && rows.every((row) => known.has(textKey(row)))
  return new Set(rows.filter((row) => known.has(textKey(row)) && (isDoubled || isNumbered(row))))
}

/** Of a URL there may be several on one page. */
const isNumbered = (row: JsonTree): boolean =>
  memberOf(row, 'url') === undefined &&
  ['pageid', 'revid', 'rcid', 'logid'].some((name) => memberOf(row, name) !== undefined)

const textKey = (item: JsonTree): string => writeCompact(item, 'utf8')
