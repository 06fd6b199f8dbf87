/**
 * The quick way to read JSON: strict RFC 8259 straight into a tree. Whatever it does not take it leaves to the slow
 * way (read.ts), which says what is wrong and where; so it may give up, but never read anything else into a text.
 */
import { backslash, closeArray, closeObject, colon, comma, openArray, openObject, quote } from './tokens.ts'
import type { JsonMember, JsonTree } from './tree.ts'

/** How much is read. */
export interface Bounds {
  /** Levels of nesting. */
  readonly deepest: number
  /** Objects, arrays, strings, numbers and so on, all together. */
  readonly mostValues: number
}

/** The tree of a whole text; undefined where it is not JSON, or nested deeper than that. */
export function scanJson(source: string, bounds: Bounds): JsonTree | 'too many values' | undefined {
  const scanner = new Scanner(source, bounds)
  const tree = scanner.whole()
  return scanner.isFull ? 'too many values' : tree
}

const literal = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y

/** Names of members come again and again: one string for all of them. */
const names = new Map<string, string>()
const mostNames = 10_000

function shared(name: string): string {
  const held = names.get(name)
  if (held !== undefined) return held
  if (names.size < mostNames && name.length < 40) names.set(name, name)
  return name
}

/** So do small numbers (namespaces): one node for each. */
const literals = new Map<string, JsonTree>()
const longestLiteral = 3

function literalOf(text: string): JsonTree {
  if (text.length > longestLiteral) return { kind: 'literal', text }
  const held = literals.get(text)
  if (held !== undefined) return held
  const tree = { kind: 'literal', text } as const
  literals.set(text, tree)
  return tree
}

/** Names in which nothing stands for something else: they are spelled in one way only. */
const plainName = /^[\w-]{1,39}$/
const zero = 0x30
const nine = 0x39

class Scanner {
  readonly #source: string
  readonly #deepest: number
  /** Values that may still come. */
  #left: number
  #at = 0
  /** Of all objects and arrays that are open: an array that grows by itself keeps room for more than it will hold. */
  readonly #members: JsonMember[] = []
  readonly #items: JsonTree[] = []
  /** How many of those are of open ones; what lies behind was handed out. */
  #memberCount = 0
  #itemCount = 0
  /** Which name came last time after a name: objects of a list are alike. */
  readonly #following: Map<string, string> = new Map()

  constructor(source: string, { deepest, mostValues }: Bounds) {
    this.#source = source
    this.#deepest = deepest
    this.#left = mostValues
  }

  get isFull(): boolean {
    return this.#left < 0
  }

  whole(): JsonTree | undefined {
    const tree = this.#value(0)
    return tree !== undefined && this.#next() === undefined ? tree : undefined
  }

  /** The next character that is no white space; undefined at the end. */
  #next(): number | undefined {
    for (; this.#at < this.#source.length; this.#at += 1) {
      const code = this.#source.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code
    }
    return undefined
  }

  #value(depth: number): JsonTree | undefined {
    this.#left -= 1
    if (this.#left < 0) return undefined
    const code = this.#next()
    if (code === quote) {
      const value = this.#string()
      return value === undefined ? undefined : { kind: 'string', value }
    }
    if (code === openObject) return depth < this.#deepest ? this.#object(depth) : undefined
    if (code === openArray) return depth < this.#deepest ? this.#array(depth) : undefined
    const from = this.#at
    const end = this.#integerEnd(from) ?? this.#literalEnd(from)
    if (end === undefined) return undefined
    this.#at = end
    return literalOf(this.#source.slice(from, end))
  }

  #literalEnd(from: number): number | undefined {
    literal.lastIndex = from
    return literal.test(this.#source) ? literal.lastIndex : undefined
  }

  /** Most literals are a few digits in front of a comma or the end of an object; of all others nothing is said. */
  #integerEnd(from: number): number | undefined {
    const first = this.#source.charCodeAt(from)
    if (first <= zero || first > nine) return undefined
    let at = from + 1
    let code = this.#source.charCodeAt(at)
    while (code >= zero && code <= nine) {
      at += 1
      code = this.#source.charCodeAt(at)
    }
    return code === comma || code === closeObject ? at : undefined
  }

  #object(depth: number): JsonTree | undefined {
    const from = this.#memberCount
    this.#at += 1
    if (this.#takes(closeObject)) return { kind: 'object', members: [] }
    for (let before = ''; ; ) {
      const key = this.#next() === quote ? this.#name(before) : undefined
      if (key === undefined || !this.#takes(colon)) return undefined
      before = key
      const value = this.#value(depth + 1)
      if (value === undefined) return undefined
      this.#members[this.#memberCount] = { key, value }
      this.#memberCount += 1
      if (this.#takes(closeObject)) return { kind: 'object', members: this.#membersFrom(from) }
      if (!this.#takes(comma)) return undefined
    }
  }

  #membersFrom(from: number): JsonMember[] {
    const members = this.#members.slice(from, this.#memberCount)
    this.#memberCount = from
    return members
  }

  /** @param before the name that stands before it in its object, empty at its beginning */
  #name(before: string): string | undefined {
    const from = this.#at + 1
    const likely = this.#following.get(before)
    if (likely !== undefined && this.#source.startsWith(likely, from)) {
      const end = from + likely.length
      if (this.#source.charCodeAt(end) === quote) {
        this.#at = end + 1
        return likely
      }
    }
    const name = this.#string()
    if (name === undefined) return undefined
    const one = shared(name)
    if (plainName.test(one)) this.#following.set(before, one)
    return one
  }

  #array(depth: number): JsonTree | undefined {
    const from = this.#itemCount
    this.#at += 1
    if (this.#takes(closeArray)) return { kind: 'array', items: [] }
    for (;;) {
      const item = this.#value(depth + 1)
      if (item === undefined) return undefined
      this.#items[this.#itemCount] = item
      this.#itemCount += 1
      if (this.#takes(closeArray)) return { kind: 'array', items: this.#itemsFrom(from) }
      if (!this.#takes(comma)) return undefined
    }
  }

  #itemsFrom(from: number): JsonTree[] {
    const items = this.#items.slice(from, this.#itemCount)
    this.#itemCount = from
    return items
  }

  #takes(wanted: number): boolean {
    if (this.#next() !== wanted) return false
    this.#at += 1
    return true
  }

  #string(): string | undefined {
    const from = this.#at + 1
    let escaped = false
    for (let at = from; at < this.#source.length; at += 1) {
      const code = this.#source.charCodeAt(at)
      if (code < 0x20) return undefined
      if (code === backslash) {
        escaped = true
        at += 1
      } else if (code === quote) {
        this.#at = at + 1
        return escaped ? unescaped(this.#source.slice(from - 1, at + 1)) : this.#source.slice(from, at)
      }
    }
    return undefined
  }
}

function unescaped(quoted: string): string | undefined {
  try {
    const value: unknown = JSON.parse(quoted)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
