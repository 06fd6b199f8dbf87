/** A strict tokenizer of JSON text (RFC 8259): calls a visitor for each token, stops at the first fault. */
import { faultAt, type JsonFault } from './json-fault.ts'

/** Called for each token as it is read. Offsets are UTF-16 units of the text. Names and strings are decoded. */
export interface JsonVisitor {
  begin?(kind: 'object' | 'array', at: number): void
  end?(at: number): void
  name?(name: string): void
  /** @param from of its opening quote. @param to behind the closing one */
  string?(value: string, from: number, to: number): void
  /** A number, `true`, `false` or `null`. */
  literal?(from: number, to: number): void
  comma?(at: number): void
}

/** PHP writes 512 levels at most, and every walk over a tree is recursive; a value takes 100 bytes and more as a tree. */
export const defaultLimits = {
  /** Levels of objects and arrays. */
  maxDepth: 1000,
  /** Objects, arrays, strings, numbers and so on together. */
  maxValues: 1_000_000
}

/** What may come next, and the message where something else does. */
const expectations = {
  value: 'value expected',
  valueOrEnd: 'value or closing bracket expected',
  name: 'property name expected',
  nameOrEnd: 'property name or closing brace expected',
  colon: 'colon expected',
  commaOrEnd: 'comma or closing bracket expected',
  nothing: 'end of file expected'
} as const

const literalPattern = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y
/** Several at once: a word of another script is a row of them. */
const escapePattern = /(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,32}/y

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openArray = 0x5b
const backslash = 0x5c
const closeArray = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

export class Tokenizer {
  readonly #text: string
  readonly #visitor: JsonVisitor
  readonly #limits: typeof defaultLimits
  /** The closing characters of the objects and arrays that are open. */
  readonly #open: number[] = []
  #next: keyof typeof expectations = 'value'
  #at: number
  #values = 0
  #failure: { readonly at: number; readonly message: string } | undefined

  /** @param text byte order marks before and behind the value are skipped */
  constructor(
    text: string,
    visitor: JsonVisitor,
    limits: typeof defaultLimits = defaultLimits
  ) {
    this.#text = text
    this.#visitor = visitor
    this.#limits = limits
    this.#at = 0
  }

  /** True where the text may be JSON, but has more values than may be read. */
  get hasTooManyValues(): boolean {
    return this.#values > this.#limits.maxValues
  }

  /** Reads all of it. @returns the fault where it is not JSON */
  readAll(): JsonFault | undefined {
    const text = this.#text
    while (!this.#failure) {
      let code = text.charCodeAt(this.#at)
      while (
        code === 0x20 ||
        code === 0x0a ||
        code === 0x0d ||
        code === 0x09 ||
        this.#isMark(code)
      )
        code = text.charCodeAt(++this.#at)
      if (this.#at >= text.length) {
        if (this.#next !== 'nothing') this.#fail()
        break
      }
      this.#token(code)
    }
    return this.#failure && faultAt(text, this.#failure.at, this.#failure.message)
  }

  /** Files of PHP that were saved with a byte order mark print it before or behind what MediaWiki prints. */
  #isMark(code: number) {
    return code === 0xfeff && this.#open.length === 0
  }

  #token(code: number) {
    const next = this.#next
    if (code === closeObject || code === closeArray) this.#close(code)
    else if (next === 'value' || next === 'valueOrEnd') this.#value(code)
    else if (code === quote && (next === 'name' || next === 'nameOrEnd'))
      this.#string(true)
    else if (code === colon && next === 'colon') {
      this.#at += 1
      this.#next = 'value'
    } else if (code === comma && next === 'commaOrEnd') {
      this.#visitor.comma?.(this.#at)
      this.#at += 1
      this.#next = this.#open.at(-1) === closeObject ? 'name' : 'value'
    } else this.#fail()
  }

  #value(code: number) {
    this.#values += 1
    if (this.hasTooManyValues)
      this.#fail(`it has more than ${this.#limits.maxValues} values`)
    else if (code === quote) this.#string(false)
    else if (code === openObject || code === openArray) this.#begin(code)
    else if (matchesAt(literalPattern, this.#text, this.#at)) {
      this.#visitor.literal?.(this.#at, literalPattern.lastIndex)
      this.#at = literalPattern.lastIndex
      this.#endValue()
    } else this.#fail()
  }

  #begin(code: number) {
    if (this.#open.length === this.#limits.maxDepth)
      this.#fail('nested too deeply to be read')
    else {
      this.#visitor.begin?.(code === openObject ? 'object' : 'array', this.#at)
      // A closing character has the code of its opening one plus two.
      this.#open.push(code + 2)
      this.#at += 1
      this.#next = code === openObject ? 'nameOrEnd' : 'valueOrEnd'
    }
  }

  #close(code: number) {
    if (this.#open.at(-1) === code && this.#next.endsWith('OrEnd')) {
      this.#open.pop()
      this.#visitor.end?.(this.#at)
      this.#at += 1
      this.#endValue()
    } else this.#fail()
  }

  #endValue() {
    this.#next = this.#open.length === 0 ? 'nothing' : 'commaOrEnd'
  }

  #string(isName: boolean) {
    const text = this.#text
    const from = this.#at
    const escaped = this.#skipString()
    if (this.#failure) return
    const to = this.#at
    if (isName) {
      this.#visitor.name?.(decodeString(text, from, to, escaped))
      this.#next = 'colon'
    } else {
      this.#visitor.string?.(decodeString(text, from, to, escaped), from, to)
      this.#endValue()
    }
  }

  /** A loop, since a pattern would exhaust the stack at several megabytes. @returns true where there is a backslash in it */
  #skipString() {
    const text = this.#text
    let escaped = false
    this.#at += 1
    for (
      let code = text.charCodeAt(this.#at);
      code !== quote;
      code = text.charCodeAt(this.#at)
    ) {
      if (code === backslash && matchesAt(escapePattern, text, this.#at)) {
        escaped = true
        this.#at = escapePattern.lastIndex
      } else if (code >= 0x20 && code !== backslash) this.#at += 1
      else {
        this.#fail(
          this.#at < text.length
            ? 'invalid character in a string'
            : 'unexpected end of string'
        )
        return false
      }
    }
    this.#at += 1
    return escaped
  }

  #fail(message: string = expectations[this.#next]) {
    this.#failure = { at: this.#at, message }
  }
}

function matchesAt(sticky: RegExp, text: string, at: number) {
  sticky.lastIndex = at
  return sticky.test(text)
}

/** What a string says: `"a\u0062"` is `ab`. */
const decodeString = (text: string, from: number, to: number, escaped: boolean) =>
  escaped ? (JSON.parse(text.slice(from, to)) as string) : text.slice(from + 1, to - 1)
