/** Two objects: common members compared, the others held back until renames and moves can be told. */
import type { JsonMember, JsonObject, JsonTree } from '../../json/json-tree.ts'
import { itemPath, memberPath, type Path, templateOf } from '../changes/path.ts'
import { canonicalText } from '../members/canonical-text.ts'
import { memberPosition, type TreePosition, type TreeWalk, unsampledPosition } from '../members/tree-walk.ts'
import { isDictionary } from './field-names.ts'

export function compareObjects(a: JsonObject, b: JsonObject, position: TreePosition, walk: TreeWalk): void {
  if (inSameOrder(a, b)) {
    a.members.forEach(({ key, value }, at) => {
      descendMember(key, value, b.members[at]?.value ?? value, position, walk)
    })
    return
  }
  const inB = new Map(b.members.map(({ key, value }) => [key, value]))
  const removed: JsonMember[] = []
  const common: string[] = []
  for (const [key, value] of new Map(a.members.map((member) => [member.key, member.value]))) {
    const other = inB.get(key)
    if (other === undefined) removed.push({ key, value })
    else {
      common.push(key)
      descendMember(key, value, other, position, walk)
      inB.delete(key)
    }
  }
  emitKeyOrder(common, b, position, walk)
  settleUnpaired(
    removed,
    [...inB].map(([key, value]) => ({ key, value })),
    position,
    walk,
  )
}

/** The common case, and much cheaper: both sides wrote the same names in the same order. */
const inSameOrder = (a: JsonObject, b: JsonObject): boolean =>
  a.members.length === b.members.length && a.members.every(({ key }, at) => key === b.members[at]?.key)

function descendMember(key: string, a: JsonTree, b: JsonTree, position: TreePosition, walk: TreeWalk): void {
  if (a.kind === 'string' && b.kind === 'string' && a.value === b.value) return
  if (a.kind === 'literal' && b.kind === 'literal' && a.text === b.text) return
  walk.descend(a, b, memberPosition(position, childPath(position.path, key), key))
}

/** Names that are content are told apart like items, so that they are grouped. */
const childPath = (path: Path, key: string): Path =>
  isDictionary(path) ? itemPath(path, key) : memberPath(path, key)

function emitKeyOrder(
  common: readonly string[],
  b: JsonObject,
  position: TreePosition,
  walk: TreeWalk,
): void {
  const names = new Set(common)
  const order = b.members.filter(({ key }) => names.has(key)).map(({ key }) => key)
  if (
    common.some((key, at) => key !== order[at]) &&
    walk.isFirstTime(`key-order ${templateOf(position.path)}`)
  )
    walk.emit('key-order', position.path, {})
}

function settleUnpaired(
  removed: readonly JsonMember[],
  added: readonly JsonMember[],
  position: TreePosition,
  walk: TreeWalk,
): void {
  if (isDictionary(position.path)) {
    for (const { key, value } of removed)
      walk.emit('items.fewer', itemPath(position.path, key), { before: value })
    for (const { key, value } of added)
      walk.emit('items.more', itemPath(position.path, key), { after: value })
    return
  }
  const star = removed.find(({ key }) => key === '*')
  const partner = star && starPartner(star, added)
  if (star && partner) emitStar(star, partner, position, walk, false)
  const backStar = added.find(({ key }) => key === '*')
  const backPartner = backStar && starPartner(backStar, removed)
  if (backStar && backPartner) emitStar(backPartner, backStar, position, walk, true)
  const paired = new Set([star && partner && star, partner, backStar && backPartner && backStar, backPartner])
  walk.deferMembers({
    position,
    removed: removed.filter((one) => !paired.has(one)),
    added: added.filter((one) => !paired.has(one)),
  })
}

/** What `*` is called in the other encoding: the member of equal value, or the only one there is. */
function starPartner(star: JsonMember, others: readonly JsonMember[]): JsonMember | undefined {
  const equal = others.find(({ value }) => canonicalText(value) === canonicalText(star.value))
  const [only, ...more] = others.filter(({ value }) => value.kind === star.value.kind)
  return equal ?? (more.length === 0 ? only : undefined)
}

function emitStar(
  a: JsonMember,
  b: JsonMember,
  position: TreePosition,
  walk: TreeWalk,
  reversed: boolean,
): void {
  const path = memberPath(position.path, reversed ? a.key : b.key)
  walk.emit('encoding.star', path, {
    before: a.value,
    after: b.value,
    note: `${a.key} → ${b.key}`,
    scope: '*',
  })
  walk.descend(a.value, b.value, unsampledPosition(path))
}
