/** One string token of JSON text, quotes included. */
interface StringToken {
  /** Behind the closing quote, or where the fault is. */
  readonly end: number
  /** True where it holds a backslash. */
  readonly escaped: boolean
  readonly fault: string | undefined
}

const quote = 0x22
const backslash = 0x5c
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** @param from offset of the opening quote. A loop, since a pattern would exhaust the stack at several megabytes. */
export function scanString(text: string, from: number): StringToken {
  let escaped = false
  let at = from + 1
  for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) {
    if (code === backslash && isEscape(text, at)) {
      escaped = true
      at += text[at + 1] === 'u' ? 6 : 2
    } else if (code >= 0x20 && code !== backslash) at += 1
    else if (at >= text.length) return { end: from, escaped, fault: 'unexpected end of string' }
    else
      return {
        end: at,
        escaped,
        fault: code === backslash ? 'invalid escape character' : 'invalid character in a string',
      }
  }
  return { end: at + 1, escaped, fault: undefined }
}

function isEscape(text: string, at: number): boolean {
  escapeSequence.lastIndex = at
  return escapeSequence.test(text)
}

/** What a string token says: `"a\u0062"` is `ab`. @param quoted as it stands in the text, quotes included */
export const stringIn = (quoted: string, escaped: boolean): string =>
  escaped ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
