/**
 * Members cut out of JSON text that is not kept as a tree, because it cannot be written back from one or would be too
 * large as one: every other byte stays as it is. Nothing is built but the places of the outermost members.
 */
import { finished, type Steps } from './steps.ts'
import { backslash, closeArray, closeObject, colon, comma, openArray, openObject, quote } from './tokens.ts'

/** Members of the outermost object that stand side by side: where the first begins, and what stands after the last. */
interface Run {
  readonly start: number
  end: number
}

/** @param text valid JSON; where it is no object, it comes back unchanged */
export const cutMember = (text: string, key: string): string => finished(cutMembers(text, [key])) ?? text

/** The text less its outermost members of these names; undefined where it is not JSON (RFC 8259). */
export function* cutMembers(text: string, keys: readonly string[]): Steps<string | undefined> {
  const places = new MemberPlaces(text, keys)
  while (places.goOn()) yield
  if (!places.isWhole()) return undefined
  const { outermost, kept, cut } = places
  if (cut === 0) return text
  const members = kept.map(({ start, end }) => text.slice(start, end)).join(',')
  return text.slice(0, outermost.start) + members + text.slice(outermost.end)
}

/** Tokens that are read in one step: some ten milliseconds. */
const tokensAStep = 100_000
/** As for every other reader. */
const deepest = 1000

const literal = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const space = /[\t\n\r ]*/y

/** What may come next. */
type Next = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing'

class MemberPlaces {
  /** What is left of the outermost object: there may be a million members. */
  readonly kept: Run[] = []
  /** From its first member to behind its last. */
  readonly outermost = { start: 0, end: 0 }
  /** How many members are left out. */
  cut = 0
  readonly #text: string
  readonly #leftOut: readonly string[]
  /** The closing signs of the objects and arrays that are open. */
  readonly #open: number[] = []
  #next: Next | 'broken' = 'value'
  #at: number
  #key = ''
  #start = 0

  constructor(text: string, leftOut: readonly string[]) {
    this.#text = text
    this.#leftOut = leftOut
    this.#at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  }

  /** Reads on. @returns true where there is more */
  goOn(): boolean {
    for (let left = tokensAStep; left > 0; left -= 1) {
      if (this.#next === 'nothing' || this.#next === 'broken') return false
      this.#next = this.#token(this.#next)
    }
    return true
  }

  /** False where the text is not JSON. */
  isWhole(): boolean {
    return this.#next === 'nothing' && this.#afterSpace() === this.#text.length
  }

  #afterSpace(): number {
    space.lastIndex = this.#at
    space.test(this.#text)
    return space.lastIndex
  }

  /** Reads one token, and tells what may follow it. */
  #token(next: Exclude<Next, 'nothing'>): Next | 'broken' {
    this.#at = this.#afterSpace()
    const code = this.#text.charCodeAt(this.#at)
    if (code === closeArray || code === closeObject) {
      const mayEnd =
        next === 'comma or end' || next === (code === closeArray ? 'value or end' : 'name or end')
      return mayEnd && this.#open.at(-1) === code ? this.#close(next === 'comma or end') : 'broken'
    }
    switch (next) {
      case 'value':
      case 'value or end':
        return this.#value(code)
      case 'name':
      case 'name or end':
        return this.#name(code)
      case 'colon':
        this.#at += 1
        return code === colon ? 'value' : 'broken'
      case 'comma or end':
        return code === comma ? this.#comma() : 'broken'
    }
  }

  #value(code: number): Next | 'broken' {
    if (code === openArray || code === openObject) {
      if (this.#open.length === deepest) return 'broken'
      this.#open.push(code === openArray ? closeArray : closeObject)
      this.#at += 1
      if (this.#open.length === 1) {
        this.#start = this.#at
        this.outermost.start = this.#at
      }
      return code === openArray ? 'value or end' : 'name or end'
    }
    if (code === quote) return this.#string() ? this.#behindValue() : 'broken'
    literal.lastIndex = this.#at
    if (!literal.test(this.#text)) return 'broken'
    this.#at = literal.lastIndex
    return this.#behindValue()
  }

  #behindValue(): Next {
    return this.#open.length === 0 ? 'nothing' : 'comma or end'
  }

  #name(code: number): Next | 'broken' {
    const from = this.#at
    if (code !== quote || !this.#string()) return 'broken'
    if (this.#open.length === 1 && this.#open[0] === closeObject)
      this.#key = keyIn(this.#text.slice(from, this.#at))
    return 'colon'
  }

  #comma(): Next {
    this.#endSpan()
    this.#at += 1
    if (this.#open.length === 1) this.#start = this.#at
    return this.#open.at(-1) === closeObject ? 'name' : 'value'
  }

  #close(filled: boolean): Next {
    if (filled) this.#endSpan()
    this.#open.pop()
    this.#at += 1
    return this.#behindValue()
  }

  #endSpan(): void {
    if (this.#open.length !== 1 || this.#open[0] !== closeObject) return
    const last = this.kept.at(-1)
    const isCut = this.#leftOut.includes(this.#key)
    if (isCut) this.cut += 1
    else if (last !== undefined && last.end === this.#start - 1) last.end = this.#at
    else this.kept.push({ start: this.#start, end: this.#at })
    this.outermost.end = this.#at
  }

  #string(): boolean {
    for (let at = this.#at + 1; at < this.#text.length; at += 1) {
      const code = this.#text.charCodeAt(at)
      if (code < 0x20) return false
      if (code === backslash) {
        escaped.lastIndex = at
        if (!escaped.test(this.#text)) return false
        at = escaped.lastIndex - 1
      } else if (code === quote) {
        this.#at = at + 1
        return true
      }
    }
    return false
  }
}

const keyIn = (quoted: string): string =>
  quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1)
