/**
 * Request parameters as PHP and MediaWiki read them: `+` is a space, the last duplicate wins, names lose
 * what PHP variables cannot hold. Sources: PHP manual "Variables From External Sources"; spec, Conventions.
 */
import { getOrAdd } from '../../text/group-by.ts'

/** Parameters in the order of their first appearance. A Map, so that `__proto__` is a name like any other. */
export type Params = ReadonlyMap<string, string>

/** Names with their values. */
export type ParamPairs = readonly (readonly [name: string, value: string])[]

/** Reads a query string or a urlencoded body. @param text one character a byte (latin1), as Node hands over URLs */
export function parseUrlencoded(text: string): Map<string, string> {
  return collectLikePhp(
    text.split('&').map((pair) => {
      const cut = pair.indexOf('=')
      return cut < 0
        ? [percentDecode(pair), '']
        : [percentDecode(pair.slice(0, cut)), percentDecode(pair.slice(cut + 1))]
    })
  )
}

/** PHP's default `max_input_vars`: how a wiki treats further variables is unknown. */
export const maxVariables = 1000

/** True where PHP would not read all of the text. Stops at the first variable that is too many. */
export function hasTooManyVariables(text: string): boolean {
  if (text.length < 2 * maxVariables) return false
  const variables = text.matchAll(/[^&]+/g)
  for (let found = 0; found < maxVariables; found += 1)
    if (variables.next().done) return false
  return variables.next().done !== true
}

/** What PHP makes of names and values, each decoded, in the order sent. */
export function collectLikePhp(
  pairs: Iterable<readonly [name: string, value: string]>
): Map<string, string> {
  const params = new Map<string, string>()
  const arrays = new Map<string, Set<string>>()
  for (const [sent, value] of pairs) {
    const name = phpName(sent)
    const bracket = name.indexOf('[')
    const stem = variableName(name)
    if (name === '') continue
    // A value replaces an array of that name and the other way round; an array's values add up.
    if (bracket < 0) {
      for (const member of arrays.get(stem) ?? []) params.delete(member)
      arrays.delete(stem)
      params.set(name, value)
    } else {
      params.delete(stem)
      getOrAdd(arrays, stem, () => new Set()).add(name)
      const earlier = params.get(name)
      params.set(name, earlier === undefined ? value : earlier + unitSeparator + value)
    }
  }
  return params
}

/**
 * Body parameters come before those of the URL and win over them, an array as one (MediaWiki's `$_POST + $_GET`, whose
 * keys are what stands before a bracket).
 */
export function mergeParams(body: Params, query: Params): Map<string, string> {
  const merged = new Map(body)
  const posted = new Set([...body.keys()].map(variableName))
  for (const [name, value] of query)
    if (!posted.has(variableName(name))) merged.set(name, value)
  return merged
}

/** The name of the variable that PHP makes of it: of a list, without its brackets. */
export const variableName = (name: string): string => {
  const bracket = name.indexOf('[')
  return bracket < 0 ? name : name.slice(0, bracket)
}

/** Leading spaces fall away, a NUL ends the name, spaces and dots become `_` outside of `[…]`. Empty: PHP drops it. */
export function phpName(name: string): string {
  if (/^[\w-]*$/.test(name)) return name
  const cut = name.split('\0', 1)[0] ?? ''
  const trimmed = cut.replace(/^ +/, '')
  const bracket = trimmed.indexOf('[')
  if (bracket === 0) return ''
  if (bracket < 0 || !trimmed.includes(']', bracket))
    return trimmed.replace(/[ .[]/g, '_')
  return trimmed.slice(0, bracket).replace(/[ .]/g, '_') + trimmed.slice(bracket)
}

function percentDecode(text: string) {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!/[%\u0080-\u00ff]/.test(spaced)) return spaced
  if (/[\u0080-\u00ff]/.test(spaced)) return decodePercentBytes(spaced)
  try {
    return decodeURIComponent(spaced)
  } catch {
    return decodePercentBytes(spaced)
  }
}

/** By a loop: a posted text of megabytes is nearly all escapes, for which a pattern takes a second. */
function decodePercentBytes(spaced: string) {
  const bytes = Buffer.from(spaced, 'latin1')
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const high = bytes[at] === percent ? hexDigit(bytes[at + 1]) : -1
    const low = high < 0 ? -1 : hexDigit(bytes[at + 2])
    bytes[length] = low < 0 ? (bytes[at] ?? 0) : high * 16 + low
    if (low >= 0) at += 2
    length += 1
  }
  return decodeUtf8Lossless(bytes.subarray(0, length))
}

const percent = 0x25

/** -1 for any other character. */
function hexDigit(code = 0) {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** Text out of its bytes. @param bytes one character a byte (latin1) */
export const decodeBytes = (bytes: string): string =>
  decodeUtf8Lossless(Buffer.from(bytes, 'latin1'))

function decodeUtf8Lossless(raw: Buffer) {
  const decoded = raw.toString('utf8')
  return decoded.includes('\ufffd') ? decodeInvalidUtf8(raw, decoded) : decoded
}

/** Bytes that are not UTF-8 become lone surrogates U+DC80…U+DCFF, so that different bytes stay different. */
function decodeInvalidUtf8(raw: Buffer, decoded: string) {
  if (Buffer.from(decoded).equals(raw)) return decoded
  return raw.toString('latin1').replace(utf8Character, (bytes) => {
    const letter = Buffer.from(bytes, 'latin1')
    const text = letter.toString('utf8')
    if (Buffer.from(text).equals(letter)) return text
    return String.fromCharCode(...[...letter].map((byte) => 0xdc00 + byte))
  })
}

/** The bytes of one character beyond ASCII, as far as their first ones tell, or a byte that begins none. */
const utf8Character =
  /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g

const uncleanCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

/** False for a value that draws a warning: not UTF-8, not NFC, or with control characters. */
export const isClean = (value: string): boolean =>
  !uncleanCharacters.test(value) &&
  value.isWellFormed() &&
  value.normalize('NFC') === value

/** U+001F in front says that values are separated by U+001F rather than by `|`. */
const unitSeparator = '\u001f'

/** Splits a multi-valued parameter in either form. An empty value has no members. Source: ParamValidator::explodeMultiValue */
export function splitValues(value: string): readonly string[] {
  if (value === '' || value === unitSeparator) return []
  return value.startsWith(unitSeparator)
    ? value.slice(1).split(unitSeparator)
    : value.split('|')
}

/** The values of one parameter; none if it was not sent. */
export const valuesOf = (params: Params, name: string): readonly string[] =>
  splitValues(params.get(name) ?? '')

export const withoutParams = (params: Params, ...names: readonly string[]): Params =>
  new Map([...params].filter(([name]) => !names.includes(name)))

/** True where a parameter of several has this value, or `*`, which in MediaWiki stands for all of them. */
export const hasValue = (values: string | undefined, value: string): boolean =>
  splitValues(values ?? '').some((one) => one === value || one === '*')

/** Joins values again; the U+001F form is used only where a member holds a `|`. */
export function joinValues(values: readonly string[]): string {
  return values.some((value) => value.includes('|'))
    ? unitSeparator + values.join(unitSeparator)
    : values.join('|')
}

/** Spells parameters as a query string, readable where URLs allow it: `titles=А|Б` stays `titles=%D0%90|%D0%91`. */
export const writeQuery = (params: Iterable<readonly [string, string]>): string =>
  [...params]
    .map(([name, value]) => `${encodeReadable(name)}=${encodeReadable(value)}`)
    .join('&')

/** Lone surrogates are bytes that were not UTF-8 (see `parseUrlencoded`): they are written as those bytes again. */
const encodeReadable = (text: string) =>
  text
    .split(/((?<![\ud800-\udbff])[\udc80-\udcff])/)
    .map((part, at) =>
      at % 2 === 0 ? encodeText(part) : `%${(part.charCodeAt(0) - 0xdc00).toString(16)}`
    )
    .join('')

const encodeText = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replace(/%(7C|3A|2F|2C)/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16))
  )

/** True for a title that every wiki takes, in any namespace. */
export const isPlainTitle = (value: string): boolean =>
  /^\p{L}[\p{L}\p{N} ]{0,60}$/u.test(value)
