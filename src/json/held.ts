/** Trees of values that the engine's own parser has read: they come about as far as somebody looks at them. */
import type { JsonMember, JsonTree } from './tree.ts'

/** @param value as `JSON.parse` gives it */
export function heldTree(value: unknown): JsonTree {
  if (typeof value === 'string') return { kind: 'string', value }
  if (Array.isArray(value)) return new HeldArray(value)
  return isHeld(value) ? new HeldObject(value) : { kind: 'literal', text: String(value) }
}

type Values = Readonly<Record<string, unknown>>

const isHeld = (value: unknown): value is Values => typeof value === 'object' && value !== null

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

/** An object of which single members can be had without the others. */
export class HeldObject {
  readonly kind = 'object'
  readonly #values: Values
  #members: readonly JsonMember[] | undefined
  #text: string | undefined

  constructor(values: Values) {
    this.#values = values
  }

  get members(): readonly JsonMember[] {
    this.#members ??= Object.entries(this.#values).map(([key, value]) => ({ key, value: heldTree(value) }))
    return this.#members
  }

  /** As JSON in one line, every character from U+0080 on as it is: texts that say more of themselves are not held. */
  get text(): string {
    this.#text ??= JSON.stringify(this.#values)
    return this.#text
  }

  /** The value of that member; the same whenever it is asked for, where it holds others. */
  member(key: string): JsonTree | undefined {
    if (!Object.hasOwn(this.#values, key)) return undefined
    const value = this.#values[key]
    return isHeld(value) ? this.members.find((one) => one.key === key)?.value : heldTree(value)
  }
}
