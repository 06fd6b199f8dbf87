/** The spellings in which one value travels: plain, percent-encoded, as form data, in JSON, in HTML, in base64. */
import { jsonString } from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { escapeHtml } from '../../wiki/answers/envelope.ts'

type SpellingFunction = (value: string) => string

const percent: SpellingFunction = (value) => encodeURIComponent(value.toWellFormed())
/** As PHP's rawurlencode and RFC 3986 have it. */
const percentStrict: SpellingFunction = (value) => percent(value).replace(/[!'()*]/g, percentByte)
const percentByte = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
const json: SpellingFunction = (value) => writeCompact(jsonString(value), 'utf8').slice(1, -1)
const jsonAscii: SpellingFunction = (value) => writeCompact(jsonString(value), 'ascii').slice(1, -1)
const unicodeEscape = (unit: string): string => `\\u00${unit.charCodeAt(0).toString(16).toUpperCase()}`

const allSpellings: readonly SpellingFunction[] = [
  (value) => value,
  percent,
  percentStrict,
  (value) => percentStrict(value).replace(/%../g, (code) => code.toLowerCase()),
  // As forms and PHP's urlencode have it.
  (value) => percentStrict(value).replaceAll('%20', '+').replaceAll('~', '%7E'),
  // As browsers have it.
  (value) => new URLSearchParams([['', value]]).toString().slice(1),
  (value) => percent(value).replaceAll('%20', '+'),
  json,
  jsonAscii,
  // PHP's json_encode escapes `/`, and with the HEX flags the characters that matter in HTML.
  (value) => jsonAscii(value).replaceAll('/', '\\/'),
  (value) => json(value).replaceAll('/', '\\/'),
  (value) => jsonAscii(value).replace(/[<>&']/g, unicodeEscape),
  escapeHtml,
  (value) => escapeHtml(value).replaceAll("'", '&#039;'),
  (value) => escapeHtml(value).replaceAll("'", '&#39;').replaceAll('+', '&#43;'),
]

/** Every spelling once, the plain one first. (Nested spellings are found in the unescaped text.) */
export function spellingsOf(value: string): readonly string[] {
  if (/^[A-Za-z0-9]*$/.test(value)) return [value]
  return [...new Set(allSpellings.map((spell) => spell(value)))]
}

/** Each spelling of a value with the same spelling of its replacement, the longest first. */
export function spellingReplacements(
  value: string,
  replacement: string,
): readonly (readonly [string, string])[] {
  const pairs = new Map<string, string>()
  for (const first of allSpellings) {
    const from = first(value)
    if (!pairs.has(from)) pairs.set(from, first(replacement))
  }
  return [...pairs].sort(([a], [b]) => b.length - a.length)
}

/**
 * What base64 makes of a value inside of other bytes: one spelling for each of its three positions, without the characters at
 * both ends that depend on the neighbours; twice where base64url differs.
 */
export function base64Spellings(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'utf8')
  const spelled = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6)),
  )
  return [...new Set(spelled.flatMap((one) => [one, one.replaceAll('+', '-').replaceAll('/', '_')]))]
}

/** The bytes in hex, in lower and upper case. */
export function hexSpellings(value: string): readonly string[] {
  const hex = Buffer.from(value, 'utf8').toString('hex')
  return [...new Set([hex, hex.toUpperCase()])]
}
