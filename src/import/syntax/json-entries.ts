/**
 * The entries of one JSON text, each a piece of it: a text that breaks off has those before the break, and one of
 * hundreds of megabytes never becomes a single value.
 */
import { stringIn } from '../../json/string-token.ts'
import { defaultLimits, type JsonVisitor, Tokenizer } from '../../json/tokenizer.ts'
import type { ImportFault } from '../exchange/imported-exchange.ts'

/** The list of entries in a text, and where the text ends. */
export interface JsonEntries {
  /** Names of the members that lead to the list; undefined where there is none. */
  readonly path: readonly string[] | undefined
  /** Those that are whole. */
  readonly pieces: readonly string[]
  /** Characters of the value; undefined where it breaks off. */
  readonly length: number | undefined
  /** Where it breaks off, from the text's beginning. */
  readonly fault: ImportFault | undefined
  /** Characters up to there. */
  readonly readableLength: number
  /** True where that is in an entry, rather than between two or outside of the list. */
  readonly breaksEntry: boolean
}

/** Values of one entry beyond which it is not read. */
const maxValues: number = defaultLimits.maxValues
/** Whoever reads a piece counts its levels; the text around them is only walked through. */
const limits = { maxDepth: Number.POSITIVE_INFINITY, maxValues: Number.POSITIVE_INFINITY }
/** Levels at which lists of entries stand at most. */
const maxListDepth = 3

/** @param paths where lists of entries may be; the empty one is a text that is a list itself */
export function splitJsonEntries(text: string, paths: readonly (readonly string[])[]): JsonEntries {
  const splitter = new EntrySplitter(text, paths)
  splitter.tokenizer.readAll()
  return splitter.result()
}

/** An object or list that is open: what it is called in the one around it, and where it began. */
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
  /** How many are open where the entries stand; Infinity outside of their list. */
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

  /** The path of the list that has just begun, if one of those looked for. */
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
      this.tokenizer.stop(`an entry holds more than ${maxValues} values`)
  }
}

const noValueFault: ImportFault = { line: 1, column: 1, message: 'no JSON value' }
