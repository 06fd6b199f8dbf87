/** Lists of plain values, compared as multisets; another order is told once. */
import type { JsonTree } from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { itemPath } from '../changes/path.ts'
import type { TreePosition, TreeWalk } from '../members/tree-walk.ts'
import { isClosedSet, isUnordered } from './field-names.ts'
import { countMoved } from './item-order.ts'

type ScalarItems = readonly JsonTree[]

export function compareScalars(a: ScalarItems, b: ScalarItems, position: TreePosition, walk: TreeWalk): void {
  const textKey = textKeys(a, b, walk)
  const gone = subtractItems(a, b, textKey)
  const fresh = subtractItems(b, a, textKey)
  const closed = isClosedSet(position.path)
  for (const item of gone) {
    walk.emit(closed ? 'enum.value-removed' : 'items.fewer', itemPath(position.path, scalarText(item)), {
      before: item,
    })
  }
  for (const item of fresh) {
    walk.emit(closed ? 'enum.value-added' : 'items.more', itemPath(position.path, scalarText(item)), {
      after: item,
    })
  }
  emitOrder(subtractItems(a, gone, textKey), subtractItems(b, fresh, textKey), position, walk, textKey)
}

const scalarText = (item: JsonTree): string =>
  item.kind === 'string' ? item.value : writeCompact(item, 'utf8')
/** What items are compared by, e.g. their text less the side's own addresses. */
export type TextKey = (item: JsonTree) => string

function textKeys(a: ScalarItems, b: ScalarItems, walk: TreeWalk): TextKey {
  const texts = new Map<JsonTree, string>()
  for (const item of a) texts.set(item, `${item.kind} ${walk.stripHostA(scalarText(item))}`)
  for (const item of b) texts.set(item, `${item.kind} ${walk.stripHostB(scalarText(item))}`)
  return (item) => texts.get(item) ?? ''
}

/** The items of `all` less those of `less`, each as often as it is there. */
export function subtractItems(all: ScalarItems, less: ScalarItems, textKey: TextKey): ScalarItems {
  const left = new Map<string, number>()
  for (const item of less) left.set(textKey(item), (left.get(textKey(item)) ?? 0) + 1)
  return all.filter((item) => {
    const count = left.get(textKey(item)) ?? 0
    if (count > 0) left.set(textKey(item), count - 1)
    return count === 0
  })
}

function emitOrder(
  a: ScalarItems,
  b: ScalarItems,
  position: TreePosition,
  walk: TreeWalk,
  textKey: TextKey,
): void {
  const indexes = new Map<string, number[]>()
  b.forEach((item, at) => {
    const known = indexes.get(textKey(item))
    if (known === undefined) indexes.set(textKey(item), [at])
    else known.push(at)
  })
  const moved = countMoved(a.flatMap((item) => indexes.get(textKey(item))?.shift() ?? []))
  if (moved === 0) return
  const note = `${moved} of ${a.length} moved`
  walk.emit('order.changed', position.path, { note, other: isUnordered(position.path) })
}
