/** Two objects, in whichever order of members: common ones are compared, the others deferred until renames and moves can be found. */
import type { JsonMember, JsonObject, JsonTree } from '../../json/json-tree.ts'
import { itemPath, memberPath, type Path } from '../changes/change.ts'
import { isDictionary } from '../content/field-names.ts'
import { canonicalText } from '../content/same-state.ts'
import { TreePosition } from '../members/tree-walk.ts'

export function compareObjects(a: JsonObject, b: JsonObject, place: TreePosition): void {
  if (inSameOrder(a, b)) {
    a.members.forEach(({ key, value }, at) => {
      descendMember(key, value, b.members[at]?.value ?? value, place)
    })
    return
  }
  // Of doubled keys the last one counts.
  const [inA, inB] = [a, b].map(({ members }) => new Map(members.map((one) => [one.key, one])))
  if (inA === undefined || inB === undefined) return
  const removed: JsonMember[] = []
  for (const [key, member] of inA) {
    const other = inB.get(key)
    if (other === undefined) removed.push(member)
    else descendMember(key, member.value, other.value, place)
  }
  const added = [...inB.values()].filter(({ key }) => !inA.has(key))
  settleUnpaired(removed, added, place)
}

/** The common case, and much cheaper. */
const inSameOrder = (a: JsonObject, b: JsonObject): boolean =>
  a.members.length === b.members.length && a.members.every(({ key }, at) => key === b.members[at]?.key)

function descendMember(key: string, a: JsonTree, b: JsonTree, place: TreePosition): void {
  if (a.kind === 'string' && b.kind === 'string' && a.value === b.value) return
  if (a.kind === 'literal' && b.kind === 'literal' && a.text === b.text) return
  place.member(childPath(place.path, key), key).compare(a, b)
}

/** Names that are content make items, so that their changes are grouped. */
const childPath = (path: Path, key: string): Path =>
  isDictionary(path) ? itemPath(path, key) : memberPath(path, key)

type Members = readonly JsonMember[]

function settleUnpaired(removed: Members, added: Members, place: TreePosition): void {
  if (isDictionary(place.path)) {
    for (const { key, value: before } of removed)
      place.emit('items.fewer', { before }, itemPath(place.path, key))
    for (const { key, value: after } of added) place.emit('items.more', { after }, itemPath(place.path, key))
    return
  }
  const [star, partner] = emitStar(removed, added, place)
  const [gone, fresh] = [removed, added].map((all) => all.filter((one) => one !== star && one !== partner))
  if (gone && fresh && gone.length + fresh.length > 0)
    place.walk.deferred.push({ place, removed: gone, added: fresh })
}

/** Compares `*` with the member that the other encoding has for it; returns both. */
function emitStar(removed: Members, added: Members, place: TreePosition): Members {
  const [starA, starB] = [removed, added].map((members) => members.find(({ key }) => key === '*'))
  const a = starA ?? (starB && starPartner(starB, removed))
  const b = starB ?? (starA && starPartner(starA, added))
  if (a === undefined || b === undefined) return []
  const path = memberPath(place.path, starA === undefined ? a.key : b.key)
  const note = `${a.key} → ${b.key}`
  place.emit('encoding.star', { before: a.value, after: b.value, note, scope: '*' }, path)
  new TreePosition(path, place.walk).compare(a.value, b.value)
  return [a, b]
}

/** The member of equal value, or the only one of its type. */
function starPartner(star: JsonMember, others: Members): JsonMember | undefined {
  const equal = others.find(({ value }) => canonicalText(value) === canonicalText(star.value))
  const [only, ...more] = others.filter(({ value }) => value.kind === star.value.kind)
  return equal ?? (more.length === 0 ? only : undefined)
}
