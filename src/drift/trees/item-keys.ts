/** The key by which the items of two lists are aligned: a member, or several, that identify an item. */
import { type JsonTree, memberOf, scalarTextOf } from '../../recorder/json/json-tree.ts'
import type data from '../../recorder/knowledge/data/answer-values.json'
import { dataFile } from '../../recorder/knowledge/data-file.ts'
import { wordSet } from '../../recorder/text/words.ts'
import { formatChange } from './value-classes.ts'

const table = (dataFile('answer-values') as typeof data).items

export type JsonItems = readonly JsonTree[]

/** In the order of preference; the first that is present, unique and overlapping on both sides wins. */
const candidateKeys = table.keys.split(' ').map((names) => names.split('+'))

/** Keys that two wikis with the same content number differently. */
const numberedKeys = wordSet(table.numbered)
const lastingNumbers = wordSet(table.lasting)
/** Members that must agree for items with one number to be one thing. */
const confirmingFields = wordSet(table.confirming)

/** Two lists by one key: where in B each item of A is, or `notFound`. */
interface KeyedLists {
  /** Of the key, as paths show it. */
  readonly name: string
  /** Undefined for an item without the key. */
  readonly keyOf: (item: JsonTree) => string | undefined
  readonly indexes: readonly number[]
  readonly common: number
}

/** The index of an item that the other list does not have. */
export const notFound = -1

/** The key to align by, also where no item is common and all are gone or new; undefined if no member is unique. */
export function chooseKey(
  a: JsonItems,
  b: JsonItems,
  isRenumbered: () => boolean = () => true
): KeyedLists | undefined {
  let best: KeyedLists | undefined
  let bestOverlap = -1
  for (const names of candidateKeys) {
    const lists = indexBy(names, a, b)
    if (!lists) continue
    // On one wiki a page that has another title was moved.
    const isDoubted = numberedKeys.has(lists.name) && numbersDisagree(lists, a, b)
    if (isDoubted && (!lastingNumbers.has(lists.name) || isRenumbered())) continue
    const overlap = lists.common / Math.max(1, Math.min(a.length, b.length))
    if (overlap >= 0.5) return lists
    if (overlap <= bestOverlap) continue
    best = lists
    bestOverlap = overlap
  }
  return best
}

function indexBy(names: readonly string[], a: JsonItems, b: JsonItems) {
  const [name = '', ...more] = names
  const keyOf = (item: JsonTree) => {
    if (more.length === 0) return keyTextOf(item, name)
    const parts = names.map((name) => keyTextOf(item, name))
    return parts.includes(undefined) ? undefined : parts.join(', ')
  }
  const inB = uniqueIndex(b, keyOf)
  const inA = inB && uniqueIndex(a, keyOf)
  if (!inA || !inB) return undefined
  const indexes = [...inA.keys()].map((text) => inB.get(text) ?? notFound)
  const common = indexes.filter((at) => at !== notFound).length
  return { name: names.join('+'), keyOf, indexes, common }
}

/** Undefined if an item has no key, or two have the same. */
function uniqueIndex(items: JsonItems, keyOf: KeyedLists['keyOf']) {
  const index = new Map<string, number>()
  for (const item of items) {
    const text = keyOf(item)
    if (text === undefined || index.has(text)) return undefined
    index.set(text, index.size)
  }
  return index
}

/** A title is one page with spaces and with `_`, a URL one address with and without its scheme. */
function keyTextOf(item: JsonTree, name: string) {
  const text = valueTextOf(item, name)
  if (name === 'title') return text?.replaceAll('_', ' ').normalize()
  return name === 'url' ? text?.replace(/^https?:(?=\/\/)/, '') : text
}

/** The text of a member that is a single value. */
function valueTextOf(item: JsonTree, name: string) {
  const value = memberOf(item, name)
  return value?.kind === 'literal' && value.text === 'null'
    ? undefined
    : scalarTextOf(value)
}

/** True if more than a fifth of the pairs with one number carry different titles. */
function numbersDisagree({ indexes, common }: KeyedLists, a: JsonItems, b: JsonItems) {
  let different = 0
  for (const [at, one] of a.entries()) {
    const other = b[indexes[at] ?? notFound]
    if (other && !isSameThing(one, other)) different += 1
  }
  return different * 5 > common
}

function isSameThing(a: JsonTree, b: JsonTree) {
  for (const name of confirmingFields) {
    const one = valueTextOf(a, name)
    const other = valueTextOf(b, name)
    if (one === undefined || other === undefined) continue
    return (
      one === other || (name === 'timestamp' && formatChange(one, other) !== undefined)
    )
  }
  return true
}

export type Labeller = (item: JsonTree) => string

/** Paths name pages by title and users by name, whatever they are aligned by. */
const labelFields: Readonly<Record<string, string>> = { pageid: 'title', userid: 'name' }

export const itemLabeller =
  ({ name, keyOf }: KeyedLists): Labeller =>
  (item) => {
    const label = labelFields[name]
    const text = label === undefined ? undefined : valueTextOf(item, label)
    return text === undefined ? `${name}=${keyOf(item)}` : `${label}=${text}`
  }
