/** Two lists: items aligned by key, gone and new ones told one by one, another order once. */
import { type JsonTree, jsonLiteral, memberOf, sameTree, textOf } from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { plural } from '../../text/plural.ts'
import { itemPath, type Path, templateOf } from '../changes/path.ts'
import { sweepShapes } from '../members/compare-shapes.ts'
import { variantOf } from '../members/sample-shape.ts'
import { itemPlace, type Place, type Walk } from '../members/tree-walk.ts'
import { compareScalars, without } from './compare-scalar-lists.ts'
import { isOrderless, isRanked } from './field-names.ts'
import { chooseKey, type KeyedLists, type Labeller, labeller, nowhere } from './item-keys.ts'
import { mayFollowIds, movedOf } from './item-order.ts'

type Items = readonly JsonTree[]

/** @param isMap both sides are objects keyed by number, so that order is hardly seen */
export function compareLists(a: Items, b: Items, place: Place, walk: Walk, isMap = false): void {
  if (a.every(isObject) && b.every(isObject)) compareObjectsIn(a, b, place, walk, isMap)
  else if (a.every(isScalar) && b.every(isScalar)) compareScalars(a, b, place, walk)
  else pairByPosition(a, b, place, walk)
}

const isObject = (tree: JsonTree): boolean => tree.kind === 'object'
const isScalar = (tree: JsonTree): boolean => tree.kind === 'string' || tree.kind === 'literal'

function compareObjectsIn(a: Items, b: Items, place: Place, walk: Walk, isMap: boolean): void {
  const keyed = chooseKey(a, b)
  if (keyed === undefined) {
    pairByPosition(a, b, place, walk)
    return
  }
  const pairing = pair(a, b, keyed)
  // One item against one: they are compared even if no key connects them.
  if (pairing.positions.length === 0 && a.length === 1 && b.length === 1) {
    pairByPosition(a, b, place, walk)
    return
  }
  const labelOf = labeller(keyed.key)
  for (const { one, other } of pairing.pairs) {
    comparePair(one, other, itemPath(place.path, labelOf(one)), place, walk)
  }
  if (pairing.positions.length === 0 && a.length > 0 && b.length > 0) sweepShapes(place, walk)
  if (!isCutElsewhere(a, b, pairing, place, walk)) tellUnpaired(pairing, labelOf, place, walk)
  tellOrder(a, b, pairing, place.path, walk, isMap)
}

interface Pairing {
  /** Pairs that differ in anything. */
  readonly pairs: readonly { readonly one: JsonTree; readonly other: JsonTree }[]
  readonly gone: Items
  readonly fresh: Items
  /** Positions in B of all pairs, in A's order. */
  readonly positions: readonly number[]
}

function pair(a: Items, b: Items, keyed: KeyedLists): Pairing {
  const pairs: { one: JsonTree; other: JsonTree }[] = []
  const gone: JsonTree[] = []
  const seen = new Uint8Array(b.length)
  for (let at = 0; at < a.length; at += 1) {
    const position = keyed.positions[at] ?? nowhere
    const one = a[at]
    if (one === undefined) continue
    const other = position === nowhere ? undefined : b[position]
    if (other === undefined) gone.push(one)
    else {
      seen[position] = 1
      if (!sameTree(one, other)) pairs.push({ one, other })
    }
  }
  const positions = gone.length === 0 ? keyed.positions : keyed.positions.filter((at) => at !== nowhere)
  const fresh = positions.length === b.length ? [] : b.filter((_, at) => seen[at] === 0)
  return { pairs, gone, fresh, positions }
}

function comparePair(a: JsonTree, b: JsonTree, path: Path, place: Place, walk: Walk): void {
  const [variantA, variantB] = [variantOf(a), variantOf(b)]
  if (variantA === variantB) {
    walk.descend(a, b, itemPlace(place, path, variantA))
    return
  }
  const note = `${variantA || 'there'} → ${variantB || 'there'}`
  const kind = variantB === '' ? 'items.more' : 'items.fewer'
  // A page or user that is there on one side alone is content.
  const isNamedOtherwise = isNamed(place.path, walk) && !/missing/.test(note)
  walk.emit(kind, path, { before: a, after: b, note, other: isNamedOtherwise })
}

/** True for items that the request asked for by name. */
const isNamed = (path: Path, walk: Walk): boolean =>
  walk.pinned && /^query\.(?:pages|users)$/.test(templateOf(path))

function tellUnpaired(pairing: Pairing, labelOf: Labeller, place: Place, walk: Walk): void {
  const other = isNamed(place.path, walk)
  for (const item of pairing.gone) {
    walk.emit('items.fewer', itemPath(place.path, labelOf(item)), { before: item, other })
  }
  for (const item of pairing.fresh) {
    walk.emit('items.more', itemPath(place.path, labelOf(item)), { after: item, other })
  }
}

/** The same content in batches of another size: what is missing on one side lies behind its end. */
function isCutElsewhere(a: Items, b: Items, pairing: Pairing, place: Place, walk: Walk): boolean {
  if (!(walk.cutA || walk.cutB) || !isListing(place.path) || pairing.positions.length === 0) return false
  const behind = (unpaired: Items, all: Items, cut: boolean): boolean =>
    unpaired.length > 0 &&
    cut &&
    unpaired.every((item, at) => item === all[all.length - unpaired.length + at])
  const shorterB = pairing.fresh.length === 0 && behind(pairing.gone, a, walk.cutB)
  const shorterA = pairing.gone.length === 0 && behind(pairing.fresh, b, walk.cutA)
  if (!shorterA && !shorterB) return false
  const note = `${plural(a.length, 'item')} → ${plural(b.length, 'item')}`
  walk.emit('continuation.batch', place.path, {
    before: jsonLiteral(a.length),
    after: jsonLiteral(b.length),
    note,
  })
  return true
}

const isListing = (path: Path): boolean => path.parent?.parent?.kind === 'root'

function tellOrder(a: Items, b: Items, pairing: Pairing, path: Path, walk: Walk, isMap: boolean): void {
  if (movedOf(pairing.positions) === 0) return
  const gone = new Set(pairing.gone)
  const stayed = a.filter((one) => !gone.has(one))
  const moved = movedOf(pairing.positions.filter((position, at) => isSameSort(stayed[at], b[position])))
  if (moved === 0) return
  if (isRanked(path) && isRerated(pairing)) {
    walk.emit('order.by-rank', path, {})
    return
  }
  if (walk.renumbered() && mayFollowIds(a, b)) {
    walk.emit('order.by-id', path, {})
    return
  }
  const note = `${moved} of ${pairing.positions.length} moved`
  walk.emit('order.changed', path, { note, other: isMap || isOrderless(path) })
}

/** True where what ranks the items moved: other items, or other sizes and counts. */
const isRerated = ({ pairs, gone, fresh }: Pairing): boolean =>
  gone.length + fresh.length > 0 ||
  pairs.some(({ one, other }) =>
    rated.some((name) => {
      const [before, after] = [memberOf(one, name), memberOf(other, name)]
      return before !== undefined && after !== undefined && !sameTree(before, after)
    }),
  )
const rated = ['value', 'wordcount', 'timestamp'] as const

/** A page that went, or was renamed, stands where pages of its new sort do. */
const isSameSort = (one: JsonTree | undefined, other: JsonTree | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  variantOf(one) === variantOf(other) &&
  textOf(memberOf(one, 'title')) === textOf(memberOf(other, 'title'))

/** Without a key: equal items are one item; what is left is compared in the order it comes. */
function pairByPosition(a: Items, b: Items, place: Place, walk: Walk): void {
  const [restA, restB] = [without(a, b, textKey), without(b, a, textKey)]
  const common = Math.min(restA.length, restB.length)
  const at = (index: number): Path => itemPath(place.path, String(index))
  for (let index = 0; index < common; index += 1) {
    const [one, other] = [restA[index], restB[index]]
    if (one && other) comparePair(one, other, at(a.indexOf(one)), place, walk)
  }
  restA.slice(common).forEach((item) => {
    walk.emit('items.fewer', at(a.indexOf(item)), { before: item })
  })
  restB.slice(common).forEach((item) => {
    walk.emit('items.more', at(b.indexOf(item)), { after: item })
  })
}

const textKey = (item: JsonTree): string => writeCompact(item, 'utf8')
