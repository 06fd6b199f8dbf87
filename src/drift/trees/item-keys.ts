/** Which member tells the items of two lists apart, so that they can be aligned item by item. */
import { type JsonTree, memberOf } from '../../json/json-tree.ts'

/** How items are aligned: `name` stands in paths, `of` gives an item's key. */
export interface ItemKey {
  readonly name: string
  keyOf(item: JsonTree): string | undefined
}

/** In the order of preference; the first that is present, unique and overlapping on both sides wins. */
const candidateKeys: readonly (readonly string[])[] = [
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
const numberedKeys: ReadonlySet<string> = new Set([
  'pageid',
  'revid',
  'rcid',
  'logid',
  'id',
  'userid',
  'index',
])
/** What tells whether items with one number are one thing. */
const confirmingFields = ['title', 'name', 'from', 'timestamp'] as const

/** Two lists by one key: where in B each item of A is, or `nowhere`. */
export interface KeyedLists {
  readonly key: ItemKey
  readonly indexes: readonly number[]
  /** How many items both lists have. */
  readonly common: number
}

/** The position of an item that the other list does not have. */
export const notFound = -1

type KeyedItems = readonly JsonTree[]

/**
 * The key to align by. Two lists without a common item still get one, so that they are told as gone and new;
 * undefined where no member is unique.
 */
export function chooseKey(a: KeyedItems, b: KeyedItems): KeyedLists | undefined {
  let best: KeyedLists | undefined
  let bestOverlap = -1
  for (const names of candidateKeys) {
    const lists = indexBy(names, a, b)
    if (lists === undefined || (numberedKeys.has(lists.key.name) && numbersDisagree(lists, a, b))) continue
    const overlap = lists.common / Math.max(1, Math.min(a.length, b.length))
    if (overlap >= 0.5) return lists
    if (overlap > bestOverlap) [best, bestOverlap] = [lists, overlap]
  }
  return best
}

function indexBy(names: readonly string[], a: KeyedItems, b: KeyedItems): KeyedLists | undefined {
  const [only = '', ...more] = names
  const keyOf =
    more.length === 0
      ? (item: JsonTree) => scalarTextOf(item, only)
      : (item: JsonTree) => joinedOf(item, names)
  const inB = uniqueIndex(b, keyOf)
  return inB && alignBy({ name: names.join('+'), keyOf }, a, inB)
}

function uniqueIndex(items: KeyedItems, keyOf: ItemKey['keyOf']): ReadonlyMap<string, number> | undefined {
  const index = new Map<string, number>()
  let at = 0
  for (const item of items) {
    const text = keyOf(item)
    if (text === undefined) return undefined
    index.set(text, at)
    at += 1
    // A key seen twice leaves the index shorter than the list.
    if (index.size < at) return undefined
  }
  return index
}

/** One look-up for each item: lists are long. Undefined where a key is missing in A, or there twice. */
function alignBy(key: ItemKey, a: KeyedItems, inB: ReadonlyMap<string, number>): KeyedLists | undefined {
  const indexes: number[] = []
  const seenKeys = new Set<string>()
  for (const item of a) {
    const text = key.keyOf(item)
    if (text === undefined) return undefined
    if (seenKeys.has(text)) return undefined
    seenKeys.add(text)
    indexes.push(inB.get(text) ?? notFound)
  }
  return { key, indexes, common: indexes.filter((at) => at !== notFound).length }
}

function joinedOf(item: JsonTree, names: readonly string[]): string | undefined {
  const parts = names.map((name) => scalarTextOf(item, name))
  return parts.includes(undefined) ? undefined : parts.join(', ')
}

/** The text of a member that is a single value. */
function scalarTextOf(item: JsonTree, name: string): string | undefined {
  const value = memberOf(item, name)
  if (value?.kind === 'string') return value.value
  return value?.kind === 'literal' && value.text !== 'null' ? value.text : undefined
}

/** Pairs that are looked at to tell whether numbers mean the same on both sides. */
const maxCheckedPairs = 500

/** True where more than a fifth of the pairs with one number carry different titles. */
function numbersDisagree(lists: KeyedLists, a: KeyedItems, b: KeyedItems): boolean {
  const step = Math.max(1, Math.floor(a.length / maxCheckedPairs))
  let pairs = 0
  let different = 0
  for (let at = 0; at < a.length; at += step) {
    const one = a[at]
    const other = b[lists.indexes[at] ?? notFound]
    if (one === undefined || other === undefined) continue
    pairs += 1
    if (!isSameThing(one, other)) different += 1
  }
  return different * 5 > pairs
}

function isSameThing(a: JsonTree, b: JsonTree): boolean {
  for (const name of confirmingFields) {
    const [one, other] = [scalarTextOf(a, name), scalarTextOf(b, name)]
    if (one !== undefined && other !== undefined) return one === other
  }
  return true
}

/** What a path calls an item. */
export type Labeller = (item: JsonTree) => string

/** People read paths: a page is called by its title and a user by their name, whatever they are aligned by. */
const labelFields: ReadonlyMap<string, string> = new Map([
  ['pageid', 'title'],
  ['userid', 'name'],
])

export const itemLabeller =
  ({ name, keyOf }: ItemKey): Labeller =>
  (item) => {
    const label = labelFields.get(name)
    const text = label === undefined ? undefined : scalarTextOf(item, label)
    return text === undefined ? `${name}=${keyOf(item)}` : `${label}=${text}`
  }
