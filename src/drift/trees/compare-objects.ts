/** Two objects: common members compared, the others held back until renames and moves can be told. */
import type { JsonMember, JsonObject, JsonTree } from '../../json/json-tree.ts'
import { itemPath, memberPath, type Path, templateOf } from '../changes/path.ts'
import { canonicalText } from '../members/canonical-text.ts'
import { memberPlace, type Place, unsampledPlace, type Walk } from '../members/tree-walk.ts'
import { isDictionary } from './field-names.ts'

export function compareObjects(a: JsonObject, b: JsonObject, place: Place, walk: Walk): void {
  if (inSameOrder(a, b)) {
    a.members.forEach(({ key, value }, at) => {
      descendMember(key, value, b.members[at]?.value ?? value, place, walk)
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
      descendMember(key, value, other, place, walk)
      inB.delete(key)
    }
  }
  tellKeyOrder(common, b, place, walk)
  tellUnpaired(
    removed,
    [...inB].map(([key, value]) => ({ key, value })),
    place,
    walk,
  )
}

/** The common case, and much cheaper: both sides wrote the same names in the same order. */
const inSameOrder = (a: JsonObject, b: JsonObject): boolean =>
  a.members.length === b.members.length && a.members.every(({ key }, at) => key === b.members[at]?.key)

function descendMember(key: string, a: JsonTree, b: JsonTree, place: Place, walk: Walk): void {
  if (a.kind === 'string' && b.kind === 'string' && a.value === b.value) return
  if (a.kind === 'literal' && b.kind === 'literal' && a.text === b.text) return
  walk.descend(a, b, memberPlace(place, childPath(place.path, key), key))
}

/** Names that are content are told apart like items, so that they are grouped. */
const childPath = (path: Path, key: string): Path =>
  isDictionary(path) ? itemPath(path, key) : memberPath(path, key)

function tellKeyOrder(common: readonly string[], b: JsonObject, place: Place, walk: Walk): void {
  const names = new Set(common)
  const order = b.members.filter(({ key }) => names.has(key)).map(({ key }) => key)
  if (common.some((key, at) => key !== order[at]) && walk.once(`key-order ${templateOf(place.path)}`))
    walk.emit('key-order', place.path, {})
}

function tellUnpaired(
  removed: readonly JsonMember[],
  added: readonly JsonMember[],
  place: Place,
  walk: Walk,
): void {
  if (isDictionary(place.path)) {
    for (const { key, value } of removed)
      walk.emit('items.fewer', itemPath(place.path, key), { before: value })
    for (const { key, value } of added) walk.emit('items.more', itemPath(place.path, key), { after: value })
    return
  }
  const star = removed.find(({ key }) => key === '*')
  const partner = star && starPartner(star, added)
  if (star && partner) tellStar(star, partner, place, walk, false)
  const backStar = added.find(({ key }) => key === '*')
  const backPartner = backStar && starPartner(backStar, removed)
  if (backStar && backPartner) tellStar(backPartner, backStar, place, walk, true)
  const taken = new Set([star && partner && star, partner, backStar && backPartner && backStar, backPartner])
  walk.delta({
    place,
    removed: removed.filter((one) => !taken.has(one)),
    added: added.filter((one) => !taken.has(one)),
  })
}

/** What `*` is called in the other encoding: the member of equal value, or the only one there is. */
function starPartner(star: JsonMember, others: readonly JsonMember[]): JsonMember | undefined {
  const equal = others.find(({ value }) => canonicalText(value) === canonicalText(star.value))
  const [only, ...more] = others.filter(({ value }) => value.kind === star.value.kind)
  return equal ?? (more.length === 0 ? only : undefined)
}

function tellStar(a: JsonMember, b: JsonMember, place: Place, walk: Walk, back: boolean): void {
  const path = memberPath(place.path, back ? a.key : b.key)
  walk.emit('encoding.star', path, {
    before: a.value,
    after: b.value,
    note: `${a.key} → ${b.key}`,
    scope: '*',
  })
  walk.descend(a.value, b.value, unsampledPlace(path))
}
