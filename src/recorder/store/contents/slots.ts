/** In place of an offset, and of the number of a folder. */
export const deleted = 0xffffffff

/** Slots of a hash table with linear probing. A key is a number of 48 bits, and as a digest its own hash. */
export class Slots {
  /** Keys plus one; 0 in an empty slot. Their number is a power of two. */
  readonly keys: Float64Array
  /** Where each name begins, or `deleted`. */
  readonly offsets: Uint32Array

  constructor(count: number) {
    this.keys = new Float64Array(count)
    this.offsets = new Uint32Array(count)
  }

  /** The slot of this key, or the empty one where it would be. */
  find(number: number): number {
    const mask = this.keys.length - 1
    let slot = number & mask
    while (this.keys[slot] !== 0 && this.keys[slot] !== number) slot = (slot + 1) & mask
    return slot
  }

  isOccupied(slot: number): boolean {
    return this.keys[slot] !== 0 && this.offsets[slot] !== deleted
  }

  /** Without what was deleted. */
  larger(): Slots {
    const larger = new Slots(2 * this.keys.length)
    for (let from = 0; from < this.keys.length; from += 1) {
      if (!this.isOccupied(from)) continue
      const number = this.keys[from] ?? 0
      const to = larger.find(number)
      larger.keys[to] = number
      larger.offsets[to] = this.offsets[from] ?? 0
    }
    return larger
  }
}
