/**
 * A strict reader of JSON (RFC 8259) into a tree. What the quick way does not take is scanned by jsonc-parser, with its
 * leniencies turned off, which knows where a text is broken.
 */
import type { JSONVisitor, ParseErrorCode } from 'jsonc-parser'
import { jsoncParser } from './jsonc.ts'
import { scanJson } from './scan.ts'
import type { JsonMember, JsonTree } from './tree.ts'

/** Where and why a text is not JSON; line and column count from 1. */
export interface JsonFault {
  readonly line: number
  readonly column: number
  readonly message: string
}

export type JsonReading =
  | { readonly ok: true; readonly tree: JsonTree }
  /** `tooMany` where the text may well be JSON, but would make too large a tree. */
  | { readonly ok: false; readonly fault: JsonFault; readonly tooMany?: true }

/** Levels beyond which a text is refused: PHP writes 512 at most, and every walk over a tree is recursive. */
export const deepest = 1000

class TooDeep extends Error {}

/** Values in one text beyond which it is refused: a value costs a hundred bytes and more, however short it is spelled. */
export const mostValues = 1_000_000

/**
 * Reads a whole text; never throws, hostile nesting included. A byte order mark is skipped.
 * @param most values (objects, arrays, strings, numbers …) that are read
 */
export function readJson(text: string, most: number = mostValues): JsonReading {
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const quick = scanJson(source, { deepest, mostValues: most })
  if (quick === 'too many values') {
    const message = `it holds more than ${most} values`
    return { ok: false, fault: { line: 1, column: 1, message }, tooMany: true }
  }
  if (quick !== undefined) return { ok: true, tree: quick }
  const builder = new TreeBuilder(source)
  try {
    jsoncParser().visit(source, builder.visitor(), { disallowComments: true, allowTrailingComma: false })
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
  }
  return builder.reading()
}

/** An array or object that is being filled. */
type Open =
  | { readonly kind: 'array'; readonly items: JsonTree[] }
  | { readonly kind: 'object'; readonly members: JsonMember[] }

class TreeBuilder {
  readonly #source: string
  readonly #open: Open[] = []
  /** The name of the next member of each that is open. */
  readonly #keys: string[] = []
  #root: JsonTree | undefined
  #fault: JsonFault | undefined

  constructor(source: string) {
    this.#source = source
  }

  visitor(): JSONVisitor {
    return {
      onObjectBegin: (_offset, _length, line, character) =>
        this.#begin({ kind: 'object', members: [] }, line, character),
      onArrayBegin: (_offset, _length, line, character) =>
        this.#begin({ kind: 'array', items: [] }, line, character),
      onObjectProperty: (key) => {
        this.#keys[this.#open.length - 1] = key
      },
      onObjectEnd: () => void this.#open.pop(),
      onArrayEnd: () => void this.#open.pop(),
      onLiteralValue: (value: unknown, offset, length) =>
        this.#add(
          typeof value === 'string'
            ? { kind: 'string', value }
            : { kind: 'literal', text: this.#source.slice(offset, offset + length) },
        ),
      onError: (code, _offset, _length, line, character) =>
        this.#fail(() => codeInWords(code), line, character),
    }
  }

  reading(): JsonReading {
    if (this.#fault !== undefined) return { ok: false, fault: this.#fault }
    if (this.#root !== undefined) return { ok: true, tree: this.#root }
    return { ok: false, fault: { line: 1, column: 1, message: 'no JSON value' } }
  }

  #begin(open: Open, line: number, character: number): void {
    if (this.#open.length === deepest) {
      this.#fail(() => 'nested too deeply to be read', line, character)
      throw new TooDeep()
    }
    this.#add(open)
    this.#open.push(open)
  }

  #add(tree: JsonTree): void {
    const at = this.#open.at(-1)
    if (at === undefined) this.#root ??= tree
    else if (at.kind === 'array') at.items.push(tree)
    else at.members.push({ key: this.#keys[this.#open.length - 1] ?? '', value: tree })
  }

  /** A broken text may have an error at each of its tokens: only the first is put into words. */
  #fail(words: () => string, line: number, character: number): void {
    this.#fault ??= { line: line + 1, column: character + 1, message: words() }
  }
}

/** `CommaExpected` as `comma expected`. */
export const codeInWords = (code: ParseErrorCode): string =>
  jsoncParser()
    .printParseErrorCode(code)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
