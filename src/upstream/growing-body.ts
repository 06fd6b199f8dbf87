/** Bytes beyond which a body of unknown length gets room for the longest there may be. */
const longInParts = 8 * 1024 * 1024

/**
 * A body as it arrives, kept once where it is long: each part is put in its place, rather than all of them together at
 * the end. Memory that nothing was written to yet costs nothing, whatever length is announced.
 */
export class GrowingBody {
  readonly #most: number
  #room: Buffer | undefined
  #parts: Uint8Array[] = []
  #bytes = 0

  /**
   * @param announced bytes that are to come, NaN where nobody said
   * @param most bytes that are accepted
   */
  constructor(announced: number, most: number) {
    this.#most = most
    if (announced <= most) this.#room = Buffer.allocUnsafe(announced)
  }

  get bytes(): number {
    return this.#bytes
  }

  /** False where there is no room for it: nothing was added. */
  add(part: Uint8Array): boolean {
    const end = this.#bytes + part.length
    if (end > (this.#room?.length ?? this.#most)) return false
    if (this.#room === undefined && end > longInParts) this.#makeRoom()
    if (this.#room === undefined) this.#parts.push(part)
    else this.#room.set(part, this.#bytes)
    this.#bytes = end
    return true
  }

  whole(): Buffer {
    return this.#room?.subarray(0, this.#bytes) ?? Buffer.concat(this.#parts)
  }

  #makeRoom(): void {
    const room = Buffer.allocUnsafe(this.#most)
    Buffer.concat(this.#parts).copy(room)
    this.#room = room
    this.#parts = []
  }
}
