/** Numbers from zero on for the keys of recordings, in the order in which they come: a hundred thousand take 2 MB. */
import type { RequestKey } from '../request/key.ts'

/** Hex digits of a key. */
export const keyDigits = 12
/** A key is read in two halves of this many values, each of them small enough to be quick. */
const half = 2 ** 24

export class KeyRows {
  /** By row. */
  #keys = new Float64Array(1024)
  /** One more than a row, zero where there is none. */
  #slots = new Uint32Array(2048)
  /** Nobody can make up names whose places meet. */
  readonly #seed = Math.floor(Math.random() * 2 ** 32) | 1
  #count = 0

  get count(): number {
    return this.#count
  }

  /** @param key by `numberOfKey`. @returns `count` where it has none */
  rowOf(key: number): number {
    const slots = this.#slots
    for (let slot = this.#slotOf(key); ; slot = (slot + 1) & (slots.length - 1)) {
      const row = (slots[slot] ?? 0) - 1
      if (row < 0) return this.#count
      if (this.#keys[row] === key) return row
    }
  }

  /** The next row, for a key that has none. */
  add(key: number): void {
    if (this.#count === this.#keys.length) this.#grow()
    this.#keys[this.#count] = key
    this.#enter(this.#count, key)
    this.#count += 1
  }

  keyOf(row: number): RequestKey {
    return (this.#keys[row] ?? 0).toString(16).padStart(keyDigits, '0') as RequestKey
  }

  clear(): void {
    this.#slots.fill(0)
    this.#count = 0
  }

  /** Where to begin to look for a key. */
  #slotOf(key: number): number {
    const mixed = Math.imul(Math.imul((key / half) | 0, this.#seed) ^ key, this.#seed)
    return (mixed ^ (mixed >>> 15)) & (this.#slots.length - 1)
  }

  #grow(): void {
    const keys = this.#keys
    this.#keys = new Float64Array(2 * keys.length)
    this.#keys.set(keys)
    this.#slots = new Uint32Array(2 * this.#slots.length)
    for (let row = 0; row < keys.length; row += 1) this.#enter(row, keys[row] ?? 0)
  }

  #enter(row: number, key: number): void {
    let slot = this.#slotOf(key)
    while (this.#slots[slot] !== 0) slot = (slot + 1) & (this.#slots.length - 1)
    this.#slots[slot] = row + 1
  }
}

/** A key as a number; undefined for what is none. */
export const numberOfKey = (key: RequestKey): number | undefined =>
  key.length === keyDigits ? numberAt(key, 0) : undefined

/** By character code what a lower-case hex digit is worth. */
const digits = new Uint8Array(128).fill(16)
for (let value = 0; value < 16; value += 1) digits[value.toString(16).charCodeAt(0)] = value
const digitOf = (code: number): number => digits[code] ?? 16

/** What the digits of a key make as a number; undefined where they are no lower-case hex. A start reads those of all recordings. */
export function numberAt(text: string, from: number): number | undefined {
  let head = 0
  let tail = 0
  let all = 0
  for (let at = from; at < from + keyDigits / 2; at += 1) {
    const high = digitOf(text.charCodeAt(at))
    const low = digitOf(text.charCodeAt(at + keyDigits / 2))
    all |= high | low
    head = (head << 4) | high
    tail = (tail << 4) | low
  }
  return all < 16 ? head * half + tail : undefined
}
