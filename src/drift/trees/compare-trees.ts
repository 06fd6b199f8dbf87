/** The comparison of two trees: picks the rule by the types of both values. */
import {
  itemsOf,
  type JsonArray,
  type JsonObject,
  type JsonTree,
  jsonObject,
  memberOf,
  membersOf,
  textOf,
} from '../../json/json-tree.ts'
import type { ChangeDetail } from '../changes/change.ts'
import { isInDictionary } from '../content/field-names.ts'
import { isNull } from '../content/same-state.ts'
import { isNumberedMap, typeOf } from '../members/sample-shape.ts'
import type { TreePosition } from '../members/tree-walk.ts'
import { compareLists } from './compare-lists.ts'
import { compareObjects } from './compare-objects.ts'
import { compareLiterals, compareStrings } from './compare-values.ts'

export function compareTrees(a: JsonTree, b: JsonTree, place: TreePosition): void {
  if (a.kind === 'string' && b.kind === 'string') compareStrings(a, b, place)
  else if (a.kind === 'literal' && b.kind === 'literal') compareLiterals(a, b, place)
  else if (a.kind === 'array' && b.kind === 'array') compareLists(a.items, b.items, place)
  else if (a.kind !== 'object' || b.kind !== 'object') compareMixedTypes(a, b, place)
  else if (isList(a, b)) compareLists(itemsOf(a), itemsOf(b), place, true)
  else compareObjects(a, b, place)
}

/** Both keyed by number, or one of them and the other empty. */
const isList = (a: JsonTree, b: JsonTree): boolean =>
  (isNumberedMap(a) && (isNumberedMap(b) || isEmpty(b))) || (isNumberedMap(b) && isEmpty(a))
const isEmpty = (tree: JsonTree): boolean => membersOf(tree).length === 0

/** Two values of different types: one thing in another encoding, or another type. Emits at least one change. */
function compareMixedTypes(a: JsonTree, b: JsonTree, place: TreePosition): void {
  const values: ChangeDetail = { before: a, after: b }
  const { path } = place
  if (isInDictionary(path)) place.emit('value.changed', { ...values, other: true }, path)
  else if (isNull(b)) place.emit('field.nullable', values, path)
  else if (isNull(a)) place.emit('field.non-null', values, path)
  else if (isFlagPair(a, b) || isFlagPair(b, a)) place.emit('encoding.flag', { ...values, scope: '*' }, path)
  else if (a.kind === 'object' && b.kind === 'array') compareMapArray(a, b, true, place)
  else if (a.kind === 'array' && b.kind === 'object') compareMapArray(b, a, false, place)
  else if (!compareStar(a, b, place))
    place.emit('type.changed', { ...values, note: `${typeOf(a)} → ${typeOf(b)}` }, path)
}

/** `""` in formatversion 1 is `true` in 2. */
const isFlagPair = (a: JsonTree, b: JsonTree): boolean =>
  a.kind === 'string' && a.value === '' && b.kind === 'literal' && b.text === 'true'

/** `{"*": x}` against x. */
function compareStar(a: JsonTree, b: JsonTree, place: TreePosition): boolean {
  const [starA, starB] = [starOf(a), starOf(b)]
  if (starA === undefined && starB === undefined) return false
  const note = starA === undefined ? 'x → {"*": x}' : '{"*": x} → x'
  place.emit('encoding.star', { before: a, after: b, note, scope: '*' })
  place.compare(starA ?? a, starB ?? b)
  return true
}

const starOf = (tree: JsonTree): JsonTree | undefined =>
  tree.kind === 'object' && tree.members.length === 1 ? memberOf(tree, '*') : undefined

/** One of two values is a map, the other an array. */
function compareMapArray(map: JsonObject, array: JsonArray, isMapA: boolean, place: TreePosition): void {
  const [a, b] = isMapA ? ([map, array] as const) : ([array, map] as const)
  const asLists = (isMap: boolean): void => compareLists(itemsOf(a), itemsOf(b), place, isMap)
  const asObjects = (other: JsonObject): void =>
    compareObjects(a.kind === 'object' ? a : other, b.kind === 'object' ? b : other, place)
  const values = { before: a, after: b }
  const isList =
    hasKeysInside(map, array) || (isCounted(map) && isOfOneType([...itemsOf(map), ...array.items]))
  const named = objectFromNamed(array)
  if (map.members.length === 0 && array.items.length === 0)
    place.emit('encoding.empty', { ...values, scope: '*' })
  // PHP writes every empty array as `[]`, whatever it would hold.
  else if (map.members.length === 0 || (array.items.length === 0 && isNumberedMap(map))) asLists(false)
  else if (array.items.length === 0) asObjects(jsonObject([]))
  else if (!isList && named === undefined)
    place.emit('type.changed', { ...values, note: `${a.kind} → ${b.kind}` })
  else {
    const note = a.kind === 'array' ? 'array → map' : 'map → array'
    place.emit('encoding.map-array', { ...values, note, scope: '*' })
    if (isList || named === undefined) asLists(true)
    else asObjects(named)
  }
}

/** Keys are counts or ids. */
const isCounted = (map: JsonObject): boolean => map.members.every(({ key }) => /^-?\d+$/.test(key))
const isOfOneType = (trees: readonly JsonTree[]): boolean => new Set(trees.map(({ kind }) => kind)).size === 1

/** The array's items hold the map's keys, e.g. `{"edit": {…}}` and `[{"name": "edit", …}]`. */
function hasKeysInside(map: JsonObject, array: JsonArray): boolean {
  if (map.members.some(({ value }) => value.kind !== 'object')) return false
  const inside = new Set(array.items.flatMap(itemsOf).flatMap((value) => textOf(value) ?? []))
  return map.members.some(({ key }) => inside.has(key))
}

/** `[{"name": n, "*": v}]` as `{n: v}`: how formatversion 1 writes what 2 writes as an object. */
function objectFromNamed(array: JsonArray): JsonObject | undefined {
  const members = array.items.flatMap((item) => {
    const [first, second, ...more] = item.kind === 'object' ? item.members : []
    if (first === undefined || second === undefined || more.length > 0) return []
    const [name, value] = second.key === '*' ? [first, second] : [second, first]
    const key = textOf(name.value)
    return value.key === '*' && key !== undefined ? [[key, value.value] as const] : []
  })
  return members.length === array.items.length ? jsonObject(members) : undefined
}
