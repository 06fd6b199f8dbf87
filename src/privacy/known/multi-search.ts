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
/** So many are found sooner by the engine's own search, one after the other. */
const few = 12
const multiplier = 0x01000193
/** So many characters say together how far the next needle is away at least. */
const blockLength = 3
const farthest = shortestNeedle - blockLength + 1
/** The table grows with what is looked for, so that most characters of a text are stepped over. */
const fewestBits = 16
const mostBits = 24

/**
 * Wu and Manber's search: a table says of any three characters how far the text may be stepped on without stepping over
 * the beginning of a needle. Only where it says 0 the six characters that a needle begins with are looked at.
 */
export class NeedleIndex<T> {
  #bits = fewestBits
  /** How much less than `farthest` may be stepped on, by block: 0 where no needle begins with such characters. */
  #near: Uint8Array = new Uint8Array(2 ** fewestBits)
  /** By the hash of the six characters that they begin with. */
  readonly #needles: Map<number, Needle<T>[]> = new Map()
  readonly #texts: Set<string> = new Set()

  /** A needle that is too short, or there already, is left out. */
  add(needle: Needle<T>): void {
    if (needle.text.length < shortestNeedle || this.#texts.has(needle.text)) return
    this.#texts.add(needle.text)
    const hash = hashAt(needle.text, 0)
    const others = this.#needles.get(hash)
    if (others === undefined) this.#needles.set(hash, [needle])
    else others.push(needle)
    this.#note(needle.text)
    if (this.#needles.size * 64 > 2 ** this.#bits && this.#bits < mostBits) this.#grow()
  }

  #grow(): void {
    this.#bits += 2
    this.#near = new Uint8Array(2 ** this.#bits)
    for (const needles of this.#needles.values()) for (const { text } of needles) this.#note(text)
  }

  #note(text: string): void {
    const shift = 32 - this.#bits
    for (let at = 0; at < farthest; at += 1) {
      const slot = blockAt(text, at) >>> shift
      this.#near[slot] = Math.max(this.#near[slot] ?? 0, at + 1)
    }
  }

  /** The owners of all needles that stand in the text, each once. */
  find(text: string): ReadonlySet<T> {
    const found = new Set<T>()
    if (this.#needles.size === 0) return found
    if (this.#texts.size <= few) {
      for (const needles of this.#needles.values())
        for (const needle of needles)
          if (!found.has(needle.owner) && stands(needle, text)) found.add(needle.owner)
      return found
    }
    const near = this.#near
    const shift = 32 - this.#bits
    const last = text.length - blockLength
    for (let at = farthest - 1; at <= last; ) {
      const step = farthest - (near[blockAt(text, at) >>> shift] ?? 0)
      if (step === 0) {
        const start = at - farthest + 1
        this.#compare(text, start, hashAt(text, start), found)
        at += 1
      } else at += step
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

function stands({ text: wanted, bordered }: Needle<unknown>, text: string): boolean {
  let at = text.indexOf(wanted)
  while (bordered && at >= 0 && !isBordered(text, at, at + wanted.length)) at = text.indexOf(wanted, at + 1)
  return at >= 0
}

/** Of the three characters there, spread over 32 bits. */
const blockAt = (text: string, at: number): number =>
  Math.imul(
    (text.charCodeAt(at) << 16) ^ (text.charCodeAt(at + 1) << 8) ^ text.charCodeAt(at + 2),
    0x9e3779b1,
  )

function hashAt(text: string, from: number): number {
  let hash = 0
  for (let at = from; at < from + shortestNeedle; at += 1)
    hash = (Math.imul(hash, multiplier) + text.charCodeAt(at)) | 0
  return hash
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
