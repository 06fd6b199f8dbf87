/**
 * Which members the objects at one place have, over all samples of one side: what is in all of them counts as
 * required, what is in some as optional.
 */
import type { JsonTree } from '../../json/json-tree.ts'

/** All samples of one place, e.g. every `query.pages[*]` that a cassette holds for one class of request. */
export interface SampleShape {
  /** How many samples there are. */
  samples: number
  nulls: number
  /** Samples that only say yes or no. */
  flags: number
  readonly members: Map<string, SampleShape>
  /** Items by variant, so that missing pages are not mistaken for pages that lost their fields. */
  readonly items: Map<string, SampleShape>
}

export const newShape = (): SampleShape => ({
  samples: 0,
  nulls: 0,
  flags: 0,
  members: new Map(),
  items: new Map(),
})

/** Adds one sample. */
export function addSample(shape: SampleShape, tree: JsonTree): void {
  shape.samples += 1
  if (tree.kind === 'literal' && tree.text === 'null') shape.nulls += 1
  if (isFlag(tree)) shape.flags += 1
  if (tree.kind === 'array') for (const item of tree.items) addItem(shape, item)
  if (tree.kind !== 'object') return
  const numbered = isNumberedMap(tree)
  for (const { key, value } of tree.members) {
    if (numbered) addItem(shape, value)
    else addSample(childOf(shape.members, key), value)
  }
}

/** A flag says false by being absent, so its absence alone does not prove that it is gone. */
export const isFlag = (tree: JsonTree): boolean =>
  (tree.kind === 'string' && tree.value === '') ||
  (tree.kind === 'literal' && (tree.text === 'true' || tree.text === 'false'))

function addItem(shape: SampleShape, item: JsonTree): void {
  if (item.kind === 'string' || item.kind === 'literal') return
  addSample(childOf(shape.items, variantOf(item)), item)
}

function childOf(children: Map<string, SampleShape>, name: string): SampleShape {
  const found = children.get(name)
  if (found !== undefined) return found
  const made = newShape()
  children.set(name, made)
  return made
}

/** Members that make a page or user one of another sort, with other fields. */
const variants: ReadonlySet<string> = new Set(['missing', 'invalid', 'special', 'interwiki'])

/** What sort of event it is: `logtype` and `logaction` in recent changes, `type` and `action` in the log itself. */
const eventFields: ReadonlySet<string> = new Set(['logtype', 'logaction', 'type', 'action'])

/** `` for an ordinary item; `missing` and the like, or the sort of an event, for those with other fields by nature. */
export function variantOf(item: JsonTree): string {
  if (item.kind !== 'object') return ''
  let [sort, isEvent] = ['', false]
  for (const { key, value } of item.members) {
    if (variants.has(key) && !(value.kind === 'literal' && value.text !== 'true')) return key
    if (key === 'logtype' || key === 'logid') isEvent = true
    if (value.kind === 'string' && eventFields.has(key)) sort += ` ${value.value}`
  }
  return isEvent ? sort.trim() : ''
}

/** formatversion 1's objects keyed by number (`query.pages`, `query.namespaces`): lists in all but name. */
export function isNumberedMap(tree: JsonTree): boolean {
  if (tree.kind !== 'object' || tree.members.length === 0) return false
  return tree.members.every(({ key, value }) => value.kind === 'object' && /^-?\d+$/.test(key))
}

/** True where every sample has the member; a place never sampled counts as having it in every one. */
export function isRequired(shape: SampleShape | undefined, member: string): boolean {
  const samples = shape?.members.get(member)?.samples
  return samples === undefined || samples === shape?.samples
}

/** True where no sample has the member. */
export const isAbsent = (shape: SampleShape | undefined, member: string): boolean =>
  (shape?.members.get(member)?.samples ?? 0) === 0

/** `10/12`: samples with the member, of all. */
export const presence = (shape: SampleShape | undefined, member: string): string =>
  `${shape?.members.get(member)?.samples ?? 0}/${shape?.samples ?? 0}`
