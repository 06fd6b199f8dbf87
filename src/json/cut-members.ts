/** Cuts members out of JSON text that cannot be written back from a tree, or is too large for one; all other bytes stay. */
import { stringIn } from './string-token.ts'
import { defaultLimits, type JsonVisitor, Tokenizer } from './tokenizer.ts'

/** Neighbouring members of the outermost object: from the first to the comma or brace behind the last. */
interface MemberRange {
  readonly start: number
  end: number
}

/** The text without its outermost members of these names; undefined where it is not JSON (RFC 8259). */
export function cutMembers(text: string, names: readonly string[]): string | undefined {
  const ranges = new MemberRanges(text, names)
  const tokenizer = new Tokenizer(text, ranges, { ...defaultLimits, maxValues: Number.POSITIVE_INFINITY })
  if (tokenizer.readAll() !== undefined) return undefined
  const members = ranges.remaining.map(({ start, end }) => text.slice(start, end))
  return text.slice(0, ranges.start) + members.join(',') + text.slice(ranges.stop)
}

class MemberRanges implements JsonVisitor {
  /** What is left of the outermost object. Neighbours are one range, since there may be a million members. */
  readonly remaining: MemberRange[] = []
  /** The first member, and behind the last. */
  start = 0
  stop = 0
  readonly #text: string
  readonly #names: readonly string[]
  #depth = 0
  #name: string | undefined
  #memberStart = 0

  constructor(text: string, names: readonly string[]) {
    this.#text = text
    this.#names = names
  }

  begin(_kind: 'object' | 'array', at: number): void {
    this.#depth += 1
    if (this.#depth > 1) return
    this.start = at + 1
    this.stop = at + 1
    this.#memberStart = at + 1
  }

  end(_kind: 'object' | 'array', at: number): void {
    if (this.#depth === 1) this.#endMember(at)
    this.#depth -= 1
  }

  comma(at: number): void {
    if (this.#depth === 1) this.#endMember(at)
  }

  name(from: number, to: number, escaped: boolean): void {
    if (this.#depth === 1) this.#name = stringIn(this.#text.slice(from, to), escaped)
  }

  /** @param at of the comma or bracket behind the member */
  #endMember(at: number): void {
    const name = this.#name
    this.#name = undefined
    // Items of an array have no names.
    if (name === undefined) return
    const last = this.remaining.at(-1)
    if (!this.#names.includes(name)) {
      if (last !== undefined && last.end === this.#memberStart - 1) last.end = at
      else this.remaining.push({ start: this.#memberStart, end: at })
    }
    this.stop = at
    this.#memberStart = at + 1
  }
}
