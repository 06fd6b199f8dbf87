/**
 * Splits a JSON text into the texts of its entries: one that is cut off has those before the cut, and one of hundreds of
 * megabytes never becomes a single value.
 */
import { stringIn } from '../../json/string-token.ts'
import { defaultLimits, type JsonVisitor, Tokenizer } from '../../json/tokenizer.ts'
import type { ImportFault } from '../exchange/imported-exchange.ts'

/** The list of entries in a text, and where the text ends. */
export interface JsonEntries {
  /** Names of the members that lead to the list; undefined where there is none. */
  readonly path: readonly string[] | undefined
  /** The texts of whole entries. */
  readonly pieces: readonly string[]
  /** Characters of the value; undefined where it is cut off. */
  readonly length: number | undefined
  /** Where it is cut off. */
  readonly fault: ImportFault | undefined
  /** Characters before the fault. */
  readonly readableLength: number
  /** True where the fault is inside an entry. */
  readonly breaksEntry: boolean
}

const maxValues: number = defaultLimits.maxValues
/** Entries are parsed with limits; this pass has none. */
const limits = { maxDepth: Number.POSITIVE_INFINITY, maxValues: Number.POSITIVE_INFINITY }
const maxListDepth = 3

/** @param paths of lists of entries; the empty one is a text that is a list itself */
export function splitJsonEntries(text: string, paths: readonly (readonly string[])[]): JsonEntries {
  const splitter = new EntrySplitter(text, paths)
  splitter.tokenizer.readAll()
  return splitter.result()
}

/** An open object or list: its name in the outer one, and its beginning. */
interface OpenContainer {
  readonly isList: boolean
  readonly name: string
  readonly start: number
}

class EntrySplitter implements JsonVisitor {
  readonly tokenizer: Tokenizer
  readonly #text: string
  readonly #paths: readonly (readonly string[])[]
  readonly #open: OpenContainer[] = []
  readonly #pieces: string[] = []
  #path: readonly string[] | undefined
  /** Open containers around an entry; Infinity outside of the list. */
  #depth = Number.POSITIVE_INFINITY
  #name = ''
  #values = 0
  #length: number | undefined

  constructor(text: string, paths: readonly (readonly string[])[]) {
    this.#text = text
    this.#paths = paths
    this.tokenizer = new Tokenizer(text, this, limits)
  }

  begin(kind: 'object' | 'array', start: number): void {
    const isList = kind === 'array'
    this.#count()
    this.#open.push({ isList, name: this.#name, start })
    const path = isList ? this.#pathHere() : undefined
    this.#path ??= path
    if (path !== undefined && path === this.#path) this.#depth = this.#open.length
    if (this.#open.length === this.#depth + 1) this.#values = 0
  }

  end(_kind: 'object' | 'array', at: number): void {
    const ended = this.#open.pop()
    if (ended !== undefined && this.#open.length === this.#depth)
      this.#pieces.push(this.#text.slice(ended.start, at + 1))
    if (this.#open.length < this.#depth) this.#depth = Number.POSITIVE_INFINITY
    if (this.#open.length > 0) return
    this.#length = at + 1
    this.tokenizer.stop()
  }

  name(from: number, to: number, escaped: boolean): void {
    this.#name = stringIn(this.#text.slice(from, to), escaped)
  }

  string(): void {
    this.#count()
  }

  literal(): void {
    this.#count()
  }

  result(): JsonEntries {
    const isWhole = this.#length !== undefined
    return {
      path: this.#path,
      pieces: this.#pieces,
      length: this.#length,
      fault: isWhole ? undefined : (this.tokenizer.fault ?? noValueFault),
      readableLength: this.#length ?? this.tokenizer.offset,
      breaksEntry: !isWhole && this.#open.length > this.#depth,
    }
  }

  /** The path of the list that has just begun, if it is one of `paths`. */
  #pathHere(): readonly string[] | undefined {
    if (this.#open.length > maxListDepth) return undefined
    const names = this.#open.slice(1).map(({ name }) => name)
    const isPlain = this.#open.slice(0, -1).every(({ isList }) => !isList)
    return isPlain
      ? this.#paths.find(
          (path) => path.length === names.length && path.every((name, index) => name === names[index]),
        )
      : undefined
  }

  #count(): void {
    this.#values += 1
    if (this.#open.length > this.#depth && this.#values > maxValues)
      this.tokenizer.stop(`an entry has more than ${maxValues} values`)
  }
}

const noValueFault: ImportFault = { line: 1, column: 1, message: 'not a JSON value' }
