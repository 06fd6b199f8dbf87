/** Trees of values that the engine's own parser has read: they come about as far as somebody looks at them. */
import type { JsonMember, JsonTree } from './tree.ts'

/** @param value as `JSON.parse` gives it */
export function heldTree(value: unknown): JsonTree {
  if (typeof value === 'string') return { kind: 'string', value }
  if (Array.isArray(value)) return new HeldArray(value)
  return isHeld(value) ? new HeldObject(value) : { kind: 'literal', text: String(value) }
}

export type Values = Readonly<Record<string, unknown>>

const isHeld = (value: unknown): value is Values => typeof value === 'object' && value !== null

/** The values that an object's tree was made from; undefined where it is no object, or was read in another way. */
export const valuesOf = (tree: JsonTree): Values | undefined =>
  tree instanceof HeldObject ? tree.values : undefined

class HeldArray {
  readonly kind = 'array'
  readonly #values: readonly unknown[]
  #items: readonly JsonTree[] | undefined

  constructor(values: readonly unknown[]) {
    this.#values = values
  }

  get items(): readonly JsonTree[] {
    this.#items ??= this.#values.map(heldTree)
    return this.#items
  }
}

const nothing = {}

const membersIn = (values: Values): readonly JsonMember[] =>
  Object.entries(values).map(([key, value]) => ({ key, value: heldTree(value) }))

/** An object of which single members can be had without the others. */
export class HeldObject {
  readonly #values: Values
  /** What was made of them so far. */
  #made: { readonly members?: readonly JsonMember[]; readonly text?: string } = nothing

  constructor(values: Values) {
    this.#values = values
  }

  get kind(): 'object' {
    return 'object'
  }

  get values(): Values {
    return this.#values
  }

  get members(): readonly JsonMember[] {
    const { members = membersIn(this.#values), text } = this.#made
    if (members !== this.#made.members) this.#made = text === undefined ? { members } : { members, text }
    return members
  }

  /** As JSON in one line, every character from U+0080 on as it is: texts that say more of themselves are not held. */
  get text(): string {
    const { text = JSON.stringify(this.#values) } = this.#made
    if (this.#made.text === undefined) this.#made = { ...this.#made, text }
    return text
  }

  /** The value of that member; the same whenever it is asked for, where it holds others. */
  member(key: string): JsonTree | undefined {
    if (!Object.hasOwn(this.#values, key)) return undefined
    const value = this.#values[key]
    return isHeld(value) ? this.members.find((one) => one.key === key)?.value : heldTree(value)
  }
}
