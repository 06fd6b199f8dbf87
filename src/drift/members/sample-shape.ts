/** The members of objects at one place over all samples of one side: in all samples required, in some optional. */
import type { JsonTree } from '../../recorder/json/json-tree.ts'
import { getOrAdd } from '../../recorder/text/group-by.ts'
import { wordSet } from '../../recorder/text/words.ts'
import { isFlag, isSet } from '../content/same-state.ts'

/** All samples of one place, e.g. every `query.pages[*]` that a cassette holds for one class of request. */
export interface SampleShape {
  samples: number
  /** Samples that only say yes or no. */
  flags: number
  readonly types: Set<JsonType>
  readonly members: Map<string, SampleShape>
  /** Items by variant, so that missing pages are not mistaken for pages that lost their fields. */
  readonly items: Map<string, SampleShape>
}

/** A literal is a number, a boolean or null. */
export type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object'

export function typeOf(tree: JsonTree): JsonType {
  if (tree.kind !== 'literal') return tree.kind
  return tree.text === 'null' ? 'null' : /^[tf]/.test(tree.text) ? 'boolean' : 'number'
}

export const newShape = (): SampleShape => ({
  samples: 0,
  flags: 0,
  types: new Set(),
  members: new Map(),
  items: new Map()
})

export function addSample(shape: SampleShape, tree: JsonTree): void {
  shape.samples += 1
  if (isFlag(tree)) shape.flags += 1
  shape.types.add(typeOf(tree))
  if (tree.kind === 'array') for (const item of tree.items) addItem(shape, item)
  if (tree.kind !== 'object') return
  const numbered = isNumberedMap(tree)
  for (const { key, value } of tree.members) {
    if (numbered) addItem(shape, value)
    else addSample(getOrAdd(shape.members, key, newShape), value)
  }
}

function addItem(shape: SampleShape, item: JsonTree) {
  if (item.kind === 'string' || item.kind === 'literal') return
  addSample(getOrAdd(shape.items, variantOf(item), newShape), item)
}

/** Members of pages and users that have other fields than ordinary ones. */
const variants = wordSet('missing invalid special interwiki')

/** Type of an event: `logtype` and `logaction` in recent changes, `type` and `action` in the log itself. */
const eventFields = wordSet('logtype logaction type action')

/** Empty for an ordinary item; `missing` and the like, or an event's type, for items with other fields by nature. */
export function variantOf(item: JsonTree): string {
  if (item.kind !== 'object') return ''
  let sort = ''
  let isEvent = false
  for (const { key, value } of item.members) {
    if (variants.has(key) && isSet(value)) return key
    if (key === 'logtype' || key === 'logid') isEvent = true
    if (value.kind === 'string' && eventFields.has(key)) sort += ` ${value.value}`
  }
  return isEvent ? sort.trim() : ''
}

/** formatversion 1's objects keyed by number (`query.pages`, `query.namespaces`): lists in all but name. */
export function isNumberedMap(tree: JsonTree): boolean {
  if (tree.kind !== 'object' || tree.members.length === 0) return false
  return tree.members.every(
    ({ key, value }) => value.kind === 'object' && /^-?\d+$/.test(key)
  )
}

/** True if every sample has the member; a place never sampled counts as having it in every one. */
export function isRequired(shape: SampleShape | undefined, member: string): boolean {
  const samples = shape?.members.get(member)?.samples
  return samples === undefined || samples === shape?.samples
}

export const isAbsent = (shape: SampleShape | undefined, member: string): boolean =>
  (shape?.members.get(member)?.samples ?? 0) === 0

/** `10/12`: samples with the member, of all. */
export const presence = (shape: SampleShape | undefined, member: string): string =>
  `${shape?.members.get(member)?.samples ?? 0}/${shape?.samples ?? 0}`
