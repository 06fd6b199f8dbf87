/**
 * The spellings in which one value travels: plain, percent-encoded, as form data, in JSON, in HTML, in base64; and escapes
 * undone, however deep they are nested. Texts and the values that are searched in them are unescaped alike, so that a
 * value is found in any spelling.
 */
import { jsonString } from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { escapeHtml } from '../../wiki/answers/envelope.ts'

type SpellingFunction = (value: string) => string

const percent: SpellingFunction = (value) => encodeURIComponent(value.toWellFormed())
/** As PHP's rawurlencode and RFC 3986 have it. */
const percentStrict: SpellingFunction = (value) =>
  percent(value).replace(/[!'()*]/g, percentByte)
const percentByte = (character: string) =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`
const json: SpellingFunction = (value) =>
  writeCompact(jsonString(value), 'utf8').slice(1, -1)
const jsonAscii: SpellingFunction = (value) =>
  writeCompact(jsonString(value), 'ascii').slice(1, -1)
const unicodeEscape = (unit: string) =>
  `\\u00${unit.charCodeAt(0).toString(16).toUpperCase()}`

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
  (value) => escapeHtml(value).replaceAll("'", '&#39;').replaceAll('+', '&#43;')
]

/** Every spelling once, the plain one first. (Nested spellings are found in the unescaped text.) */
export function spellingsOf(value: string): readonly string[] {
  if (/^[A-Za-z0-9]*$/.test(value)) return [value]
  return [...new Set(allSpellings.map((spell) => spell(value)))]
}

/** Each spelling of a value with the same spelling of its replacement, the longest first. */
export function spellingReplacements(
  from: string,
  to: string
): readonly (readonly [string, string])[] {
  const pairs = new Map<string, string>()
  for (const spell of allSpellings) getOrAdd(pairs, spell(from), () => spell(to))
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
      .slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6))
  )
  return [
    ...new Set(
      spelled.flatMap((one) => [one, one.replaceAll('+', '-').replaceAll('/', '_')])
    )
  ]
}

/** The bytes in hex, in lower and upper case. */
export function hexSpellings(value: string): readonly string[] {
  const hex = Buffer.from(value, 'utf8').toString('hex')
  return [...new Set([hex, hex.toUpperCase()])]
}

/** Runs are matched whole, so that the pattern takes linear time; up to a length for which V8's stack suffices. */
const escapePattern =
  /((?:%(?:25)*(?:u[0-9A-Fa-f]{4}|[0-9A-Fa-f]{2})){1,100000})|\\+(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2})|([nrtbf]))?|&(?:amp;)*(?:#(\d{1,7});?|#[xX]([0-9A-Fa-f]{1,6});?|(amp|lt|gt|quot|apos|plus|bsol|sol|nbsp|colon|commat|equals|percnt|num|lowbar|period|comma|excl|dollar|ast|lpar|rpar);)|\0+/g

/** Each with its character at the end. */
const entityList =
  'amp& lt< gt> quot" apos\' plus+ bsol\\ sol/ colon: commat@ equals= percnt% num# lowbar_ period. comma, excl! dollar$ ' +
  'ast* lpar( rpar)'
const namedEntities: ReadonlyMap<string, string> = new Map([
  ['nbsp', ' '],
  ...entityList
    .split(' ')
    .map((entity) => [entity.slice(0, -1), entity.slice(-1)] as const)
])

/** Escapes that are nested deeper stay. */
const maxDepth = 5

/** The text with percent-encoding, escapes of JSON and JavaScript and entities of HTML undone, and without NUL. */
export function undoEscapes(text: string): string {
  let folded = text
  for (let depth = 0; depth < maxDepth && /[%\\&\0]/.test(folded); depth += 1) {
    const next = folded.replace(escapePattern, decodeEscape)
    if (next === folded) return folded
    folded = next
  }
  return folded
}

/** A text of HTML with its entities decoded once. */
export const unescapeHtml = (text: string): string =>
  text.includes('&')
    ? text.replace(
        /&(?:#(\d{1,7})|([a-z]{2,6}));/g,
        (entity, decimal?: string, name = '') =>
          decimal === undefined
            ? (namedEntities.get(name) ?? entity)
            : fromPoint(Number(decimal))
      )
    : text

/** @param groups those of `escapePattern` */
function decodeEscape(whole: string, ...groups: readonly (string | undefined)[]) {
  const [percent, unit, point, byte, letter, decimal, hex, name] = groups
  if (percent !== undefined) return fromPercent(percent)
  if (unit !== undefined || byte !== undefined)
    return String.fromCharCode(Number.parseInt(unit ?? byte ?? '', 16)).replace('\0', '')
  if (letter !== undefined) return letter === 't' ? '\t' : '\n'
  const code = point ?? hex
  if (code !== undefined || decimal !== undefined)
    return fromPoint(code === undefined ? Number(decimal) : Number.parseInt(code, 16))
  if (name !== undefined) return namedEntities.get(name) ?? whole
  return ''
}

const fromPoint = (point: number) =>
  point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ''

/** Bytes of UTF-8, and the sixteen bits of JavaScript's old `escape`. */
function fromPercent(run: string) {
  if (!run.includes('u')) {
    const bytes = Buffer.from(run.replaceAll(/%(?:25)*(?=[0-9A-Fa-f]{2})/g, ''), 'hex')
    return bytes.toString('utf8').replaceAll('\0', '')
  }
  return run.replace(
    /%(?:25)*(?:u([0-9A-Fa-f]{4})|([0-9A-Fa-f]{2}))/g,
    (_, unit?: string, byte?: string) =>
      String.fromCharCode(Number.parseInt(unit ?? byte ?? '0', 16))
  )
}
