/** Two lists: items aligned by key and compared; gone and new items are changes, another order is one. */
import {
  hasMember,
  type JsonTree,
  jsonLiteral,
  memberOf,
  sameTree,
  scalarTextOf,
  textAt
} from '../../recorder/json/json-tree.ts'
import { writeCompact } from '../../recorder/json/write-json.ts'
import { subtractItems } from '../../recorder/text/group-by.ts'
import { plural } from '../../recorder/text/words.ts'
import {
  type ChangeDetail,
  itemPath,
  noteText,
  type Path,
  templateOf,
  turn
} from '../changes/change.ts'
import { fields } from '../content/field-names.ts'
import { isTouched, sameIn } from '../content/same-state.ts'
import { namesItems, namesNumbers } from '../inputs/cassette-side.ts'
import { variantOf } from '../members/sample-shape.ts'
import { compareNewTypes, compareShapes } from '../members/sampled-members.ts'
import type { TreePosition, TreeWalk } from '../members/tree-walk.ts'
import { compareScalars } from './compare-scalars.ts'
import type { JsonItems } from './item-keys.ts'
import { emitOrder, type Pairing, pairItems } from './item-order.ts'
import { emitLastingVariant } from './item-variants.ts'

/** @param isMap both sides are objects keyed by number, so that order is hardly seen */
export function compareLists(
  a: JsonItems,
  b: JsonItems,
  place: TreePosition,
  isMap = false
): void {
  const isWhole =
    place.path.kind === 'root' &&
    !place.walk.isRest &&
    !(a.some(isObject) && b.some(isObject))
  if (isWhole) compareTuples(a, b, place)
  else if (a.every(isObject) && b.every(isObject)) compareObjectsIn(a, b, place, isMap)
  else if (a.every(isScalar) && b.every(isScalar)) compareScalars(a, b, place)
  else pairByPosition(a, b, place)
}

const isObject = (tree: JsonTree) => tree.kind === 'object'
const isScalar = (tree: JsonTree) => tree.kind === 'string' || tree.kind === 'literal'

function compareObjectsIn(
  a: JsonItems,
  b: JsonItems,
  place: TreePosition,
  isMap: boolean
) {
  const pairing = pairItems(a, b, place.walk.context.renumbered)
  const hasCommon = pairing && pairing.indexes.length > 0
  // One item against one: they are compared even if no key connects them.
  if (!pairing || (!hasCommon && a.length === 1 && b.length === 1)) {
    pairByPosition(a, b, place)
    return
  }
  const { labelOf, pairs, fresh } = pairing
  for (const { one, other } of pairs)
    compareItemPair(one, other, itemPath(place.path, labelOf(one)), place)
  if (!hasCommon && a.length > 0 && b.length > 0) compareShapes(place)
  const newPlaceOf = (one: JsonTree) =>
    place.item(itemPath(place.path, labelOf(one), true), variantOf(one))
  for (const one of fresh) compareNewTypes(one, a[0], newPlaceOf(one))
  if (!emitBatchEnd(pairing, place))
    emitOneSided(pairing, place, {
      other: isNamedByRequest(place),
      ...(isEmptied(a, b, place) ? { mark: 'all' } : {})
    })
  emitOrder(pairing, place, isMap)
}

/** No index loses all that it finds. */
const isEmptied = (a: JsonItems, b: JsonItems, { walk }: TreePosition) =>
  (a.length === 0) !== (b.length === 0) &&
  fields.indexed.has(walk.context.requestRef.request.get('list') ?? '')

/** @param at its path in the list, or map, at the place */
export function compareItemPair(
  a: JsonTree,
  b: JsonTree,
  at: Path,
  place: TreePosition
): void {
  const title = textAt(a, 'title')
  const sameTitle = title !== undefined && title === textAt(b, 'title')
  const path = {
    ...at,
    touched: isTouched(a, b, place.walk.context.renumbered),
    sameTitle
  }
  const variantA = variantOf(a)
  const variantB = variantOf(b)
  if (variantA === variantB) {
    place.item(path, variantA).compare(a, b)
    return
  }
  if (emitLastingVariant(a, b, path, place)) return
  const note = turn(variantA || 'there', variantB || 'there')
  const kind = variantB === '' ? 'items.more' : 'items.fewer'
  // A page or user that is there on one side alone is content.
  const other = isNamedByRequest(place) && !/missing/.test(noteText(note))
  place.emit(kind, { before: a, after: b, note, other }, path)
}

/** True for items that the request names, unless by numbers that are another wiki's own. */
function isNamedByRequest({ path, walk }: TreePosition) {
  const { requestRef, renumbered } = walk.context
  const { request } = requestRef
  const isNamed = namesItems(request) && !(namesNumbers(request) && renumbered())
  return isNamed && /^query\.(?:pages|users)$/.test(templateOf(path))
}

/** Items that one side alone has. */
interface OneSidedItems {
  readonly gone: Iterable<JsonTree>
  readonly fresh: Iterable<JsonTree>
  readonly labelOf: (item: JsonTree) => string
}

function emitOneSided(
  { gone, fresh, labelOf }: OneSidedItems,
  place: TreePosition,
  detail: ChangeDetail = {}
) {
  const pathOf = (item: JsonTree) => itemPath(place.path, labelOf(item))
  for (const before of gone)
    place.emit('items.fewer', { before, ...detail }, pathOf(before))
  for (const after of fresh) place.emit('items.more', { after, ...detail }, pathOf(after))
}

/** Batches of another size with the same content: what is missing on one side lies behind its end. */
function emitBatchEnd({ a, b, gone, fresh, indexes }: Pairing, place: TreePosition) {
  if (!isListing(place.path) || indexes.length === 0) return false
  const isEnd = (unpaired: JsonItems, all: JsonItems) =>
    unpaired.length > 0 &&
    unpaired.every((item, at) => item === all[all.length - unpaired.length + at])
  const endsSoonerB = place.walk.hasMoreB && fresh.length === 0 && isEnd(gone, a)
  const endsSoonerA = place.walk.hasMoreA && gone.length === 0 && isEnd(fresh, b)
  if (!endsSoonerA && !endsSoonerB) return false
  emitBatchSizes(a, b, place.path, place.walk)
  return true
}

/** Batches of one listing that end elsewhere on the two sides. */
export function emitBatchSizes(
  a: JsonItems,
  b: JsonItems,
  path: Path,
  walk: TreeWalk
): void {
  walk.emit('continuation.batch', path, {
    before: jsonLiteral(a.length),
    after: jsonLiteral(b.length),
    note: turn(plural(a.length, 'item'), plural(b.length, 'item')),
    mark: countsInnerRows(a) ? 'pages' : ''
  })
}

/** True for rows that are pages, whose revisions are what the limit counts: an edit moves the end of such a batch. */
export const countsInnerRows = (rows: JsonItems): boolean =>
  rows.some((row) => hasMember(row, 'revisions'))

const isListing = (path: Path) => path.parent?.parent?.kind === 'root'

/** The whole of an answer: each member has a meaning by its place. */
function compareTuples(a: JsonItems, b: JsonItems, place: TreePosition) {
  if (a.length !== b.length) {
    const note = turn(plural(a.length, 'member'), plural(b.length, 'member'))
    place.emit('type.changed', { note })
  }
  for (const [at, one] of a.entries()) {
    const other = b[at]
    if (other && !sameTree(one, other))
      place.walk.compare(one, other, place.item(itemPath(place.path, String(at)), ''))
  }
}

/** Pairs items that have no key: equal items are one item; what is left is compared in the order it comes. */
function pairByPosition(a: JsonItems, b: JsonItems, place: TreePosition) {
  const gone = subtractItems(a, b, textKey)
  const fresh = subtractItems(b, a, textKey)
  const againA = repeatedRows(gone, b)
  const againB = repeatedRows(fresh, a)
  const restA = gone.filter((one) => !againA.has(one))
  const restB = fresh.filter((one) => !againB.has(one))
  for (const [at, one] of restA.entries()) {
    const label = String(a.indexOf(one))
    const other = restB[at]
    if (other && !isOtherRow(one, other, place))
      compareItemPair(one, other, itemPath(place.path, label), place)
    else {
      const both = { gone: [one], fresh: other ? [other] : [] }
      emitOneSided({ ...both, labelOf: () => label }, place)
    }
  }
  const inA = { fresh: [], labelOf: (item: JsonTree) => String(a.lastIndexOf(item)) }
  const inB = { gone: [], labelOf: (item: JsonTree) => String(b.lastIndexOf(item)) }
  const twice = { note: 'twice', mark: 'twice' }
  emitOneSided({ ...inB, fresh: restB.slice(restA.length) }, place)
  emitOneSided({ ...inA, gone: againA }, place, twice)
  emitOneSided({ ...inB, fresh: againB }, place, twice)
}

const isOtherRow = (a: JsonTree, b: JsonTree, { walk }: TreePosition) =>
  !walk.context.renumbered() && sameIn(a, b, ['pageid']) === false

/**
 * Rows that the other side has as well, but once: no list has a page, a revision or a row of a log twice, and none has
 * most of its rows twice.
 */
function repeatedRows(rows: JsonItems, others: JsonItems) {
  const known = new Set(others.map(textKey))
  const isOnce =
    known.size === others.length && rows.length > 1 && rows.length * 2 > others.length
  const isDoubled = isOnce && rows.every((row) => known.has(textKey(row)))
  return new Set(
    rows.filter((row) => known.has(textKey(row)) && (isDoubled || isNumbered(row)))
  )
}

/** True for rows that are listed once; one URL may be on a page several times, and so may rows of the log (revision 0). */
const isNumbered = (row: JsonTree) => {
  const names = ['url', 'logid', 'rcid', 'revid', 'pageid']
  const name = names.find((one) => hasMember(row, one)) ?? 'url'
  const number = scalarTextOf(memberOf(row, name))
  return name !== 'url' && number !== undefined && number !== '0'
}

const textKey = (item: JsonTree) => writeCompact(item, 'utf8')
