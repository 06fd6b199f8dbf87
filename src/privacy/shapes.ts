/**
 * Secrets and addresses that show what they are, wherever they stand. Every pattern here runs in linear time: runs are
 * entered at their beginning only, or have a bound.
 */
import { isPlaceholder } from './secret.ts'

/** `+` and `\` as themselves, percent-encoded (once or twice), as HTML entities, and as JSON escapes. */
const plus = String.raw`(?:\+|%(?:25)?2B|&#43;|&#x2B;|&plus;|\\u002b)`
const backslash = String.raw`(?:\\|%(?:25)?5C|&#92;|&#x5C;|&bsol;)`

/** Where a token ends; its digits are looked for only in front of this. */
const tokenSuffix = new RegExp(`(?<=[0-9a-f]{8})${plus}${backslash}`, 'gi')

/** The digits of one token in a text. */
export interface TokenDigits {
  readonly digits: string
  readonly start: number
}

/**
 * The digits of every token in a text that is no placeholder: HMAC-MD5 and (since 1.24) a time in hex, before `+\` in
 * any spelling. They are counted back from the suffix, since an escape in front ends in digits as well (`token%3D…`).
 * Source: includes/session/Token.php (1.27 and later), User::getEditTokenAtTimestamp (before).
 */
export function tokensIn(text: string): readonly TokenDigits[] {
  return [...text.matchAll(tokenSuffix)].flatMap(({ index }) => {
    const digits = /(?:[0-9a-f]{8})?[0-9a-f]{32}$/i.exec(text.slice(Math.max(0, index - 40), index))?.[0]
    if (digits === undefined || isPlaceholder(digits)) return []
    return [{ digits, start: index - digits.length }]
  })
}

/**
 * Session ids and generated passwords of MediaWiki: 32 digits of base 32, with both kinds of characters that neither
 * a number nor a hex digest has. Sources: SessionManager::generateSessionId, PasswordFactory::generateRandomPasswordString.
 */
export const generatedShape: RegExp =
  /(?<![\w.+/-])(?=\w{0,31}[g-v])(?=\w{0,28}\d\w{0,28}\d\w{0,28}\d)[0-9a-v]{32}(?![\w.+/=-])/g

const v4 = String.raw`(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?!\w|\.\d)`
const v6 = String.raw`(?<![\w.]|[0-9A-Fa-f]:)(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{1,4}(?![\w:])`
const anyAddress = new RegExp(`${v4}|${v6}`, 'g')

/** True where the whole value is an IP address, in any of MediaWiki's spellings. */
export function isAddress(value: string): boolean {
  if (value.length > 45) return false
  const [found] = value.match(anyAddress) ?? []
  return found === value && (value.includes('.') || value.includes('::') || value.split(':').length === 8)
}

/** Loopback addresses tell nothing about anybody. */
export const isLoopback = (address: string): boolean =>
  address.startsWith('127.') || /^(?:0{0,4}:){2,7}0{0,3}1$/.test(address)

/** The addresses in a text that may be somebody's. */
export const addressesIn = (text: string): readonly string[] =>
  (text.match(anyAddress) ?? []).filter((one) => isAddress(one) && !isLoopback(one) && !isPlaceholder(one))

/**
 * A pair of a query string or form: after `?`, `&`, `&amp;` or `#`. The value ends where HTML or prose goes on, or
 * where the query string of a URL inside of it begins.
 */
export const queryPair: RegExp =
  /(?<=[?&;#])([\w.%[\]-]{1,64})=((?:[^?&;#\s"'<>]|\?(?![\w.%[\]-]{1,64}=)){1,8192})/g

/** Percent- and plus-decoding that never throws. */
export function decodeQuery(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
