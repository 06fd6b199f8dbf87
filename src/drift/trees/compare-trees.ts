/** The comparison of two trees: picks the rule by the types of both values; objects, in whichever order of members. */
import {
  itemsOf,
  type JsonArray,
  type JsonMember,
  type JsonObject,
  type JsonTree,
  jsonObject,
  memberOf,
  membersOf,
  textOf
} from '../../recorder/json/json-tree.ts'
import { wordSet } from '../../recorder/text/words.ts'
import { itemPath, memberPath, turn } from '../changes/change.ts'
import { fields, isDictionary, isInDictionary } from '../content/field-names.ts'
import { canonicalText, isFlag, isNull } from '../content/same-state.ts'
import { restRouteOf } from '../inputs/cassette-side.ts'
import { isNumberedMap, typeOf, variantOf } from '../members/sample-shape.ts'
import { TreePosition } from '../members/tree-walk.ts'
import { compareItemPair, compareLists } from './compare-lists.ts'
import { compareLiterals, compareStrings } from './compare-values.ts'

export function compareTrees(a: JsonTree, b: JsonTree, place: TreePosition): void {
  if (a.kind === 'string' && b.kind === 'string') compareStrings(a, b, place)
  else if (a.kind === 'literal' && b.kind === 'literal') compareLiterals(a, b, place)
  else if (a.kind === 'array' && b.kind === 'array') compareLists(a.items, b.items, place)
  else if (a.kind !== 'object' || b.kind !== 'object') compareMixedTypes(a, b, place)
  else if (isList(a, b)) compareMaps(a, b, place)
  else compareObjects(a, b, place)
}

/** Both keyed by number, or one of them and the other empty. */
const isList = (a: JsonTree, b: JsonTree) =>
  (isNumberedMap(a) && (isNumberedMap(b) || isEmpty(b))) ||
  (isNumberedMap(b) && isEmpty(a))
const isEmpty = (tree: JsonTree) => membersOf(tree).length === 0

function compareMaps(a: JsonObject, b: JsonObject, place: TreePosition) {
  const keyA = keyOfGaps(a)
  const keyB = keyOfGaps(b)
  if (keyA !== keyB) place.emit('value.format', { note: turn(keyA, keyB) })
  compareLists(itemsOf(a), itemsOf(b), place, true)
}

/** A page that is missing may have the number of one that is there. Source: API:Query, "Missing and invalid titles". */
const keyOfGaps = ({ members }: JsonObject) =>
  members.some(({ key, value }) => Number(key) > 0 && titleVariants.has(variantOf(value)))
    ? 'number of a page'
    : 'negative key'
const titleVariants = wordSet('missing invalid special')

/** Two values of different types: one thing in another encoding, or another type. Emits at least one change. */
function compareMixedTypes(a: JsonTree, b: JsonTree, place: TreePosition) {
  const values = { before: a, after: b }
  if (isInDictionary(place.path)) place.emit('value.changed', { ...values, other: true })
  else if (isNull(b)) place.emit('field.nullable', values)
  else if (isNull(a)) place.emit('field.non-null', values)
  else if (isFlagPair(a, b) || isFlagPair(b, a)) place.emit('encoding.flag', values)
  else if (!compareMapArray(a, b, place) && !compareStar(a, b, place))
    place.emit('type.changed', { ...values, note: turn(typeOf(a), typeOf(b)) })
}

/** `""` in formatversion 1 is `true` in 2. */
const isFlagPair = (a: JsonTree, b: JsonTree) =>
  a.kind === 'string' && a.value === '' && b.kind === 'literal' && b.text === 'true'

/** `{"*": x}` against x. */
function compareStar(a: JsonTree, b: JsonTree, place: TreePosition) {
  const starA = starOf(a)
  const starB = starOf(b)
  if (!starA && !starB) return false
  const note = starA ? turn('{"*": x}', 'x') : turn('x', '{"*": x}')
  place.emit('encoding.star', { before: a, after: b, note })
  place.compare(starA ?? a, starB ?? b)
  return true
}

const starOf = (tree: JsonTree) =>
  tree.kind === 'object' && tree.members.length === 1 ? memberOf(tree, '*') : undefined

/** @returns false unless one of the values is a map, the other an array */
function compareMapArray(a: JsonTree, b: JsonTree, place: TreePosition) {
  const map = [a, b].find((one) => one.kind === 'object')
  const array = [a, b].find((one) => one.kind === 'array')
  if (!map || !array) return false

  const asLists = (isMap: boolean) => compareLists(itemsOf(a), itemsOf(b), place, isMap)
  const asObjects = (other: JsonObject) =>
    a === map ? compareObjects(map, other, place) : compareObjects(other, map, place)
  const hasNone = map.members.length === 0
  const values = { before: a, after: b }
  if (hasNone && array.items.length === 0) place.emit('encoding.empty', values)
  // PHP writes every empty array as `[]`, whatever it would hold.
  else if (hasNone || (array.items.length === 0 && isNumberedMap(map))) asLists(false)
  else if (array.items.length === 0) asObjects(jsonObject([]))
  else {
    const isList =
      hasKeysInside(map, array) ||
      (isCounted(map) && isOfOneType([...itemsOf(map), ...array.items]))
    const named = objectFromNamed(array)
    const note = a === map ? turn('map', 'array') : turn('array', 'map')
    if (isList || named) place.emit('encoding.map-array', { ...values, note })
    else place.emit('type.changed', { ...values, note: turn(a.kind, b.kind) })
    if (isList) asLists(true)
    else if (named) asObjects(named)
  }
  return true
}

/** Keys are counts or ids. */
const isCounted = (map: JsonObject) => map.members.every(({ key }) => /^-?\d+$/.test(key))
const isOfOneType = (trees: readonly JsonTree[]) =>
  new Set(trees.map(({ kind }) => kind)).size === 1

/** The array's items hold the map's keys, e.g. `{"edit": {…}}` and `[{"name": "edit", …}]`. */
function hasKeysInside(map: JsonObject, array: JsonArray) {
  if (map.members.some(({ value }) => value.kind !== 'object')) return false
  const inside = new Set(
    array.items.flatMap(itemsOf).flatMap((value) => textOf(value) ?? [])
  )
  return map.members.some(({ key }) => inside.has(key))
}

/** `[{"name": n, "*": v}]` as `{n: v}`: how formatversion 1 writes what 2 writes as an object. */
function objectFromNamed(array: JsonArray) {
  const members = array.items.flatMap((item) => {
    const [first, second, ...more] = item.kind === 'object' ? item.members : []
    if (!first || !second || more.length > 0) return []
    const [name, value] = second.key === '*' ? [first, second] : [second, first]
    const key = textOf(name.value)
    return value.key === '*' && key !== undefined ? [[key, value.value] as const] : []
  })
  return members.length === array.items.length ? jsonObject(members) : undefined
}

function compareObjects(a: JsonObject, b: JsonObject, place: TreePosition) {
  if (inSameOrder(a, b)) {
    a.members.forEach(({ key, value }, at) => {
      descendMember(key, value, b.members[at]?.value ?? value, place)
    })
    return
  }
  const inA = membersByKey(a)
  const inB = membersByKey(b)
  const removed: JsonMember[] = []
  for (const [key, member] of inA) {
    const other = inB.get(key)
    if (!other) removed.push(member)
    else descendMember(key, member.value, other.value, place)
  }
  const added = [...inB.values()].filter(({ key }) => !inA.has(key))
  settleUnpaired(removed, added, place)
}

/** The last of doubled keys counts. */
const membersByKey = ({ members }: JsonObject) =>
  new Map(members.map((one) => [one.key, one]))

/** The common case, and much cheaper. */
const inSameOrder = (a: JsonObject, b: JsonObject) =>
  a.members.length === b.members.length &&
  a.members.every(({ key }, at) => key === b.members[at]?.key)

function descendMember(key: string, a: JsonTree, b: JsonTree, place: TreePosition) {
  if (a.kind === 'string' && b.kind === 'string' && a.value === b.value) return
  if (a.kind === 'literal' && b.kind === 'literal' && a.text === b.text) return
  // Names that are content make items, so that their changes are grouped.
  const isItem = isMap(place)
  const path = isItem ? itemPath(place.path, key) : memberPath(place.path, key)
  if (isItem && a.kind === 'object' && b.kind === 'object')
    compareItemPair(a, b, path, place)
  else place.member(path, key).compare(a, b)
}

type Members = readonly JsonMember[]

/** True if names are content. Those of rest.php have no map around them if they are asked for alone. */
function isMap({ path, walk }: TreePosition) {
  if (isDictionary(path)) return true
  const route = restRouteOf(walk.context.requestRef.request)
  const name = path.kind === 'root' ? route?.replace(/^.*\//, '') : path.step
  return route !== undefined && path.kind !== 'item' && fields.restMaps.has(name ?? '')
}

function settleUnpaired(removed: Members, added: Members, place: TreePosition) {
  if (isMap(place)) {
    for (const { key, value: before } of removed)
      place.emit('items.fewer', { before }, itemPath(place.path, key))
    for (const { key, value: after } of added)
      place.emit('items.more', { after }, itemPath(place.path, key))
    return
  }
  const paired = emitStar(removed, added, place)
  const isLeft = (one: JsonMember) => !paired.includes(one)
  const left = { removed: removed.filter(isLeft), added: added.filter(isLeft) }
  if (left.removed.length + left.added.length > 0)
    place.walk.deferred.push({ place, ...left })
}

/** Compares `*` with the member that the other encoding has for it; returns both. */
function emitStar(removed: Members, added: Members, place: TreePosition) {
  const isStar = ({ key }: JsonMember) => key === '*'
  const starA = removed.find(isStar)
  const starB = added.find(isStar)
  const a = starA ?? (starB && starPartner(starB, removed))
  const b = starB ?? (starA && starPartner(starA, added))
  if (!a || !b) return []
  const path = memberPath(place.path, starA ? b.key : a.key)
  const detail = { before: a.value, after: b.value, note: turn(a.key, b.key) }
  place.emit('encoding.star', detail, path)
  new TreePosition(path, place.walk).compare(a.value, b.value)
  return [a, b]
}

/** The member of equal value, or the only one of its type; no flag is a value by another name. */
function starPartner(star: JsonMember, others: Members) {
  const equal = others.find(
    ({ value }) => canonicalText(value) === canonicalText(star.value)
  )
  const [only, ...more] = others.filter(
    ({ value }) => value.kind === star.value.kind && !isFlag(value)
  )
  return equal ?? (more.length === 0 ? only : undefined)
}
