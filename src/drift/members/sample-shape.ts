/** The members of objects at one place over all samples of one side: in all samples required, in some optional. */
import { itemsOf, type JsonTree, membersOf } from '../../recorder/json/json-tree.ts'
import { getOrAdd } from '../../recorder/text/group-by.ts'
import { wordSet } from '../../recorder/text/words.ts'
import { isFlag, isSet } from '../content/same-state.ts'

/** A literal is a number, a boolean or null. */
type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object'

export function typeOf(tree: JsonTree): JsonType {
  if (tree.kind !== 'literal') return tree.kind
  return tree.text === 'null' ? 'null' : /^[tf]/.test(tree.text) ? 'boolean' : 'number'
}

/** All samples of one place, e.g. every `query.pages[*]` that a cassette holds for one class of request. */
export class SampleShape {
  samples = 0
  /** Samples that only say yes or no. */
  flags = 0
  readonly types: Set<JsonType> = new Set()
  readonly members: Map<string, SampleShape> = new Map()
  /** Items by variant, so that missing pages are not mistaken for pages that lost their fields. */
  readonly items: Map<string, SampleShape> = new Map()

  add(tree: JsonTree): void {
    this.samples += 1
    if (isFlag(tree)) this.flags += 1
    this.types.add(typeOf(tree))
    const isList = tree.kind === 'array' || isNumberedMap(tree)
    if (isList) for (const item of itemsOf(tree)) this.#addItem(item)
    else
      for (const { key, value } of membersOf(tree))
        getOrAdd(this.members, key, newShape).add(value)
  }

  #addItem(item: JsonTree) {
    if (item.kind === 'string' || item.kind === 'literal') return
    getOrAdd(this.items, variantOf(item), newShape).add(item)
  }

  /** How many samples have the member. */
  count(member: string): number {
    return this.members.get(member)?.samples ?? 0
  }

  /** True if every sample has the member, or none does. */
  isRequired(member: string): boolean {
    return [0, this.samples].includes(this.count(member))
  }

  /** `10/12`: samples with the member, of all. */
  presence(member: string): string {
    return `${this.count(member)}/${this.samples}`
  }
}

const newShape = () => new SampleShape()

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
