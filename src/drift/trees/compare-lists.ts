/** Two lists: items aligned by key and compared; gone and new items are changes, another order is one. */
import {
  type JsonTree,
  jsonLiteral,
  memberOf,
  sameTree,
  scalarTextOf,
  textOf,
} from '../../recorder/json/json-tree.ts'
import { writeCompact } from '../../recorder/json/write-json.ts'
import { groupBy, subtractItems } from '../../recorder/text/group-by.ts'
import { plural, wordSet } from '../../recorder/text/words.ts'
import { itemPath, memberPath, type Path, templateOf } from '../changes/change.ts'
import { noteText, type Transition } from '../changes/note.ts'
import { broken } from '../content/decide-content.ts'
import { isClosedSet, isUnordered } from '../content/field-names.ts'
import { isTouched, sameIn } from '../content/same-state.ts'
import { namesItems, namesNumbers } from '../inputs/cassette-side.ts'
import { compareNewTypes, compareShapes } from '../members/one-sided-members.ts'
import { typeOf, variantOf } from '../members/sample-shape.ts'
import type { TreePosition, TreeWalk } from '../members/tree-walk.ts'
import type { JsonItems } from './item-keys.ts'
import { countMoved, emitOrder, type Pairing, pairItems } from './item-order.ts'
import { lexicalClassOf } from './value-classes.ts'

/** @param isMap both sides are objects keyed by number, so that order is hardly seen */
export function compareLists(
  a: JsonItems,
  b: JsonItems,
  place: TreePosition,
  isMap = false,
): void {
  const isWhole = place.path.kind === 'root' && !(a.some(isObject) && b.some(isObject))
  if (isWhole) compareTuples(a, b, place)
  else if (a.every(isObject) && b.every(isObject)) compareObjectsIn(a, b, place, isMap)
  else if (a.every(isScalar) && b.every(isScalar)) compareScalars(a, b, place)
  else pairByPosition(a, b, place)
}

const isObject = (tree: JsonTree): boolean => tree.kind === 'object'
const isScalar = (tree: JsonTree): boolean =>
  tree.kind === 'string' || tree.kind === 'literal'

function compareObjectsIn(
  a: JsonItems,
  b: JsonItems,
  place: TreePosition,
  isMap: boolean,
): void {
  const pairing = pairItems(a, b, place.walk.context.renumbered)
  const hasCommon = pairing !== undefined && pairing.indexes.length > 0
  // One item against one: they are compared even if no key connects them.
  if (pairing === undefined || (!hasCommon && a.length === 1 && b.length === 1)) {
    pairByPosition(a, b, place)
    return
  }
  const { labelOf, pairs, fresh } = pairing
  for (const { one, other } of pairs)
    compareItemPair(one, other, itemPath(place.path, labelOf(one)), place)
  if (!hasCommon && a.length > 0 && b.length > 0) compareShapes(place)
  const newPlaceOf = (one: JsonTree): TreePosition =>
    place.item(itemPath(place.path, labelOf(one), true), variantOf(one))
  for (const one of fresh) compareNewTypes(one, a[0], newPlaceOf(one))
  if (!emitBatchEnd(pairing, place)) emitUnpaired(pairing, place)
  emitOrder(pairing, place, isMap)
}

function compareItemPair(a: JsonTree, b: JsonTree, at: Path, place: TreePosition): void {
  const title = textOf(memberOf(a, 'title'))
  const sameTitle = title !== undefined && title === textOf(memberOf(b, 'title'))
  const path = {
    ...at,
    touched: isTouched(a, b, place.walk.context.renumbered),
    sameTitle,
  }
  const variantA = variantOf(a)
  const variantB = variantOf(b)
  if (variantA === variantB) {
    place.item(path, variantA).compare(a, b)
    return
  }
  const isGone = isLasting(variantA) || (variantA === 'missing' && !isThere(b))
  const isNew = isLasting(variantB) || (variantB === 'missing' && !isThere(a))
  if (isGone) place.emit('field.removed', {}, memberPath(path, variantA))
  if (isNew) place.emit('field.added', {}, memberPath(path, variantB))
  if (isGone || isNew) return
  const note = { from: variantA || 'there', to: variantB || 'there' }
  const kind = variantB === '' ? 'items.more' : 'items.fewer'
  // A page or user that is there on one side alone is content.
  const other = isNamedByRequest(place) && !/missing/.test(noteText(note))
  place.emit(
    kind,
    {
      before: a,
      after: b,
      note,
      other,
    },
    path,
  )
}

/** What a title is whatever is on the wiki. */
const lastingVariants = wordSet('special invalid interwiki')
const isLasting = (variant: string): boolean => lastingVariants.has(variant)

/** A page or user that is there has a number. */
const isThere = (item: JsonTree): boolean =>
  variantOf(item) !== '' ||
  ['pageid', 'userid'].some((name) => Number(scalarTextOf(memberOf(item, name)) ?? 0) > 0)

/** True for items that the request names, unless by numbers that are another wiki's own. */
function isNamedByRequest({ path, walk }: TreePosition): boolean {
  const { requestRef, renumbered } = walk.context
  const { request } = requestRef
  const isNamed = namesItems(request) && !(namesNumbers(request) && renumbered())
  return isNamed && /^query\.(?:pages|users)$/.test(templateOf(path))
}

function emitUnpaired({ gone, fresh, labelOf }: Pairing, place: TreePosition): void {
  const other = isNamedByRequest(place)
  const pathOf = (item: JsonTree): Path => itemPath(place.path, labelOf(item))
  for (const before of gone) place.emit('items.fewer', { before, other }, pathOf(before))
  for (const after of fresh) place.emit('items.more', { after, other }, pathOf(after))
}

/** Batches of another size with the same content: what is missing on one side lies behind its end. */
function emitBatchEnd(
  { a, b, gone, fresh, indexes }: Pairing,
  place: TreePosition,
): boolean {
  if (!isListing(place.path) || indexes.length === 0) return false
  const isEnd = (unpaired: JsonItems, all: JsonItems): boolean =>
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
  walk: TreeWalk,
): void {
  walk.emit('continuation.batch', path, {
    before: jsonLiteral(a.length),
    after: jsonLiteral(b.length),
    note: {
      from: plural(a.length, 'item'),
      to: plural(b.length, 'item'),
    },
    mark: countsInnerRows(a) ? 'pages' : '',
  })
}

/** True for rows that are pages, whose revisions are what the limit counts: an edit moves the end of such a batch. */
export const countsInnerRows = (rows: JsonItems): boolean =>
  rows.some((row) => memberOf(row, 'revisions') !== undefined)

const isListing = (path: Path): boolean => path.parent?.parent?.kind === 'root'

/** The whole of an answer: each member has a meaning by its place. */
function compareTuples(a: JsonItems, b: JsonItems, place: TreePosition): void {
  if (a.length !== b.length) {
    const note = { from: plural(a.length, 'member'), to: plural(b.length, 'member') }
    place.emit('type.changed', { note })
  }
  for (const [at, one] of a.entries()) {
    const other = b[at]
    if (other !== undefined && !sameTree(one, other))
      place.walk.compare(one, other, place.item(itemPath(place.path, String(at)), ''))
  }
}

/** Pairs items that have no key: equal items are one item; what is left is compared in the order it comes. */
function pairByPosition(a: JsonItems, b: JsonItems, place: TreePosition): void {
  const gone = subtractItems(a, b, textKey)
  const fresh = subtractItems(b, a, textKey)
  const againA = repeatedRows(gone, b)
  const againB = repeatedRows(fresh, a)
  const restA = gone.filter((one) => !againA.has(one))
  const restB = fresh.filter((one) => !againB.has(one))
  const pathOf = (index: number): Path => itemPath(place.path, String(index))
  for (const [at, one] of restA.entries()) {
    const path = pathOf(a.indexOf(one))
    const other = restB[at]
    if (other === undefined || isOtherRow(one, other, place)) {
      place.emit('items.fewer', { before: one }, path)
      if (other !== undefined) place.emit('items.more', { after: other }, path)
    } else compareItemPair(one, other, path, place)
  }
  for (const after of restB.slice(restA.length))
    place.emit('items.more', { after }, pathOf(b.lastIndexOf(after)))
  const twice = { note: 'twice', mark: 'twice' }
  for (const before of againA)
    place.emit('items.fewer', { before, ...twice }, pathOf(a.lastIndexOf(before)))
  for (const after of againB)
    place.emit('items.more', { after, ...twice }, pathOf(b.lastIndexOf(after)))
}

const isOtherRow = (a: JsonTree, b: JsonTree, { walk }: TreePosition): boolean =>
  !walk.context.renumbered() && sameIn(a, b, ['pageid']) === false

/**
 * Rows that the other side has as well, but once: no list has a page, a revision or a row of a log twice, and none has
 * most of its rows twice.
 */
function repeatedRows(rows: JsonItems, others: JsonItems): ReadonlySet<JsonTree> {
  const known = new Set(others.map(textKey))
  const isOnce =
    known.size === others.length && rows.length > 1 && rows.length * 2 > others.length
  const isDoubled = isOnce && rows.every((row) => known.has(textKey(row)))
  return new Set(
    rows.filter((row) => known.has(textKey(row)) && (isDoubled || isNumbered(row))),
  )
}

/** True for rows that are listed once; one URL may be on a page several times. */
const isNumbered = (row: JsonTree): boolean =>
  memberOf(row, 'url') === undefined &&
  ['pageid', 'revid', 'rcid', 'logid'].some((name) => memberOf(row, name) !== undefined)

const textKey = (item: JsonTree): string => writeCompact(item, 'utf8')

/** Lists of plain values, compared as multisets; another order is one change. */
function compareScalars(a: JsonItems, b: JsonItems, place: TreePosition): void {
  const textKey = textKeys(a, b, place.walk)
  const gone = subtractItems(a, b, textKey)
  const fresh = subtractItems(b, a, textKey)
  const note = formOfAll(gone, fresh)
  if (note !== undefined) {
    const detail = { before: gone[0], after: fresh[0], note }
    if (note.to === 'empty') place.emit('items.fewer', { ...detail, mark: broken })
    else if (note.from === 'empty') place.emit('items.more', { ...detail, mark: broken })
    else place.emit('value.format', detail)
    return
  }
  const isClosed = isClosedSet(place.path)
  const pathOf = (item: JsonTree): Path => itemPath(place.path, scalarText(item))
  for (const before of gone)
    place.emit(
      isClosed ? 'enum.value-removed' : 'items.fewer',
      { before },
      pathOf(before),
    )
  for (const after of fresh)
    place.emit(isClosed ? 'enum.value-added' : 'items.more', { after }, pathOf(after))
  const indexes = groupBy(
    subtractItems(b, fresh, textKey).map((item, at) => [textKey(item), at] as const),
    ([text]) => text,
  )
  const common = subtractItems(a, gone, textKey)
  const moved = countMoved(
    common.flatMap((item) => indexes.get(textKey(item))?.shift()?.[1] ?? []),
  )
  if (moved > 0)
    place.emit('order.changed', {
      note: `${moved} of ${common.length} moved`,
      other: isUnordered(place.path),
    })
}

/** As many texts of another class, e.g. no longer URLs. */
function formOfAll(gone: JsonItems, fresh: JsonItems): Transition | undefined {
  const classesOf = (items: JsonItems): readonly string[] => [
    ...new Set(
      items.map((one) =>
        one.kind === 'string' ? lexicalClassOf(one.value) : typeOf(one),
      ),
    ),
  ]
  const [from, ...moreA] = classesOf(gone)
  const [to, ...moreB] = classesOf(fresh)
  const isOne = moreA.length + moreB.length === 0 && gone.length === fresh.length
  if (!isOne || from === undefined || to === undefined || from === to) return undefined
  return [from, to].includes('text') ? undefined : { from, to }
}

const scalarText = (item: JsonTree): string =>
  item.kind === 'string' ? item.value : writeCompact(item, 'utf8')

/** What items are compared by: their text without the side's own host. */
function textKeys(
  a: JsonItems,
  b: JsonItems,
  walk: TreeWalk,
): (item: JsonTree) => string {
  const texts = new Map<JsonTree, string>()
  const { stripHostA, stripHostB } = walk.context
  for (const item of a) texts.set(item, `${item.kind} ${stripHostA(scalarText(item))}`)
  for (const item of b) texts.set(item, `${item.kind} ${stripHostB(scalarText(item))}`)
  return (item) => texts.get(item) ?? ''
}
