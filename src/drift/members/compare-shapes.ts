/** Members of items that only one list has, compared over all samples of both sides. */
import { type JsonTree, memberOf } from '../../json/json-tree.ts'
import { itemPath, memberPath, templateOf } from '../changes/change.ts'
import { isInDictionary } from '../content/field-names.ts'
import { isAbsent, isRequired, type JsonType, presence, type SampleShape, typeOf } from './sample-shape.ts'
import type { TreePosition, TreeWalk } from './tree-walk.ts'

/** Below this probability, an optional member that is never seen counts as gone. */
const maxChance = 0.05

/** Emits members that all comparable samples lost or won, once for each place and class of request. */
export function compareShapes(list: TreePosition, walk: TreeWalk): void {
  for (const variant of list.shapeA?.items.keys() ?? []) {
    const place = list.item(itemPath(list.path, variant === '' ? '*' : variant, true), variant)
    if (walk.isFirstTime(`sweep ${templateOf(place.path)} ${variant}`)) compareMemberShapes(place, walk)
  }
}

function compareMemberShapes(place: TreePosition, walk: TreeWalk): void {
  const { shapeA, shapeB } = place
  if (shapeA === undefined || shapeB === undefined) return
  for (const name of new Set([...shapeA.members.keys(), ...shapeB.members.keys()])) {
    const path = memberPath(place.path, name)
    if (isOptionalFlag(shapeA, name) && isOptionalFlag(shapeB, name)) continue
    const note = `${presence(shapeA, name)} → ${presence(shapeB, name)}`
    if (isAbsent(shapeA, name)) walk.emit('field.added', path, { note })
    else if (!isAbsent(shapeB, name)) compareMemberShapes(place.member(path, name), walk)
    else if (isUnlikely(shapeA.members.get(name)?.samples ?? 0, shapeA.samples, shapeB.samples))
      walk.emit('field.removed', path, { note, other: !isRequired(shapeA, name) })
  }
}

/** Absent, or in some samples as a mere flag: which of them are flagged is content. */
function isOptionalFlag(shape: SampleShape, name: string): boolean {
  const member = shape.members.get(name)
  return member === undefined || (member.flags === member.samples && member.samples < shape.samples)
}

/** The chance that none of B's samples has what this share of A's samples had. */
const isUnlikely = (having: number, samplesA: number, samplesB: number): boolean =>
  (1 - having / samplesA) ** samplesB < maxChance

/** Emits members of B's item of types that no sample of A has. @param example an item of A, whose types need none */
export function compareNewTypes(
  item: JsonTree,
  example: JsonTree | undefined,
  place: TreePosition,
  walk: TreeWalk,
): void {
  if (item.kind !== 'object') return
  for (const { key, value } of item.members) {
    const [path, other] = [memberPath(place.path, key), memberOf(example, key)]
    const at = place.member(path, key)
    if (value.kind === 'object') compareNewTypes(value, other, at, walk)
    else if (value.kind !== 'array' && (other === undefined || typeOf(value) !== typeOf(other)))
      compareNewType(value, at, walk)
  }
}

function compareNewType(value: JsonTree, { path, shapeA }: TreePosition, walk: TreeWalk): void {
  const [type, types] = [typeOf(value), [...(shapeA?.types ?? [])]]
  if (types.length === 0 || types.includes(type) || types.some((one) => !isScalar(one))) return
  // Flags are spelled by the form of the answer, and settings are of any type.
  if (shapeA?.flags === shapeA?.samples || isInDictionary(path)) return
  const note = `${types.sort().join(' or ')} → ${type}`
  if (walk.isFirstTime(`type ${templateOf(path)} ${type}`))
    walk.emit(type === 'null' ? 'field.nullable' : 'type.changed', path, { after: value, note })
}

const isScalar = (type: JsonType): boolean => type !== 'array' && type !== 'object'
