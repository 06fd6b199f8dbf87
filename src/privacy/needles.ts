/** Searching a text for hundreds of values in one pass. */

/** One value to look for. */
export interface Needle<T> {
  readonly text: string
  /** True where a letter or digit on either side means that this is another word. */
  readonly bordered: boolean
  readonly owner: T
}

/** Shorter values cannot be looked for. */
export const shortestNeedle = 6
const multiplier = 0x01000193
/** The multiplier to the power of `shortestNeedle`, to take the oldest character out of the rolling hash. */
const oldest = Array.from({ length: shortestNeedle }).reduce<number>((at) => Math.imul(at, multiplier), 1)
/** The table grows with what is looked for, so that most characters of a text are done with one look. */
const fewestBits = 16
const mostBits = 24

/**
 * Rabin and Karp's search: a rolling hash over six characters, a table that says in one look whether any needle
 * begins so, and a comparison only then. The work is one step a character, however many needles there are.
 */
export class NeedleIndex<T> {
  #bits = fewestBits
  #taken: Uint8Array = new Uint8Array(2 ** fewestBits)
  readonly #needles: Map<number, Needle<T>[]> = new Map()
  readonly #texts: Set<string> = new Set()

  /** A needle that is too short, or there already, is left out. */
  add(needle: Needle<T>): void {
    if (needle.text.length < shortestNeedle || this.#texts.has(needle.text)) return
    this.#texts.add(needle.text)
    let hash = 0
    for (let at = 0; at < shortestNeedle; at += 1) {
      hash = (Math.imul(hash, multiplier) + needle.text.charCodeAt(at)) | 0
    }
    const others = this.#needles.get(hash)
    if (others === undefined) this.#needles.set(hash, [needle])
    else others.push(needle)
    this.#taken[this.#slotOf(hash)] = 1
    if (this.#needles.size * 16 > 2 ** this.#bits && this.#bits < mostBits) this.#grow()
  }

  #grow(): void {
    this.#bits += 2
    this.#taken = new Uint8Array(2 ** this.#bits)
    for (const hash of this.#needles.keys()) this.#taken[this.#slotOf(hash)] = 1
  }

  #slotOf(hash: number): number {
    return Math.imul(hash, 0x9e3779b1) >>> (32 - this.#bits)
  }

  /** The owners of all needles that stand in the text, each once. */
  find(text: string): ReadonlySet<T> {
    const found = new Set<T>()
    if (this.#needles.size === 0) return found
    const taken = this.#taken
    const shift = 32 - this.#bits
    let hash = 0
    for (let end = 0; end < text.length; end += 1) {
      hash = (Math.imul(hash, multiplier) + text.charCodeAt(end)) | 0
      const start = end - shortestNeedle + 1
      if (start > 0) hash = (hash - Math.imul(oldest, text.charCodeAt(start - 1))) | 0
      if (start >= 0 && taken[Math.imul(hash, 0x9e3779b1) >>> shift] === 1)
        this.#compare(text, start, hash, found)
    }
    return found
  }

  #compare(text: string, start: number, hash: number, found: Set<T>): void {
    for (const needle of this.#needles.get(hash) ?? []) {
      if (found.has(needle.owner) || !text.startsWith(needle.text, start)) continue
      if (!needle.bordered || isBordered(text, start, start + needle.text.length)) found.add(needle.owner)
    }
  }
}

const wordCharacter = /[\p{L}\p{N}]/u
/** The end of an escape is no part of a word: `%22secret`, `\nsecret`, `\u0022secret`. */
const escapeBefore = /(?:%[0-9A-Fa-f]{2}|\\[bfnrt]|\\u[0-9A-Fa-f]{4})$/

function isBordered(text: string, start: number, end: number): boolean {
  if (wordCharacter.test(text.charAt(end)) || /^\.\d/.test(text.slice(end, end + 2))) return false
  if (!/[\p{L}\p{N}.]/u.test(text.charAt(start - 1))) return true
  if (text.charAt(start - 1) === '.') return !/\d/.test(text.charAt(start))
  return escapeBefore.test(text.slice(Math.max(0, start - 6), start))
}
