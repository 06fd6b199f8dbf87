/** Whether a text is spelled as `writeCompact` would spell it, found out without writing it anew. */
import { backslash, quote } from './tokens.ts'
import type { Spelling } from './write.ts'

/**
 * True only where reading the text and writing it compactly gives the same text; false where it does not, or where that
 * takes more than one look to know.
 * @param json a text that is JSON
 */
export function isCompact(json: string, spelling: Spelling): boolean {
  const ascii = spelling === 'ascii'
  let inString = false
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === quote) inString = !inString
    else if (code === backslash) {
      const length = escapeLength(json, at, ascii)
      if (length === 0) return false
      at += length - 1
    } else if (code >= 0x80) {
      if (ascii || (code >= 0x2028 && code <= 0x2029) || (code >= 0xd800 && code <= 0xdfff)) return false
    } else if (code <= 0x20 && !inString) return false
  }
  return true
}

const letterU = 0x75
/** What stands behind the backslash of a short escape. */
const short: ReadonlySet<number> = new Set([...'"\\bfnrt'].map((sign) => sign.charCodeAt(0)))

/** Characters of the escape that begins there; 0 where another spelling is the usual one, or may be. */
function escapeLength(json: string, at: number, ascii: boolean): number {
  const kind = json.charCodeAt(at + 1)
  if (kind !== letterU) return short.has(kind) ? 2 : 0
  let unit = 0
  for (let digit = at + 2; digit < at + 6; digit += 1) {
    const value = hexValue(json.charCodeAt(digit))
    if (value < 0) return 0
    unit = unit * 16 + value
  }
  const isEscaped = unit < 0x20 ? !hasShort(unit) : ascii ? unit >= 0x80 : unit === 0x2028 || unit === 0x2029
  return isEscaped ? 6 : 0
}

/** Small letters only. */
function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1
}

const hasShort = (unit: number): boolean =>
  unit === 0x08 || unit === 0x09 || unit === 0x0a || unit === 0x0c || unit === 0x0d
