/** Members at a place over all samples of both sides, where items cannot be compared one by one. */
import { type JsonTree, memberOf } from '../../recorder/json/json-tree.ts'
import { itemPath, memberPath, templateOf, turn } from '../changes/change.ts'
import { isInDictionary } from '../content/field-names.ts'
import { type SampleShape, typeOf } from './sample-shape.ts'
import type { TreePosition } from './tree-walk.ts'

/** Below this probability, an optional member that is never seen counts as gone. */
const maxChance = 0.05

/** Emits members that all comparable samples lost or won, once for each place and class of request. */
export function compareShapes(list: TreePosition): void {
  for (const variant of list.shapeA().items.keys()) {
    const path = itemPath(list.path, variant === '' ? '*' : variant, true)
    if (list.walk.isFirstTime(`sweep ${templateOf(path)} ${variant}`))
      compareMemberShapes(list.item(path, variant))
  }
}

function compareMemberShapes(place: TreePosition) {
  const a = place.shapeA()
  const b = place.shapeB()
  if (a.samples === 0 || b.samples === 0) return
  for (const name of new Set([...a.members.keys(), ...b.members.keys()])) {
    if (isOptionalFlag(a, name) && isOptionalFlag(b, name)) continue
    const path = memberPath(place.path, name)
    const note = turn(a.presence(name), b.presence(name))
    const share = a.count(name) / a.samples
    if (a.count(name) === 0) place.emit('field.added', { note }, path)
    else if (b.count(name) > 0) compareMemberShapes(place.member(path, name))
    // The chance that none of B's samples has what this share of A's samples had.
    else if ((1 - share) ** b.samples < maxChance)
      place.emit('field.removed', { note, other: !a.isRequired(name) }, path)
  }
}

/** Absent, or in some samples as a mere flag: which of them are flagged is content. */
function isOptionalFlag(shape: SampleShape, name: string) {
  const member = shape.members.get(name)
  return !member || (member.flags === member.samples && member.samples < shape.samples)
}

/** Emits members of B's item of types that no sample of A has. @param example an item of A, whose types need none */
export function compareNewTypes(
  item: JsonTree,
  example: JsonTree | undefined,
  place: TreePosition
): void {
  if (item.kind !== 'object') return
  for (const { key, value } of item.members) {
    const other = memberOf(example, key)
    const at = place.member(memberPath(place.path, key), key)
    if (value.kind === 'object') compareNewTypes(value, other, at)
    else if (value.kind !== 'array' && (!other || typeOf(value) !== typeOf(other)))
      compareNewType(value, at)
  }
}

function compareNewType(after: JsonTree, place: TreePosition) {
  const shape = place.shapeA()
  // Flags are spelled by the form of the answer, and settings are of any type.
  if (shape.flags === shape.samples || isInDictionary(place.path)) return
  const to = typeOf(after)
  if (([to, 'array', 'object'] as const).some((one) => shape.types.has(one))) return
  const note = turn([...shape.types].sort().join(' or '), to)
  if (place.walk.isFirstTime(`type ${templateOf(place.path)} ${to}`))
    place.emit(to === 'null' ? 'field.nullable' : 'type.changed', { after, note })
}
