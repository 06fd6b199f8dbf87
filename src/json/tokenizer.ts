/**
 * A strict tokenizer of JSON text (RFC 8259): checks the whole grammar, tells a visitor where each token stands, and stops at
 * the first fault. It can be run in slices, so that a server can answer others while it reads a large text.
 */
import {
  backslash,
  closeArray,
  closeObject,
  colon,
  comma,
  openArray,
  openObject,
  quote,
} from './character-codes.ts'

/** Where and why a text is not JSON; line and column count from 1. */
export interface JsonFault {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** Told of each token as it is read. Offsets are UTF-16 units of the text; strings include their quotes. */
export interface JsonVisitor {
  begin(kind: 'object' | 'array', at: number): void
  end(kind: 'object' | 'array', at: number): void
  /** @param escaped true where it holds a backslash */
  name(from: number, to: number, escaped: boolean): void
  string(from: number, to: number, escaped: boolean): void
  /** A number, `true`, `false` or `null`. */
  literal(from: number, to: number): void
  comma?(at: number): void
}

export interface JsonLimits {
  /** Levels of objects and arrays. */
  readonly maxDepth: number
  /** Objects, arrays, strings, numbers and so on together. */
  readonly maxValues: number
}

/** PHP writes 512 levels at most, and every walk over a tree is recursive; a value costs a hundred bytes and more as a tree. */
export const defaultLimits: JsonLimits = { maxDepth: 1000, maxValues: 1_000_000 }

/** What may come next. */
const value = 0
const valueOrEnd = 1
const name = 2
const nameOrEnd = 3
const nameEnd = 4
const commaOrEnd = 5
const nothing = 6

const literalPattern = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** What stops the reading. */
type TokenizerStop = { readonly at: number; readonly message: string }

export class Tokenizer {
  readonly #text: string
  readonly #visitor: JsonVisitor
  readonly #limits: JsonLimits
  /** The closing signs of the objects and arrays that are open. */
  readonly #open: number[] = []
  #next = value
  #at: number
  #values = 0
  #stop: TokenizerStop | undefined
  #isStopped = false

  /** @param text a byte order mark at its start is skipped */
  constructor(text: string, visitor: JsonVisitor, limits: JsonLimits = defaultLimits) {
    this.#text = text
    this.#visitor = visitor
    this.#limits = limits
    this.#at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  }

  /** How many objects and arrays are open. */
  get depth(): number {
    return this.#open.length
  }

  /** True where the text may be JSON, but has more values than may be read. */
  get hasTooManyValues(): boolean {
    return this.#values > this.#limits.maxValues
  }

  /** Undefined as long as nothing is wrong. */
  get fault(): JsonFault | undefined {
    return this.#stop && { ...positionIn(this.#text, this.#stop.at), message: this.#stop.message }
  }

  /** Where the fault is, or the next token: an offset. */
  get offset(): number {
    return this.#stop?.at ?? this.#at
  }

  /** For a visitor that has seen enough: nothing more is read. @param message the fault, where that is why */
  stop(message?: string): void {
    if (message !== undefined) this.#fail(message)
    this.#isStopped = true
  }

  /** Reads all of it. @returns the fault where it is not JSON */
  readAll(): JsonFault | undefined {
    while (this.readTokens(Number.POSITIVE_INFINITY));
    return this.fault
  }

  /** Reads on, so many tokens at most. @returns true where there is more */
  readTokens(tokens: number): boolean {
    const text = this.#text
    for (let left = tokens; left > 0; left -= 1) {
      let code = text.charCodeAt(this.#at)
      while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09)
        code = text.charCodeAt(++this.#at)
      if (this.#stop !== undefined || this.#isStopped) return false
      if (this.#at >= text.length) return this.#end()
      this.#token(code)
    }
    return this.#stop === undefined
  }

  #end(): false {
    if (this.#next !== nothing)
      this.#fail(this.#next === commaOrEnd ? this.#closeExpected() : this.#expected())
    return false
  }

  /** What should stand where something else does, in words. */
  #expected(): string {
    switch (this.#next) {
      case name:
      case nameOrEnd:
        return this.#at < this.#text.length || this.#next === name
          ? 'property name expected'
          : 'close brace expected'
      case nameEnd:
        return 'colon expected'
      case commaOrEnd:
        return 'comma expected'
      case nothing:
        return 'end of file expected'
      default:
        return 'value expected'
    }
  }

  #closeExpected(): string {
    return this.#open.at(-1) === closeArray ? 'close bracket expected' : 'close brace expected'
  }

  #token(code: number): void {
    const next = this.#next
    if (code === closeObject || code === closeArray) this.#close(code)
    else if (next === value || next === valueOrEnd) this.#value(code)
    else if (code === quote && (next === name || next === nameOrEnd)) this.#string(true)
    else if (code === colon && next === nameEnd) {
      this.#at += 1
      this.#next = value
    } else if (code === comma && next === commaOrEnd) {
      this.#visitor.comma?.(this.#at)
      this.#at += 1
      this.#next = this.#open.at(-1) === closeObject ? name : value
    } else this.#fail(this.#expected())
  }

  #value(code: number): void {
    this.#values += 1
    if (this.#values > this.#limits.maxValues)
      this.#fail(`it holds more than ${this.#limits.maxValues} values`)
    else if (code === quote) this.#string(false)
    else if (code === openObject || code === openArray) this.#begin(code)
    else this.#literal()
  }

  #begin(code: number): void {
    if (this.#open.length === this.#limits.maxDepth) {
      this.#fail('nested too deeply to be read')
      return
    }
    this.#visitor.begin(code === openObject ? 'object' : 'array', this.#at)
    // The sign that closes stands two behind the one that opens.
    this.#open.push(code + 2)
    this.#at += 1
    this.#next = code === openObject ? nameOrEnd : valueOrEnd
  }

  #literal(): void {
    const from = this.#at
    literalPattern.lastIndex = from
    if (!literalPattern.test(this.#text)) {
      this.#fail(this.#expected())
      return
    }
    this.#at = literalPattern.lastIndex
    this.#visitor.literal(from, this.#at)
    this.#behindValue()
  }

  #close(code: number): void {
    const next = this.#next
    const isObject = code === closeObject
    const mayEnd = next === commaOrEnd || next === (isObject ? nameOrEnd : valueOrEnd)
    if (!mayEnd || this.#open.at(-1) !== code) {
      this.#fail(mayEnd && this.#open.length > 0 ? this.#closeExpected() : this.#expected())
      return
    }
    this.#open.pop()
    this.#visitor.end(isObject ? 'object' : 'array', this.#at)
    this.#at += 1
    this.#behindValue()
  }

  #behindValue(): void {
    this.#next = this.#open.length === 0 ? nothing : commaOrEnd
  }

  #string(isName: boolean): void {
    const text = this.#text
    const from = this.#at
    let escaped = false
    let at = from + 1
    for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) {
      if (code === backslash && isEscape(text, at)) {
        escaped = true
        at += text[at + 1] === 'u' ? 6 : 2
      } else if (code >= 0x20 && code !== backslash) at += 1
      else {
        this.#failInString(from, at)
        return
      }
    }
    this.#at = at + 1
    if (isName) {
      this.#visitor.name(from, at + 1, escaped)
      this.#next = nameEnd
    } else {
      this.#visitor.string(from, at + 1, escaped)
      this.#behindValue()
    }
  }

  #failInString(from: number, at: number): void {
    if (at >= this.#text.length) this.#failAt(from, 'unexpected end of string')
    else
      this.#failAt(at, this.#text[at] === '\\' ? 'invalid escape character' : 'invalid character in a string')
  }

  #fail(message: string): void {
    this.#failAt(this.#at, message)
  }

  #failAt(at: number, message: string): void {
    this.#stop = { at, message }
  }
}

function isEscape(text: string, at: number): boolean {
  escapeSequence.lastIndex = at
  return escapeSequence.test(text)
}

function positionIn(text: string, at: number): Pick<JsonFault, 'line' | 'column'> {
  const before = text.slice(text.charCodeAt(0) === 0xfeff ? 1 : 0, at)
  const breaks = [...before.matchAll(/\r\n|\r|\n/g)]
  const last = breaks.at(-1)
  const lineFrom = last === undefined ? 0 : last.index + last[0].length
  return { line: breaks.length + 1, column: before.length - lineFrom + 1 }
}

/** What a string token says: `"a\u0062"` is `ab`. @param quoted as it stands in the text, quotes included */
export const stringIn = (quoted: string, escaped: boolean): string =>
  escaped ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
