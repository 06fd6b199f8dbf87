/**
 * JSON made compact byte by byte, without a tree: what is served as it was recorded needs none. It takes only what
 * `readJson` and `writeCompact` would give back as the same text; whatever else a text holds is left to them.
 */
import { deepest, mostValues, readJson } from './read.ts'
import { backslash, closeArray, closeObject, colon, comma, openArray, openObject, quote } from './tokens.ts'
import { type JsonTree, jsonObject } from './tree.ts'

/** A text without white space between its signs, in UTF-8, strings spelled as `writeCompact` spells them. */
export interface Compact {
  readonly bytes: Uint8Array
  /** From where to where in `bytes` each of the values stands that were to be found, in their order. */
  readonly found: readonly (readonly [from: number, to: number])[]
}

/** Values under a member of each object of a list, which is itself a member of the whole: `responses`, `json`. */
export interface Wanted {
  readonly list: string
  readonly member: string
}

/** Levels and values beyond which `readJson` refuses a text. */
interface Limits {
  readonly deepest: number
  readonly mostValues: number
}

/** Those of `readJson`. */
const usual: Limits = { deepest, mostValues }

/** Room for what is being written: the same from text to text. */
const commonRoom = new Uint8Array(1_048_576)
const roomFor = (bytes: number): Uint8Array =>
  bytes <= commonRoom.length ? commonRoom : new Uint8Array(bytes)

/** What may come next. */
const value = 0
const valueOrClose = 1
const name = 2
const nameOrClose = 3
const nameEnd = 4
const commaOrClose = 5

/**
 * One loop over local variables: a method a value takes five times as long.
 * @param source valid UTF-8
 * @returns undefined where it is no JSON object, exceeds the limits, spells a character in a way of its own, or where
 * the whole or an object of the list has a wanted name twice
 */
export function compactJson(source: Uint8Array, wanted: Wanted, limits: Limits = usual): Compact | undefined {
  const out = roomFor(source.length)
  const open = new Uint8Array(limits.deepest + 1)
  const finder = new Finder(out, open, wanted)
  let at = 0
  let end = 0
  let depth = 0
  let left = limits.mostValues
  let next = value
  for (; at < source.length; at += 1) {
    const code = source[at] ?? 0
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) continue
    if (code === comma && next === commaOrClose && depth > 0) {
      if (depth === 3) finder.close(end, false)
      next = open[depth] === openObject ? name : value
    } else if (code === colon && next === nameEnd) {
      next = value
    } else if (code === closeObject || code === closeArray) {
      // The sign that opens stands two before the one that closes.
      if (open[depth] !== code - 2 || next === value || next === name || next === nameEnd) return undefined
      if (depth === 3) finder.close(end, true)
      depth -= 1
      next = commaOrClose
    } else if (code === quote && (next === name || next === nameOrClose)) {
      const stop = copyString(source, at, out, end)
      if (stop < 0) return undefined
      if (depth === 1 || depth === 3) finder.name(depth, end, stop - at - 1)
      end += stop - at
      at = stop
      next = nameEnd
    } else {
      if (next > valueOrClose || left-- === 0) return undefined
      next = commaOrClose
      if (code === openObject || code === openArray) {
        if (depth === limits.deepest || (depth === 0 && code === openArray)) return undefined
        depth += 1
        open[depth] = code
        next = code === openObject ? nameOrClose : valueOrClose
      } else {
        const stop = code === quote ? copyString(source, at, out, end) : copyLiteral(source, at, out, end)
        if (stop < 0 || depth === 0) return undefined
        end += stop - at
        at = stop
      }
    }
    out[end++] = source[at] ?? 0
  }
  const isWhole = depth === 0 && next === commaOrClose && finder.isSure
  return isWhole ? { bytes: out.slice(0, end), found: finder.found } : undefined
}

/** Notes where the wanted members stand: the names of the whole are at depth 1, those of an object of the list at depth 3. */
class Finder {
  readonly found: (readonly [number, number])[] = []
  /** False where a name that is wanted comes twice: which of them counts is left to others. */
  isSure = true
  readonly #out: Uint8Array
  readonly #open: Uint8Array
  readonly #list: Uint8Array
  readonly #member: Uint8Array
  #hadList = false
  #inList = false
  #hadMember = false
  /** Where the value begins that is just being read; -1 where it is none of those wanted. */
  #from = -1

  constructor(out: Uint8Array, open: Uint8Array, { list, member }: Wanted) {
    this.#out = out
    this.#open = open
    this.#list = bytesOf(list)
    this.#member = bytesOf(member)
  }

  /** A name has been read: from its quote on in the output, so many bytes. */
  name(depth: number, from: number, length: number): void {
    if (depth === 1) {
      this.#inList = this.#says(from, length, this.#list)
      if (this.#inList && this.#hadList) this.isSure = false
      this.#hadList ||= this.#inList
    } else if (this.#inList && this.#open[2] === openArray && this.#says(from, length, this.#member)) {
      if (this.#hadMember) this.isSure = false
      this.#hadMember = true
      this.#from = from + length + 3
    }
  }

  /** A member at depth 3 has ended. */
  close(end: number, isLast: boolean): void {
    if (this.#from >= 0) this.found.push([this.#from, end])
    this.#from = -1
    if (isLast) this.#hadMember = false
  }

  #says(from: number, length: number, wanted: Uint8Array): boolean {
    return length === wanted.length && wanted.every((code, at) => this.#out[from + 1 + at] === code)
  }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/**
 * Copies a string as far as its last quote, which is left to the caller.
 * @returns where that stands; -1 where there is none, or where a character is spelled as `writeCompact` would not
 */
function copyString(source: Uint8Array, from: number, out: Uint8Array, begin: number): number {
  let end = begin
  out[end++] = quote
  for (let at = from + 1; at < source.length; at += 1) {
    const code = source[at] ?? 0
    if (code === quote) return at
    if (code < 0x20 || (code === 0xe2 && isLineSeparator(source, at))) return -1
    out[end++] = code
    if (code === backslash) {
      const last = at + escapeLength(source, at) - 1
      if (last < at) return -1
      while (at < last) out[end++] = source[++at] ?? 0
    }
  }
  return -1
}

/** U+2028 and U+2029, which are always escaped. */
const isLineSeparator = (source: Uint8Array, at: number): boolean =>
  source[at + 1] === 0x80 && (source[at + 2] === 0xa8 || source[at + 2] === 0xa9)

const shortEscapes: ReadonlySet<number> = new Set(bytesOf('"\\bfnrt'))
const longEscape = /^(?:00(?:0[0-7bef]|1[0-9a-f])|202[89])$/

/** Bytes of the escape that begins there; 0 where `writeCompact` would spell its character in another way. */
function escapeLength(source: Uint8Array, at: number): number {
  const kind = source[at + 1] ?? 0
  if (shortEscapes.has(kind)) return 2
  const digits = kind === 0x75 ? String.fromCharCode(...source.subarray(at + 2, at + 6)) : ''
  return longEscape.test(digits) ? 6 : 0
}

const literal = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/

/** Copies a number or a word less its last byte. @returns where that stands; -1 where it is neither */
function copyLiteral(source: Uint8Array, from: number, out: Uint8Array, begin: number): number {
  let plain = true
  let to = from
  for (let code = source[to] ?? 0; isOfLiteral(code); code = source[++to] ?? 0) {
    plain &&= code >= 0x30 && code <= 0x39
    out[begin + to - from] = code
  }
  // Most are page ids and the like.
  if (plain && (source[from] !== 0x30 || to === from + 1) && to > from) return to - 1
  return to - from < longest && literal.test(String.fromCharCode(...source.subarray(from, to))) ? to - 1 : -1
}

/** Characters of numbers that are still looked at here. */
const longest = 1000

/** Digits, small letters, signs, points, and the E of an exponent. */
const isOfLiteral = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  (code >= 0x61 && code <= 0x7a) ||
  code === 0x2d ||
  code === 0x2b ||
  code === 0x2e ||
  code === 0x45

const hexDigits: Uint8Array = bytesOf('0123456789abcdef')

/**
 * The same text with every character from U+0080 on escaped, as `writeCompact` spells `ascii`.
 * @param utf8 what `compactJson` has made, or a part of it
 */
export function escapedToAscii(utf8: Uint8Array): Uint8Array {
  const out = roomFor(utf8.length * 3)
  let end = 0
  for (let at = 0; at < utf8.length; at += 1) {
    const code = utf8[at] ?? 0
    if (code < 0x80) out[end++] = code
    else if (code < 0xe0) {
      end = writeEscape(out, end, ((code & 0x1f) << 6) | tail(utf8, ++at))
    } else if (code < 0xf0) {
      end = writeEscape(out, end, ((code & 0x0f) << 12) | (tail(utf8, ++at) << 6) | tail(utf8, ++at))
    } else {
      const high = ((code & 0x07) << 18) | (tail(utf8, ++at) << 12)
      const point = (high | (tail(utf8, ++at) << 6) | tail(utf8, ++at)) - 0x10000
      end = writeEscape(out, writeEscape(out, end, 0xd800 | (point >> 10)), 0xdc00 | (point & 0x3ff))
    }
  }
  return out.slice(0, end)
}

const tail = (utf8: Uint8Array, at: number): number => (utf8[at] ?? 0) & 0x3f

/** `\uXXXX`; @returns where it ends */
function writeEscape(out: Uint8Array, end: number, unit: number): number {
  out[end] = backslash
  out[end + 1] = 0x75
  out[end + 2] = hexDigits[unit >> 12] ?? 0
  out[end + 3] = hexDigits[(unit >> 8) & 0xf] ?? 0
  out[end + 4] = hexDigits[(unit >> 4) & 0xf] ?? 0
  out[end + 5] = hexDigits[unit & 0xf] ?? 0
  return end + 6
}

/**
 * The object of a compact text less all other members: nothing of those becomes a tree.
 * @param compact what `compactJson` has made, or a value of it
 */
export function membersIn(compact: Uint8Array, names: readonly string[]): JsonTree {
  const text = Buffer.from(compact.buffer, compact.byteOffset, compact.byteLength)
  const kept: string[] = []
  if (text[0] === openObject && names.some((one) => text.includes(`"${one}":`)))
    for (let at = 1; text[at] === quote; ) {
      const nameEnds = endOfString(text, at)
      const end = endOfValue(text, nameEnds + 2)
      if (names.includes(text.toString('utf8', at + 1, nameEnds))) kept.push(text.toString('utf8', at, end))
      at = end + 1
    }
  const reading = readJson(`{${kept.join(',')}}`)
  return reading.ok ? reading.tree : jsonObject([])
}

/** Where the last quote stands of the string that begins there. */
function endOfString(text: Uint8Array, from: number): number {
  let at = from + 1
  for (; at < text.length && text[at] !== quote; at += 1) if (text[at] === backslash) at += 1
  return at
}

/** Where the comma or bracket stands behind the value that begins there. */
function endOfValue(text: Uint8Array, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const code = text[at] ?? 0
    if (code === quote) at = endOfString(text, at)
    else if (code === openObject || code === openArray) depth += 1
    else if ((code === comma || code === closeObject || code === closeArray) && depth === 0) return at
    else if (code === closeObject || code === closeArray) depth -= 1
  }
  return text.length
}
