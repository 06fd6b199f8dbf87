/** Two lists of plain values, compared as multisets; another order is one change. */
import type { JsonTree } from '../../recorder/json/json-tree.ts'
import { writeCompact } from '../../recorder/json/write-json.ts'
import { groupBy, subtractItems } from '../../recorder/text/group-by.ts'
import { itemPath, turn } from '../changes/change.ts'
import { broken } from '../content/decide-content.ts'
import { isClosedSet, isUnordered } from '../content/field-names.ts'
import { typeOf } from '../members/sample-shape.ts'
import type { TreePosition, TreeWalk } from '../members/tree-walk.ts'
import type { JsonItems } from './item-keys.ts'
import { countMoved } from './item-order.ts'
import { formatChange, lexicalClassOf } from './value-classes.ts'

export function compareScalars(a: JsonItems, b: JsonItems, place: TreePosition): void {
  const textKey = textKeys(a, b, place.walk)
  const gone = subtractItems(a, b, textKey)
  const fresh = subtractItems(b, a, textKey)
  const note = formOfAll(gone, fresh)
  if (note) {
    const detail = { before: gone[0], after: fresh[0], note }
    if (note.to === 'empty') place.emit('items.fewer', { ...detail, mark: broken })
    else if (note.from === 'empty') place.emit('items.more', { ...detail, mark: broken })
    else place.emit('value.format', detail)
    return
  }
  const [fewer, more] = isClosedSet(place.path)
    ? (['enum.value-removed', 'enum.value-added'] as const)
    : (['items.fewer', 'items.more'] as const)
  for (const before of gone)
    place.emit(fewer, { before }, itemPath(place.path, scalarText(before)))
  for (const after of fresh)
    place.emit(more, { after }, itemPath(place.path, scalarText(after)))
  const common = subtractItems(a, gone, textKey)
  const inB = subtractItems(b, fresh, textKey).entries()
  const indexes = groupBy(inB, ([, item]) => textKey(item))
  const moved = countMoved(
    common.flatMap((item) => indexes.get(textKey(item))?.shift()?.[0] ?? [])
  )
  if (moved > 0)
    place.emit('order.changed', {
      note: `${moved} of ${common.length} moved`,
      other: isUnordered(place.path)
    })
}

/** As many texts of another class, e.g. no longer URLs. */
function formOfAll(gone: JsonItems, fresh: JsonItems) {
  const turns = gone.map((one, at) => formatOf(one, fresh[at]))
  const [first] = turns
  const isSame = turns.every((one) => one?.from === first?.from && one?.to === first?.to)
  if (first && isSame && gone.length === fresh.length) return first
  const classOf = (one: JsonTree) =>
    one.kind === 'string' ? lexicalClassOf(one.value) : typeOf(one)
  const [from, ...moreA] = new Set(gone.map(classOf))
  const [to, ...moreB] = new Set(fresh.map(classOf))
  const isOne = moreA.length + moreB.length === 0 && gone.length === fresh.length
  if (!isOne || from === undefined || to === undefined || from === to) return undefined
  return [from, to].includes('text') ? undefined : turn(from, to)
}

const formatOf = (a: JsonTree, b: JsonTree | undefined) =>
  a.kind === 'string' && b?.kind === 'string' ? formatChange(a.value, b.value) : undefined

const scalarText = (item: JsonTree) =>
  item.kind === 'string' ? item.value : writeCompact(item, 'utf8')

/** What items are compared by: their text without the side's own host. */
function textKeys(
  a: JsonItems,
  b: JsonItems,
  walk: TreeWalk
): (item: JsonTree) => string {
  const texts = new Map<JsonTree, string>()
  const { stripHostA, stripHostB } = walk.context
  for (const item of a) texts.set(item, `${item.kind} ${stripHostA(scalarText(item))}`)
  for (const item of b) texts.set(item, `${item.kind} ${stripHostB(scalarText(item))}`)
  return (item) => texts.get(item) ?? ''
}
