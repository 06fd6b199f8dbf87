/** Search of a text for hundreds of values in one pass, after Wu and Manber. */
import { getOrAdd } from '../../text/group-by.ts'

export interface SearchTerm<T> {
  readonly text: string
  readonly wholeWord: boolean
  readonly owner: T
}

/** Characters that a value must have. */
export const minTermLength = 6
const multiplier = 0x01000193
/** Characters by which the shift table is indexed. */
const blockLength = 3
const maxShift = minTermLength - blockLength + 1
/** The table grows with the number of terms, so that most characters of a text are skipped. */
const minTableBits = 16
const maxTableBits = 24

/**
 * A table gives for any three characters how far the search may shift without missing the beginning of a term. Only where that
 * is 0 are the six characters compared with which a term begins.
 */
export class MultiSearch<T> {
  #bits = minTableBits
  /** How much less than `maxShift` the shift is, by block: 0 where no term begins with these characters. */
  #shiftReductions: Uint8Array = new Uint8Array(2 ** minTableBits)
  /** By the hash of the six characters with which they begin. */
  readonly #terms: Map<number, SearchTerm<T>[]> = new Map()
  readonly #texts: Set<string> = new Set()

  /** Terms that are too short or known already are ignored. */
  add(term: SearchTerm<T>): void {
    if (term.text.length < minTermLength || this.#texts.has(term.text)) return
    this.#texts.add(term.text)
    getOrAdd(this.#terms, hashAt(term.text, 0), (): SearchTerm<T>[] => []).push(term)
    this.#indexBlocks(term.text)
    if (this.#terms.size * 64 > 2 ** this.#bits && this.#bits < maxTableBits) this.#grow()
  }

  #grow(): void {
    this.#bits += 2
    this.#shiftReductions = new Uint8Array(2 ** this.#bits)
    for (const terms of this.#terms.values()) for (const { text } of terms) this.#indexBlocks(text)
  }

  #indexBlocks(text: string): void {
    const shift = 32 - this.#bits
    for (let at = 0; at < maxShift; at += 1) {
      const slot = blockAt(text, at) >>> shift
      this.#shiftReductions[slot] = Math.max(this.#shiftReductions[slot] ?? 0, at + 1)
    }
  }

  /** The owners of all terms in the text, each once. */
  find(text: string): ReadonlySet<T> {
    const found = new Set<T>()
    if (this.#terms.size === 0) return found
    const shiftReductions = this.#shiftReductions
    const shift = 32 - this.#bits
    const last = text.length - blockLength
    for (let at = maxShift - 1; at <= last; ) {
      const step = maxShift - (shiftReductions[blockAt(text, at) >>> shift] ?? 0)
      if (step === 0) {
        const start = at - maxShift + 1
        this.#compare(text, start, hashAt(text, start), found)
        at += 1
      } else at += step
    }
    return found
  }

  #compare(text: string, start: number, hash: number, found: Set<T>): void {
    for (const term of this.#terms.get(hash) ?? []) {
      if (found.has(term.owner) || !text.startsWith(term.text, start)) continue
      if (!term.wholeWord || isWholeWord(text, start, start + term.text.length)) found.add(term.owner)
    }
  }
}

/** The three characters there, spread over 32 bits. */
const blockAt = (text: string, at: number): number =>
  Math.imul(
    (text.charCodeAt(at) << 16) ^ (text.charCodeAt(at + 1) << 8) ^ text.charCodeAt(at + 2),
    0x9e3779b1,
  )

function hashAt(text: string, from: number): number {
  let hash = 0
  for (let at = from; at < from + minTermLength; at += 1)
    hash = (Math.imul(hash, multiplier) + text.charCodeAt(at)) | 0
  return hash
}

const wordCharacter = /[\p{L}\p{N}]/u
/** An escape in front is not part of the word: `%22secret`, `\nsecret`, `\u0022secret`. */
const escapeBefore = /(?:%[0-9A-Fa-f]{2}|\\[bfnrt]|\\u[0-9A-Fa-f]{4})$/

function isWholeWord(text: string, start: number, end: number): boolean {
  if (wordCharacter.test(text.charAt(end)) || /^\.\d/.test(text.slice(end, end + 2))) return false
  if (!/[\p{L}\p{N}.]/u.test(text.charAt(start - 1))) return true
  if (text.charAt(start - 1) === '.') return !/\d/.test(text.charAt(start))
  return escapeBefore.test(text.slice(Math.max(0, start - 6), start))
}
