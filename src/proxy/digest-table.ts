/** Where something lies in a file, by a digest of 16 bytes: 32 bytes a row in one buffer, which is kept as it is. */

/** 16 bytes as four words of 32 bits. */
export type Digest = readonly [number, number, number, number]

const words = 8
/** Rows beyond which a table of that size would be searched long. */
const fullness = 0.7

/** Where a reply lies, and the checksum of its bytes. */
export interface Place {
  readonly at: number
  readonly length: number
  readonly sum: number
}

export interface FoundPlace extends Place {
  /** It was found before. */
  readonly again: boolean
}

/** Bit of a row's fifth word, the upper half of its place, which no file is long enough to need. */
const wasFound = 0x80000000

export class DigestTable {
  #rows: Uint32Array
  #mask: number
  #size: number

  /** @param bytes of `DigestTable.bytes`; an empty one unless given */
  constructor(bytes?: Uint8Array, size = 0) {
    this.#rows =
      bytes === undefined
        ? new Uint32Array(64 * words)
        : new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
    this.#mask = this.#rows.length / words - 1
    this.#size = size
  }

  get size(): number {
    return this.#size
  }

  /** The rows as they lie in memory. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.#rows.buffer, this.#rows.byteOffset, this.#rows.byteLength)
  }

  has(digest: Digest): boolean {
    return (this.#rows[this.#rowOf(digest) + 6] ?? 0) !== 0
  }

  find(digest: Digest): FoundPlace | undefined {
    const row = this.#rowOf(digest)
    const rows = this.#rows
    if ((rows[row + 6] ?? 0) === 0) return undefined
    const high = rows[row + 4] ?? 0
    rows[row + 4] = high | wasFound
    return { ...placeIn(rows, row), again: (high & wasFound) !== 0 }
  }

  /** @param place of at least one byte */
  set(digest: Digest, { at, length, sum }: Place): void {
    if (this.#size + 1 > (this.#mask + 1) * fullness) this.#grow()
    const row = this.#rowOf(digest)
    const rows = this.#rows
    if (rows[row + 6] === 0) this.#size += 1
    rows.set(digest, row)
    rows[row + 4] = Math.floor(at / 2 ** 32)
    rows[row + 5] = at >>> 0
    rows[row + 6] = length
    rows[row + 7] = sum
  }

  *entries(): IterableIterator<readonly [digest: Digest, place: Place]> {
    const rows = this.#rows
    for (let row = 0; row < rows.length; row += words) {
      if (rows[row + 6] === 0) continue
      const [a = 0, b = 0, c = 0, d = 0] = rows.subarray(row, row + 4)
      yield [[a, b, c, d], placeIn(rows, row)]
    }
  }

  /** Of the digest, or the free one where it belongs. */
  #rowOf([a, b, c, d]: Digest): number {
    const rows = this.#rows
    // As many steps as there are rows: whoever reads a table that is full, against the rule, must come to an end too.
    for (let step = 0, at = a & this.#mask; step <= this.#mask; step += 1, at = (at + 1) & this.#mask) {
      const row = at * words
      if (rows[row + 6] === 0) return row
      if (rows[row] === a && rows[row + 1] === b && rows[row + 2] === c && rows[row + 3] === d) return row
    }
    return rows.length
  }

  #grow(): void {
    const old = this.#rows
    this.#rows = new Uint32Array(2 * old.length)
    this.#mask = this.#rows.length / words - 1
    for (let row = 0; row < old.length; row += words) {
      if (old[row + 6] === 0) continue
      let at = (old[row] ?? 0) & this.#mask
      while (this.#rows[at * words + 6] !== 0) at = (at + 1) & this.#mask
      this.#rows.set(old.subarray(row, row + words), at * words)
    }
  }
}

const placeIn = (rows: Uint32Array, row: number): Place => ({
  at: ((rows[row + 4] ?? 0) & ~wasFound) * 2 ** 32 + (rows[row + 5] ?? 0),
  length: rows[row + 6] ?? 0,
  sum: rows[row + 7] ?? 0,
})
