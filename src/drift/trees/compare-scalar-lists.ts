/** Lists of plain values, compared as multisets; another order is told once. */
import type { JsonTree } from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { itemPath } from '../changes/path.ts'
import type { Place, Walk } from '../members/tree-walk.ts'
import { isClosedSet, isOrderless } from './field-names.ts'
import { movedOf } from './item-order.ts'

type Items = readonly JsonTree[]

export function compareScalars(a: Items, b: Items, place: Place, walk: Walk): void {
  const local = localTexts(a, b, walk)
  const gone = without(a, b, local)
  const fresh = without(b, a, local)
  const closed = isClosedSet(place.path)
  for (const item of gone) {
    walk.emit(closed ? 'enum.value-removed' : 'items.fewer', itemPath(place.path, spelled(item)), {
      before: item,
    })
  }
  for (const item of fresh) {
    walk.emit(closed ? 'enum.value-added' : 'items.more', itemPath(place.path, spelled(item)), {
      after: item,
    })
  }
  tellOrder(without(a, gone, local), without(b, fresh, local), place, walk, local)
}

const spelled = (item: JsonTree): string => (item.kind === 'string' ? item.value : writeCompact(item, 'utf8'))
/** What items are compared by, e.g. their text less the side's own addresses. */
export type TextKey = (item: JsonTree) => string

function localTexts(a: Items, b: Items, walk: Walk): TextKey {
  const texts = new Map<JsonTree, string>()
  for (const item of a) texts.set(item, `${item.kind} ${walk.localA(spelled(item))}`)
  for (const item of b) texts.set(item, `${item.kind} ${walk.localB(spelled(item))}`)
  return (item) => texts.get(item) ?? ''
}

/** The items of `all` less those of `less`, each as often as it is there. */
export function without(all: Items, less: Items, textKey: TextKey): Items {
  const left = new Map<string, number>()
  for (const item of less) left.set(textKey(item), (left.get(textKey(item)) ?? 0) + 1)
  return all.filter((item) => {
    const count = left.get(textKey(item)) ?? 0
    if (count > 0) left.set(textKey(item), count - 1)
    return count === 0
  })
}

function tellOrder(a: Items, b: Items, place: Place, walk: Walk, textKey: TextKey): void {
  const positions = new Map<string, number[]>()
  b.forEach((item, at) => {
    const known = positions.get(textKey(item))
    if (known === undefined) positions.set(textKey(item), [at])
    else known.push(at)
  })
  const moved = movedOf(a.flatMap((item) => positions.get(textKey(item))?.shift() ?? []))
  if (moved === 0) return
  const note = `${moved} of ${a.length} moved`
  walk.emit('order.changed', place.path, { note, other: isOrderless(place.path) })
}
