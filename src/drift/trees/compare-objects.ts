/** Two objects: common members are compared, the others deferred until renames and moves can be found. */
import type { JsonMember, JsonObject, JsonTree } from '../../json/json-tree.ts'
import { itemPath, memberPath, type Path, templateOf } from '../changes/change.ts'
import { isDictionary } from '../content/field-names.ts'
import { canonicalText } from '../content/same-state.ts'
import { TreePosition, type TreeWalk } from '../members/tree-walk.ts'

export function compareObjects(a: JsonObject, b: JsonObject, place: TreePosition, walk: TreeWalk): void {
  if (inSameOrder(a, b)) {
    a.members.forEach(({ key, value }, at) => {
      descendMember(key, value, b.members[at]?.value ?? value, place, walk)
    })
    return
  }
  // Of doubled keys the last one counts.
  const [inA, inB] = [a, b].map(({ members }) => new Map(members.map((one) => [one.key, one])))
  if (inA === undefined || inB === undefined) return
  const removed: JsonMember[] = []
  const common: string[] = []
  for (const [key, member] of inA) {
    const other = inB.get(key)
    if (other === undefined) removed.push(member)
    else {
      common.push(key)
      descendMember(key, member.value, other.value, place, walk)
    }
  }
  emitKeyOrder(common, b, place, walk)
  settleUnpaired(
    removed,
    [...inB.values()].filter(({ key }) => !inA.has(key)),
    place,
    walk,
  )
}

/** The common case, and much cheaper. */
const inSameOrder = (a: JsonObject, b: JsonObject): boolean =>
  a.members.length === b.members.length && a.members.every(({ key }, at) => key === b.members[at]?.key)

function descendMember(key: string, a: JsonTree, b: JsonTree, place: TreePosition, walk: TreeWalk): void {
  if (a.kind === 'string' && b.kind === 'string' && a.value === b.value) return
  if (a.kind === 'literal' && b.kind === 'literal' && a.text === b.text) return
  walk.descend(a, b, place.member(childPath(place.path, key), key))
}

/** Names that are content make items, so that their changes are grouped. */
const childPath = (path: Path, key: string): Path =>
  isDictionary(path) ? itemPath(path, key) : memberPath(path, key)

function emitKeyOrder(common: readonly string[], b: JsonObject, place: TreePosition, walk: TreeWalk): void {
  const names = new Set(common)
  const order = b.members.filter(({ key }) => names.has(key)).map(({ key }) => key)
  if (common.every((key, at) => key === order[at])) return
  if (walk.isFirstTime(`key-order ${templateOf(place.path)}`)) walk.emit('key-order', place.path, {})
}

function settleUnpaired(
  removed: readonly JsonMember[],
  added: readonly JsonMember[],
  place: TreePosition,
  walk: TreeWalk,
): void {
  if (isDictionary(place.path)) {
    for (const { key, value: before } of removed)
      walk.emit('items.fewer', itemPath(place.path, key), { before })
    for (const { key, value: after } of added) walk.emit('items.more', itemPath(place.path, key), { after })
    return
  }
  const [star, partner] = emitStar(removed, added, place, walk)
  const [gone, fresh] = [removed, added].map((all) => all.filter((one) => one !== star && one !== partner))
  if (gone && fresh && gone.length + fresh.length > 0)
    walk.deferred.push({ place, removed: gone, added: fresh })
}

/** Compares `*` with the member that the other encoding has for it; returns both. */
function emitStar(
  removed: readonly JsonMember[],
  added: readonly JsonMember[],
  place: TreePosition,
  walk: TreeWalk,
): readonly JsonMember[] {
  const [starA, starB] = [removed, added].map((members) => members.find(({ key }) => key === '*'))
  const a = starA ?? (starB && starPartner(starB, removed))
  const b = starB ?? (starA && starPartner(starA, added))
  if (a === undefined || b === undefined) return []
  const path = memberPath(place.path, starA === undefined ? a.key : b.key)
  const note = `${a.key} → ${b.key}`
  walk.emit('encoding.star', path, { before: a.value, after: b.value, note, scope: '*' })
  walk.descend(a.value, b.value, new TreePosition(path))
  return [a, b]
}

/** The member of equal value, or the only one of its type. */
function starPartner(star: JsonMember, others: readonly JsonMember[]): JsonMember | undefined {
  const equal = others.find(({ value }) => canonicalText(value) === canonicalText(star.value))
  const [only, ...more] = others.filter(({ value }) => value.kind === star.value.kind)
  return equal ?? (more.length === 0 ? only : undefined)
}
