/** Lists of plain values, compared as multisets; another order is one change. */
import type { JsonTree } from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { groupBy } from '../../text/group-by.ts'
import { itemPath, type Path } from '../changes/change.ts'
import { isClosedSet, isUnordered } from '../content/field-names.ts'
import type { TreePosition, TreeWalk } from '../members/tree-walk.ts'
import type { JsonItems } from './item-keys.ts'
import { countMoved } from './item-order.ts'

export function compareScalars(a: JsonItems, b: JsonItems, place: TreePosition, walk: TreeWalk): void {
  const textKey = textKeys(a, b, walk)
  const gone = subtractItems(a, b, textKey)
  const fresh = subtractItems(b, a, textKey)
  const isClosed = isClosedSet(place.path)
  const pathOf = (item: JsonTree): Path => itemPath(place.path, scalarText(item))
  for (const before of gone)
    walk.emit(isClosed ? 'enum.value-removed' : 'items.fewer', pathOf(before), { before })
  for (const after of fresh) walk.emit(isClosed ? 'enum.value-added' : 'items.more', pathOf(after), { after })
  const indexes = groupBy(
    subtractItems(b, fresh, textKey).map((item, at) => [textKey(item), at] as const),
    ([text]) => text,
  )
  const common = subtractItems(a, gone, textKey)
  const moved = countMoved(common.flatMap((item) => indexes.get(textKey(item))?.shift()?.[1] ?? []))
  const note = `${moved} of ${common.length} moved`
  if (moved > 0) walk.emit('order.changed', place.path, { note, other: isUnordered(place.path) })
}

const scalarText = (item: JsonTree): string =>
  item.kind === 'string' ? item.value : writeCompact(item, 'utf8')

/** What items are compared by: their text without the side's own host. */
function textKeys(a: JsonItems, b: JsonItems, walk: TreeWalk): (item: JsonTree) => string {
  const texts = new Map<JsonTree, string>()
  const { stripHostA, stripHostB } = walk.context
  for (const item of a) texts.set(item, `${item.kind} ${stripHostA(scalarText(item))}`)
  for (const item of b) texts.set(item, `${item.kind} ${stripHostB(scalarText(item))}`)
  return (item) => texts.get(item) ?? ''
}

/** The items of `all` less those of `less`, each as often as it is there. */
export function subtractItems<T>(all: readonly T[], less: readonly T[], textKey: (item: T) => string): T[] {
  const left = new Map<string, number>()
  for (const item of less) left.set(textKey(item), (left.get(textKey(item)) ?? 0) + 1)
  return all.filter((item) => {
    const count = left.get(textKey(item)) ?? 0
    if (count > 0) left.set(textKey(item), count - 1)
    return count === 0
  })
}
