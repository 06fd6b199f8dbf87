/** A JSON value made compact in one pass over its bytes, without a tree: for answers that are served as they were recorded. */
import { defaultLimits } from './tokenizer.ts'

interface CompactJson {
  /** The value as `writeCompact` writes its tree in UTF-8, members in the order and numbers in the spelling of the source. */
  readonly bytes: Buffer
  /** Offset behind the value in the source. */
  readonly end: number
}

const space = 0x20
const quote = 0x22
const comma = 0x2c
const slash = 0x2f
const openArray = 0x5b
const backslash = 0x5c
const closeArray = 0x5d
const letterU = 0x75
const openObject = 0x7b
const closeObject = 0x7d
/** First byte of U+2028 and U+2029. */
const lineSeparator = 0xe2

/** Escapes with digits that `writeCompact` writes, too. */
const usualEscape = /^\\u(?:00(?:0[0-7bef]|1[0-9a-f])|202[89])$/

/**
 * Does not check that it is JSON: `JSON.parse` of the source from `start` to `end` does.
 * @param start of an object or array in UTF-8
 * @returns undefined for anything else, and for a value that is nested deeper, or has more values, than `readJson` takes,
 * or a string in another spelling than `writeCompact` gives it
 */
export function compactJson(source: Uint8Array, start: number): CompactJson | undefined {
  const bytes = Buffer.allocUnsafe(source.length - start)
  let length = 0
  let depth = 0
  let values = 0
  for (let at = start; at < source.length; ) {
    const byte = source[at++] ?? space
    if (byte <= space) continue
    bytes[length++] = byte
    if (byte === quote) {
      const end = copyString(source, at, bytes, length)
      if (end === undefined) return undefined
      length += end - at
      at = end
    } else if (byte === comma) values += 1
    else if (byte === openObject || byte === openArray) {
      depth += 1
      // Itself, and the first value in it.
      values += 2
      if (depth > defaultLimits.maxDepth) return undefined
    } else if (byte === closeObject || byte === closeArray) {
      depth -= 1
      if (depth === 0 && values <= defaultLimits.maxValues)
        return { bytes: unpooled(bytes.subarray(0, length)), end: at }
    }
    if (depth === 0) return undefined
  }
  return undefined
}

/** The same bytes for themselves: of a pooled buffer that stays in a cache, the whole pool stays. */
function unpooled(bytes: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  return copy
}

/**
 * Copies a string from behind its first quote on.
 * @returns the offset behind its last; undefined where it does not end, or `writeCompact` spells it otherwise
 */
function copyString(source: Uint8Array, from: number, bytes: Buffer, to: number): number | undefined {
  let length = to
  for (let at = from; at < source.length; ) {
    const byte = source[at++] ?? quote
    bytes[length++] = byte
    if (byte === quote) return at
    if (byte === backslash) {
      const escaped = source[at] ?? quote
      if (escaped === slash || (escaped === letterU && !isUsualEscape(source, at - 1))) return undefined
      bytes[length++] = escaped
      at += 1
    } else if (byte === lineSeparator && source[at] === 0x80 && (source[at + 1] ?? 0) >> 1 === 0x54)
      return undefined
  }
  return undefined
}

const isUsualEscape = (source: Uint8Array, at: number): boolean =>
  usualEscape.test(String.fromCharCode(...source.subarray(at, at + 6)))
