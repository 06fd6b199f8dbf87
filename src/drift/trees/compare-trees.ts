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
import type { TreePosition, TreeWalk } from '../members/tree-walk.ts'
import { compareLists } from './compare-lists.ts'
import { compareObjects } from './compare-objects.ts'
import { compareLiterals, compareStrings } from './compare-values.ts'

export function compareTrees(a: JsonTree, b: JsonTree, place: TreePosition, walk: TreeWalk): void {
  if (a.kind === 'string' && b.kind === 'string') compareStrings(a, b, place.path, walk)
  else if (a.kind === 'literal' && b.kind === 'literal') compareLiterals(a, b, place.path, walk)
  else if (a.kind === 'array' && b.kind === 'array') compareLists(a.items, b.items, place, walk)
  else if (a.kind !== 'object' || b.kind !== 'object') compareMixedTypes(a, b, place, walk)
  else if (isList(a, b)) compareLists(itemsOf(a), itemsOf(b), place, walk, true)
  else compareObjects(a, b, place, walk)
}

/** Both keyed by number, or one of them and the other empty. */
const isList = (a: JsonTree, b: JsonTree): boolean =>
  (isNumberedMap(a) && (isNumberedMap(b) || isEmpty(b))) || (isNumberedMap(b) && isEmpty(a))
const isEmpty = (tree: JsonTree): boolean => membersOf(tree).length === 0

/** Two values of different types: one thing in another encoding, or another type. Emits at least one change. */
function compareMixedTypes(a: JsonTree, b: JsonTree, place: TreePosition, walk: TreeWalk): void {
  const values: ChangeDetail = { before: a, after: b }
  const { path } = place
  if (isInDictionary(path)) walk.emit('value.changed', path, { ...values, other: true })
  else if (isNull(b)) walk.emit('field.nullable', path, values)
  else if (isNull(a)) walk.emit('field.non-null', path, values)
  else if (isFlagPair(a, b) || isFlagPair(b, a)) walk.emit('encoding.flag', path, { ...values, scope: '*' })
  else if (a.kind === 'object' && b.kind === 'array') compareMapArray(a, b, a, b, place, walk)
  else if (a.kind === 'array' && b.kind === 'object') compareMapArray(a, b, b, a, place, walk)
  else if (!compareStar(a, b, place, walk))
    walk.emit('type.changed', path, { ...values, note: `${typeOf(a)} → ${typeOf(b)}` })
}

/** `""` in formatversion 1 is `true` in 2. */
const isFlagPair = (a: JsonTree, b: JsonTree): boolean =>
  a.kind === 'string' && a.value === '' && b.kind === 'literal' && b.text === 'true'

/** `{"*": x}` against x. */
function compareStar(a: JsonTree, b: JsonTree, place: TreePosition, walk: TreeWalk): boolean {
  const [starA, starB] = [starOf(a), starOf(b)]
  if (starA === undefined && starB === undefined) return false
  const note = starA === undefined ? 'x → {"*": x}' : '{"*": x} → x'
  walk.emit('encoding.star', place.path, { before: a, after: b, note, scope: '*' })
  walk.descend(starA ?? a, starB ?? b, place)
  return true
}

const starOf = (tree: JsonTree): JsonTree | undefined =>
  tree.kind === 'object' && tree.members.length === 1 ? memberOf(tree, '*') : undefined

/** One of two values is a map, the other an array. */
function compareMapArray(
  a: JsonObject | JsonArray,
  b: JsonObject | JsonArray,
  map: JsonObject,
  array: JsonArray,
  place: TreePosition,
  walk: TreeWalk,
): void {
  const asLists = (isMap: boolean): void => compareLists(itemsOf(a), itemsOf(b), place, walk, isMap)
  const asObjects = (other: JsonObject): void =>
    compareObjects(a.kind === 'object' ? a : other, b.kind === 'object' ? b : other, place, walk)
  const values = { before: a, after: b }
  const isList =
    hasKeysInside(map, array) || (isCounted(map) && isOfOneType([...itemsOf(map), ...array.items]))
  const named = objectFromNamed(array)
  if (map.members.length === 0 && array.items.length === 0)
    walk.emit('encoding.empty', place.path, { ...values, scope: '*' })
  // PHP writes every empty array as `[]`, whatever it would hold.
  else if (map.members.length === 0 || (array.items.length === 0 && isNumberedMap(map))) asLists(false)
  else if (array.items.length === 0) asObjects(jsonObject([]))
  else if (!isList && named === undefined)
    walk.emit('type.changed', place.path, { ...values, note: `${a.kind} → ${b.kind}` })
  else {
    const note = a.kind === 'array' ? 'array → map' : 'map → array'
    walk.emit('encoding.map-array', place.path, { ...values, note, scope: '*' })
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
