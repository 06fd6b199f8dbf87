/** Which member tells the items of two lists apart, so that they can be aligned item by item. */
import { type JsonTree, memberOf } from '../../json/tree.ts'

/** How items are aligned: `name` stands in paths, `of` gives an item's key. */
export interface ItemKey {
  readonly name: string
  of(item: JsonTree): string | undefined
}

/** In the order of preference; the first that is present, unique and overlapping on both sides wins. */
const candidates: readonly (readonly string[])[] = [
  ...[
    'pageid',
    'revid',
    'rcid',
    'logid',
    'id',
    'userid',
    'title',
    'name',
    'code',
    'key',
    'from',
    'index',
  ].map((name) => [name]),
  ...[
    'propname',
    'realname',
    'prefix',
    'module',
    'lang',
    'url',
    'path',
    'alias',
    'timestamp',
    '*',
    'type',
  ].map((name) => [name]),
  ['ns', 'title'],
  ['title', 'fromid'],
  ['fromid', 'title', 'ns'],
  ['lang', '*'],
  ['prefix', '*'],
  ['id', 'alias'],
  ['id', '*'],
]

/** Keys that two wikis with the same content number differently. */
const numbered: ReadonlySet<string> = new Set(['pageid', 'revid', 'rcid', 'logid', 'id', 'userid', 'index'])
/** What tells whether items with one number are one thing. */
const witnesses = ['title', 'name', 'from', 'timestamp'] as const

interface Indexed {
  readonly key: ItemKey
  readonly a: ReadonlyMap<string, JsonTree>
  readonly b: ReadonlyMap<string, JsonTree>
  readonly overlap: number
}

/**
 * The key to align by. Two lists without a common item still get one, so that they are told as gone and new;
 * undefined where no member is unique.
 */
export function chooseKey(a: readonly JsonTree[], b: readonly JsonTree[]): ItemKey | undefined {
  let best: Indexed | undefined
  for (const names of candidates) {
    const indexed = indexBy(names, a, b)
    if (indexed === undefined) continue
    if (numbered.has(indexed.key.name) && contradicted(indexed)) continue
    if (indexed.overlap >= 0.5) return indexed.key
    if (best === undefined || indexed.overlap > best.overlap) best = indexed
  }
  return best?.key
}

function indexBy(
  names: readonly string[],
  a: readonly JsonTree[],
  b: readonly JsonTree[],
): Indexed | undefined {
  const key: ItemKey = { name: names.join('+'), of: (item) => keyOf(item, names) }
  const mapA = uniqueMap(a, key)
  const mapB = mapA && uniqueMap(b, key)
  if (mapA === undefined || mapB === undefined) return undefined
  let common = 0
  for (const one of mapA.keys()) if (mapB.has(one)) common += 1
  return { key, a: mapA, b: mapB, overlap: common / Math.max(1, Math.min(mapA.size, mapB.size)) }
}

function uniqueMap(items: readonly JsonTree[], key: ItemKey): ReadonlyMap<string, JsonTree> | undefined {
  const map = new Map<string, JsonTree>()
  for (const item of items) {
    const text = key.of(item)
    if (text === undefined || map.has(text)) return undefined
    map.set(text, item)
  }
  return map
}

function keyOf(item: JsonTree, names: readonly string[]): string | undefined {
  let text = ''
  for (const name of names) {
    const part = scalarText(memberOf(item, name))
    if (part === undefined) return undefined
    text += text === '' ? part : `, ${part}`
  }
  return text
}

const scalarText = (tree: JsonTree | undefined): string | undefined =>
  tree?.kind === 'string'
    ? tree.value
    : tree?.kind === 'literal' && tree.text !== 'null'
      ? tree.text
      : undefined

/** True where more than a fifth of the pairs with one number carry different titles. */
function contradicted({ a, b }: Indexed): boolean {
  let pairs = 0
  let different = 0
  for (const [text, one] of a) {
    const other = b.get(text)
    if (other === undefined) continue
    pairs += 1
    if (!isWitnessed(one, other)) different += 1
  }
  return different * 5 > pairs
}

function isWitnessed(a: JsonTree, b: JsonTree): boolean {
  for (const name of witnesses) {
    const [one, other] = [scalarText(memberOf(a, name)), scalarText(memberOf(b, name))]
    if (one !== undefined && other !== undefined) return one === other
  }
  return true
}

/** What a path calls an item. */
export type Labeller = (item: JsonTree) => string

/** By title or name where those are unique too, since people read paths; by the key otherwise. */
export function labeller(key: ItemKey, a: readonly JsonTree[], b: readonly JsonTree[]): Labeller {
  if (!numbered.has(key.name)) return (item) => `${key.name}=${key.of(item)}`
  const readable = ['title', 'name'].find((name) => indexBy([name], a, b) !== undefined)
  if (readable === undefined) return (item) => `${key.name}=${key.of(item)}`
  return (item) => `${readable}=${keyOf(item, [readable])}`
}
