/** A strict reader of JSON (RFC 8259) into a tree that keeps order, number spelling and doubled names. */
import type { JsonFault } from './json-fault.ts'
import type { JsonMember, JsonTree } from './json-tree.ts'
import { defaultLimits, type JsonVisitor, Tokenizer } from './tokenizer.ts'

export { faultText, type JsonFault } from './json-fault.ts'

export type JsonReading =
  | { readonly ok: true; readonly tree: JsonTree }
  /** `tooMany` where the text may well be JSON, but would make too large a tree. */
  | { readonly ok: false; readonly fault: JsonFault; readonly tooMany: boolean }

/**
 * Reads a whole text; never throws, hostile nesting included. Byte order marks on either side are skipped.
 * @param maxValues objects, arrays, strings, numbers … that are read
 */
export function readJson(
  text: string,
  maxValues: number = defaultLimits.maxValues
): JsonReading {
  const limits = { ...defaultLimits, maxValues }
  // A value takes two characters. No tree of a million values is begun in vain.
  if (text.length > 2 * maxValues) {
    const counter = new Tokenizer(text, {}, limits)
    const fault = counter.readAll()
    if (fault) return { ok: false, fault, tooMany: counter.hasTooManyValues }
  }
  const builder = new TreeBuilder(text)
  const tokenizer = new Tokenizer(text, builder, limits)
  const fault = tokenizer.readAll()
  const { root } = builder
  if (!fault && root) return { ok: true, tree: root }
  const atStart = { line: 1, column: 1, message: 'value expected' }
  return { ok: false, fault: fault ?? atStart, tooMany: tokenizer.hasTooManyValues }
}

/** The tree of a text that is JSON. */
export function readTree(text: string | undefined): JsonTree | undefined {
  const reading = text === undefined ? undefined : readJson(text)
  return reading?.ok ? reading.tree : undefined
}

type OpenJsonNode =
  | { readonly kind: 'array'; readonly items: JsonTree[] }
  | { readonly kind: 'object'; readonly members: JsonMember[] }

class TreeBuilder implements JsonVisitor {
  root: JsonTree | undefined
  readonly #text: string
  readonly #open: OpenJsonNode[] = []
  /** The name of the next member of each that is open. */
  readonly #names: string[] = []

  constructor(text: string) {
    this.#text = text
  }

  begin(kind: 'object' | 'array') {
    const open: OpenJsonNode =
      kind === 'object' ? { kind, members: [] } : { kind, items: [] }
    this.#add(open)
    this.#open.push(open)
  }

  end() {
    this.#open.pop()
  }

  name(name: string) {
    this.#names[this.#open.length - 1] = name
  }

  string(value: string) {
    this.#add({ kind: 'string', value })
  }

  literal(from: number, to: number) {
    this.#add({ kind: 'literal', text: this.#text.slice(from, to) })
  }

  #add(tree: JsonTree) {
    const at = this.#open.at(-1)
    if (!at) this.root ??= tree
    else if (at.kind === 'array') at.items.push(tree)
    else at.members.push({ key: this.#names[this.#open.length - 1] ?? '', value: tree })
  }
}
