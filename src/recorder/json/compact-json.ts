/** A JSON value made compact in one pass over its bytes, without a tree: for answers that are served as they were recorded. */
import { defaultLimits } from './tokenizer.ts'
import {
  bytesOfCharacter,
  escapeCharacter,
  maxAsciiGrowth,
  type Spelling
} from './write-json.ts'

interface CompactJson {
  /** The value as `writeCompact` writes its tree, members in the order and numbers in the spelling of the source. */
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
 * @param start of an object or array in UTF-8. @param spelling of the result
 * @returns undefined for anything else, and for a value that is nested deeper, or has more values, than `readJson` takes,
 * or a string in another spelling than `writeCompact` gives it
 */
export function compactJson(
  source: Uint8Array,
  start: number,
  spelling: Spelling
): CompactJson | undefined {
  const isAscii = spelling === 'ascii'
  const bytes = Buffer.allocUnsafe(
    (isAscii ? maxAsciiGrowth : 1) * (source.length - start)
  )
  let length = 0
  let depth = 0
  let values = 0
  let inString = false
  for (let at = start; at < source.length; ) {
    const byte = source[at] ?? space
    if (byte <= space && !inString) {
      at += 1
      continue
    }
    if (byte >= 0x80 && isAscii) {
      length = escapeCharacter(source, at, bytes, length)
      at += bytesOfCharacter(byte)
      continue
    }
    bytes[length++] = byte
    at += 1
    if (inString) {
      if (byte === quote) inString = false
      else if (byte === backslash) {
        if (!isUsualEscape(source, at - 1)) return undefined
        bytes[length++] = source[at++] ?? quote
      } else if (byte === lineSeparator && isLineSeparator(source, at)) return undefined
    } else if (byte === quote) inString = true
    else if (byte === comma) values += 1
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
function unpooled(bytes: Uint8Array) {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  return copy
}

/** @param at behind the first byte */
const isLineSeparator = (source: Uint8Array, at: number) =>
  source[at] === 0x80 && (source[at + 1] ?? 0) >> 1 === 0x54

/** @param at of the backslash */
function isUsualEscape(source: Uint8Array, at: number) {
  const escaped = source[at + 1]
  if (escaped !== letterU) return escaped !== slash
  return usualEscape.test(String.fromCharCode(...source.subarray(at, at + 6)))
}
