/**
 * The entries of one JSON text, each a piece of it: a text that breaks off has those before the break, and one of
 * hundreds of megabytes never becomes a single value.
 */
import { visit } from 'jsonc-parser'
import { codeInWords } from '../../json/read.ts'
import type { KeptFault } from './exchange.ts'

/** The list of entries in a text, and where the text ends. */
export interface JsonEntries {
  /** Names of the members that lead to the list; undefined where there is none. */
  readonly path: readonly string[] | undefined
  /** Those that are whole. */
  readonly pieces: readonly string[]
  /** Characters of the value; undefined where it breaks off. */
  readonly length: number | undefined
  /** Where it breaks off, from the text's beginning. */
  readonly fault: KeptFault | undefined
  /** Characters up to there. */
  readonly sound: number
  /** True where that is in an entry, rather than between two or outside of the list. */
  readonly breaksEntry: boolean
}

/** Values of one entry beyond which it is not read: each costs a hundred bytes and more, however short it is spelled. */
const mostValues = 1_000_000
/** Levels at which lists of entries stand at most. */
const deepestList = 3

class Ended extends Error {}

/** @param paths where lists of entries may be; the empty one is a text that is a list itself */
export function jsonEntries(text: string, paths: readonly (readonly string[])[]): JsonEntries {
  const walk = new EntryWalk(text, paths)
  try {
    visit(text, walk.visitor(), { disallowComments: true, allowTrailingComma: false })
  } catch (error) {
    if (error instanceof RangeError) walk.note('nested too deeply to be read', text.length, 0, 0)
    else if (!(error instanceof Ended)) throw error
  }
  return walk.found()
}

/** An object or list that is open: what it is called in the one around it, and where it began. */
interface Open {
  readonly isList: boolean
  readonly name: string
  readonly start: number
}

class EntryWalk {
  readonly #text: string
  readonly #paths: readonly (readonly string[])[]
  readonly #open: Open[] = []
  readonly #pieces: string[] = []
  #path: readonly string[] | undefined
  /** How many are open where the entries stand; Infinity outside of their list. */
  #depth = Number.POSITIVE_INFINITY
  #name = ''
  #values = 0
  #length: number | undefined
  #fault: KeptFault | undefined
  #sound = 0

  constructor(text: string, paths: readonly (readonly string[])[]) {
    this.#text = text
    this.#paths = paths
  }

  visitor(): Parameters<typeof visit>[1] {
    return {
      onObjectProperty: (name) => {
        this.#name = name
      },
      onObjectBegin: (at, _length, line, column) => this.#begin(false, at, line, column),
      onArrayBegin: (at, _length, line, column) => this.#begin(true, at, line, column),
      onObjectEnd: (at, _length, line, column) => this.#end('}', at, line, column),
      onArrayEnd: (at, _length, line, column) => this.#end(']', at, line, column),
      onLiteralValue: (_value, at, _length, line, column) => this.#count(at, line, column),
      onError: (code, at, _length, line, column) => this.#fail(codeInWords(code), at, line, column),
    }
  }

  note(message: string, at: number, line: number, column: number): void {
    this.#fault = { line: line + 1, column: column + 1, message }
    this.#sound = at
  }

  found(): JsonEntries {
    const breaksEntry = this.#length === undefined && this.#open.length > this.#depth
    return {
      path: this.#path,
      pieces: this.#pieces,
      length: this.#length,
      fault: this.#length === undefined ? (this.#fault ?? outright) : undefined,
      sound: this.#length ?? this.#sound,
      breaksEntry,
    }
  }

  #fail(message: string, at: number, line: number, column: number): never {
    this.note(message, at, line, column)
    throw new Ended()
  }

  #begin(isList: boolean, start: number, line: number, column: number): void {
    this.#count(start, line, column)
    this.#open.push({ isList, name: this.#name, start })
    const path = isList ? this.#pathHere() : undefined
    this.#path ??= path
    if (path !== undefined && path === this.#path) this.#depth = this.#open.length
    if (this.#open.length === this.#depth + 1) this.#values = 0
  }

  /** The path of the list that has just begun, if one of those looked for. */
  #pathHere(): readonly string[] | undefined {
    if (this.#open.length > deepestList) return undefined
    const names = this.#open.slice(1).map(({ name }) => name)
    const isPlain = this.#open.slice(0, -1).every(({ isList }) => !isList)
    return isPlain
      ? this.#paths.find(
          (path) => path.length === names.length && path.every((name, index) => name === names[index]),
        )
      : undefined
  }

  /** @param sign that ends it, which the library does not wait for */
  #end(sign: string, at: number, line: number, column: number): void {
    if (this.#text.charAt(at) !== sign) this.#fail(`${sign} expected`, at, line, column)
    const ended = this.#open.pop()
    if (ended !== undefined && this.#open.length === this.#depth)
      this.#pieces.push(this.#text.slice(ended.start, at + 1))
    if (this.#open.length < this.#depth) this.#depth = Number.POSITIVE_INFINITY
    if (this.#open.length > 0) return
    this.#length = at + 1
    throw new Ended()
  }

  #count(at: number, line: number, column: number): void {
    this.#values += 1
    if (this.#open.length > this.#depth && this.#values > mostValues)
      this.#fail(`an entry holds more than ${mostValues} values`, at, line, column)
  }
}

const outright: KeptFault = { line: 1, column: 1, message: 'no JSON value' }
