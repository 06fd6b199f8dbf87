/** Search of a text for hundreds of values in one pass, by a rolling hash of the six characters that each begins with. */
import { getOrAdd } from '../../text/group-by.ts'

export interface SearchTerm<T> {
  readonly text: string
  /** True where it is found only as a whole word. */
  readonly wholeWord: boolean
  readonly owner: T
}

/** Characters that a value must have. */
export const minTermLength = 6
/** Of a hash: the table has a slot for each value of these bits. */
const tableBits = 18

export class MultiSearch<T> {
  /** By the hash of the characters with which they begin. */
  readonly #terms: Map<number, SearchTerm<T>[]> = new Map()
  readonly #texts: Set<string> = new Set()
  /** 1 where some term has such a hash: most positions of a text need no other look. */
  readonly #table: Uint8Array = new Uint8Array(2 ** tableBits)

  /** Terms that are too short or known already are ignored. */
  add(term: SearchTerm<T>): void {
    if (term.text.length < minTermLength || this.#texts.has(term.text)) return
    this.#texts.add(term.text)
    let hash = 0
    for (let at = 0; at < minTermLength; at += 1)
      hash = nextHash(hash, term.text.charCodeAt(at))
    getOrAdd(this.#terms, hash, () => []).push(term)
    this.#table[slotOf(hash)] = 1
  }

  /** The owners of all terms in the text, each once. */
  find(text: string): ReadonlySet<T> {
    const found = new Set<T>()
    if (this.#terms.size === 0) return found
    const table = this.#table
    let hash = 0
    for (let at = 0; at < text.length; at += 1) {
      hash = nextHash(hash, text.charCodeAt(at))
      if (table[slotOf(hash)] === 1)
        this.#compare(text, at - minTermLength + 1, hash, found)
    }
    return found
  }

  #compare(text: string, start: number, hash: number, found: Set<T>) {
    for (const term of this.#terms.get(hash) ?? []) {
      if (found.has(term.owner) || start < 0 || !text.startsWith(term.text, start))
        continue
      if (!term.wholeWord || isWholeWord(text, start, start + term.text.length))
        found.add(term.owner)
    }
  }
}

/** The hash with one more character; the seventh before it is shifted out. */
const nextHash = (hash: number, code: number) => (hash << 6) ^ code
const slotOf = (hash: number) => Math.imul(hash, 0x9e3779b1) >>> (32 - tableBits)

const wordCharacter = /[\p{L}\p{N}]/u
/** An escape in front is not part of the word: `%22secret`, `\nsecret`, `\u0022secret`. */
const escapeBefore = /(?:%[0-9A-Fa-f]{2}|\\[bfnrt]|\\u[0-9A-Fa-f]{4})$/

function isWholeWord(text: string, start: number, end: number) {
  if (wordCharacter.test(text.charAt(end)) || /^\.\d/.test(text.slice(end, end + 2)))
    return false
  if (!/[\p{L}\p{N}.]/u.test(text.charAt(start - 1))) return true
  if (text.charAt(start - 1) === '.') return !/\d/.test(text.charAt(start))
  return escapeBefore.test(text.slice(Math.max(0, start - 6), start))
}
