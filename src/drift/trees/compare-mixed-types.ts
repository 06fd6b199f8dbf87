/** Two values of different JSON types: one thing in another encoding, or another type. */
import {
  type JsonArray,
  type JsonObject,
  type JsonTree,
  jsonObject,
  memberOf,
  textOf,
} from '../../json/json-tree.ts'
import { isNumberedMap } from '../members/sample-shape.ts'
import type { ChangeDetail, TreePosition, TreeWalk } from '../members/tree-walk.ts'
import { compareLists } from './compare-lists.ts'
import { compareObjects } from './compare-objects.ts'
import { isInDictionary } from './field-names.ts'

/** @returns nothing; every way out tells at least one change */
export function compareMixedTypes(a: JsonTree, b: JsonTree, position: TreePosition, walk: TreeWalk): void {
  const values: ChangeDetail = { before: a, after: b }
  const { path } = position
  if (isInDictionary(path)) walk.emit('value.changed', path, { ...values, other: true })
  else if (isNull(b)) walk.emit('field.nullable', path, values)
  else if (isNull(a)) walk.emit('field.non-null', path, values)
  else if (isFlagPair(a, b) || isFlagPair(b, a)) walk.emit('encoding.flag', path, { ...values, scope: '*' })
  else if (a.kind === 'object' && b.kind === 'array') compareMapArray(a, b, position, walk, false)
  else if (a.kind === 'array' && b.kind === 'object') compareMapArray(b, a, position, walk, true)
  else if (!compareStar(a, b, position, walk) && !compareStar(b, a, position, walk, true))
    walk.emit('type.changed', path, { ...values, note: `${typeOf(a)} → ${typeOf(b)}` })
}

const isNull = (tree: JsonTree): boolean => tree.kind === 'literal' && tree.text === 'null'

/** `""` in formatversion 1 is `true` in 2. */
const isFlagPair = (a: JsonTree, b: JsonTree): boolean =>
  a.kind === 'string' && a.value === '' && b.kind === 'literal' && b.text === 'true'

function typeOf(tree: JsonTree): string {
  if (tree.kind !== 'literal') return tree.kind
  return tree.text === 'true' || tree.text === 'false' ? 'boolean' : 'number'
}

/** `{"*": x}` against x. */
function compareStar(
  a: JsonTree,
  b: JsonTree,
  position: TreePosition,
  walk: TreeWalk,
  reversed = false,
): boolean {
  const star = a.kind === 'object' && a.members.length === 1 ? memberOf(a, '*') : undefined
  if (star === undefined) return false
  const [before, after] = reversed ? [b, a] : [a, b]
  walk.emit('encoding.star', position.path, {
    before,
    after,
    note: reversed ? 'x → {"*": x}' : '{"*": x} → x',
    scope: '*',
  })
  if (reversed) walk.descend(b, star, position)
  else walk.descend(star, b, position)
  return true
}

/** @param reversed the array is A's */
function compareMapArray(
  map: JsonObject,
  array: JsonArray,
  position: TreePosition,
  walk: TreeWalk,
  reversed: boolean,
): void {
  const [before, after]: readonly [JsonTree, JsonTree] = reversed ? [array, map] : [map, array]
  if (map.members.length === 0 || array.items.length === 0) {
    compareWithEmpty(map, array, position, walk, reversed)
    return
  }
  const emitEncoding = (): void => {
    walk.emit('encoding.map-array', position.path, {
      before,
      after,
      note: reversed ? 'array → map' : 'map → array',
      scope: '*',
    })
  }
  const values = map.members.map(({ value }) => value)
  if (hasKeysInside(map, array) || (isCounted(map) && sameJsonTypes(values, array.items))) {
    emitEncoding()
    const [a, b] = reversed ? [array.items, values] : [values, array.items]
    compareLists(a, b, position, walk, true)
    return
  }
  const named = objectFromNamed(array)
  if (named === undefined) {
    walk.emit('type.changed', position.path, { before, after, note: `${before.kind} → ${after.kind}` })
    return
  }
  emitEncoding()
  if (reversed) compareObjects(named, map, position, walk)
  else compareObjects(map, named, position, walk)
}

/** PHP writes every empty array as `[]`, whatever it would hold. */
function compareWithEmpty(
  map: JsonObject,
  array: JsonArray,
  position: TreePosition,
  walk: TreeWalk,
  reversed: boolean,
): void {
  const [before, after]: readonly [JsonTree, JsonTree] = reversed ? [array, map] : [map, array]
  if (map.members.length === 0 && array.items.length === 0) {
    walk.emit('encoding.empty', position.path, { before, after, scope: '*' })
    return
  }
  const items = map.members.length === 0 ? array.items : map.members.map(({ value }) => value)
  if (map.members.length > 0 && !isNumberedMap(map)) {
    const empty = jsonObject([])
    reversed ? compareObjects(empty, map, position, walk) : compareObjects(map, empty, position, walk)
    return
  }
  const isBefore = (map.members.length === 0) === reversed
  compareLists(isBefore ? items : [], isBefore ? [] : items, position, walk)
}

/** Keys are counts or ids. */
const isCounted = (map: JsonObject): boolean => map.members.every(({ key }) => /^-?\d+$/.test(key))
const sameJsonTypes = (a: readonly JsonTree[], b: readonly JsonTree[]): boolean =>
  new Set([...a, ...b].map((one) => one.kind)).size === 1

/** The map's keys stand inside of the array's items, e.g. `{"edit": {…}}` and `[{"name": "edit", …}]`. */
function hasKeysInside(map: JsonObject, array: JsonArray): boolean {
  if (map.members.some(({ value }) => value.kind !== 'object')) return false
  const inside = new Set(
    array.items.flatMap((item) =>
      item.kind === 'object' ? item.members.flatMap(({ value }) => textOf(value) ?? []) : [],
    ),
  )
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
