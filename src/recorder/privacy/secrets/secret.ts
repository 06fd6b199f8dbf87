/**
 * Secrets, their placeholders in a cassette, how a secret is searched for, and the shapes of tokens, generated secrets and
 * IP addresses. A placeholder depends only on the kind and the shape of the secret, so that recording an unchanged wiki
 * twice gives the same files. Each pattern takes linear time.
 */
import { changesIn, isRandom } from '../../request/secret-params.ts'
import { wordSet } from '../../text/words.ts'

/** `token` and `session` are made by the wiki, `address` is the caller's own IP address. */
export type SecretKind =
  | 'token'
  | 'session'
  | 'cookie'
  | 'oauth'
  | 'password'
  | 'email'
  | 'address'

/** A value that must not be written to disk. */
export interface Secret {
  readonly kind: SecretKind
  readonly value: string
  /** Where it was found, for messages: `csrftoken`, `cookie wiki_session`, `lgpassword`. */
  readonly source: string
}

/** The token of every anonymous session: no secret. */
export const anonymousToken = '+\\'

/** Placeholder of the Unix time in `LoggedOut` cookies, for which replay puts the current time. */
export const nowPlaceholder = '(now)'

export const emailPlaceholder = 'redacted@example.invalid'
/** Documentation addresses (RFC 5737, RFC 3849), in MediaWiki's spelling. */
const addressPlaceholders = { v4: '192.0.2.1', v6: '2001:DB8:0:0:0:0:0:1' } as const

/** `0000…0000+\` for tokens, zeros for other hex digits, `redacted-<kind>` where the shape means nothing. */
export function placeholderFor(kind: SecretKind, value: string): string {
  if (kind === 'email') return emailPlaceholder
  if (kind === 'address')
    return value.includes(':') ? addressPlaceholders.v6 : addressPlaceholders.v4
  const digits = /^([0-9a-f]{16,128})(\+\\)?$/.exec(value)
  if (digits === null) return `redacted-${kind}`
  return '0'.repeat(digits[1]?.length ?? 0) + (digits[2] ?? '')
}

const fixedPlaceholders: ReadonlySet<string> = new Set([
  nowPlaceholder,
  '(token)',
  '(secret)',
  '(empty)',
  '(anonymous token)',
  emailPlaceholder,
  ...Object.values(addressPlaceholders),
  // In canonical form.
  '2001:db8::1'
])

/** True for placeholders, of secrets and of tokens in request keys: replay accepts them, `check` does not report them. */
export const isPlaceholder = (value: string): boolean =>
  fixedPlaceholders.has(value) ||
  /^(?:0{16,128}(?:\+\\)?|redacted-(?:token|session|cookie|oauth|password))$/.test(value)

/** Values that programs send in place of a secret, and that may stand in any text. */
const commonWords = wordSet(
  'password retype secret username token true false null none undefined anonymous csrf login patrol watch edit rollback ' +
    'user test admin redacted deleted'
)

/**
 * How a secret is searched for: `anywhere` where a match cannot be chance, else as a whole `word`, or as a whole `value`.
 * Generated values are searched for anywhere: 12 characters and more with two digits, four letters and eight different
 * characters; passwords and e-mail addresses from 6 characters on. Shorter values and numbers only count as whole values.
 * Cookies that do not look random are settings (`visualeditor`, the last page). Undefined: not
 * searched for. What people wrote is searched for fewer: `isFoundInContent`.
 */
export function searchModeOf({
  kind,
  value,
  source
}: Secret): 'anywhere' | 'word' | 'value' | undefined {
  if (isPlaceholder(value) || commonWords.has(value.toLowerCase())) return undefined
  if (kind === 'email')
    return value.length >= 6 && value.includes('@') ? 'word' : undefined
  if (kind === 'address') return 'word'
  const isNumber = /^\d*$/.test(value)
  const letters = value.slice(0, 256).replace(/\P{L}+/gu, '').length
  const distinct = new Set(value.slice(0, 64)).size
  const isGenerated =
    value.length >= 12 && /\d.*\d/s.test(value) && letters >= 4 && distinct >= 8
  if (kind === 'cookie' && !/token$/i.test(source))
    return looksRandom(value) ? 'anywhere' : undefined
  if (kind !== 'password' && isGenerated) return 'anywhere'
  if (isNumber || value.length < 6) return value.length >= 4 ? 'value' : undefined
  return kind === 'password' && !/^\p{L}+$/u.test(value) ? 'anywhere' : 'word'
}

/** Source of an address of this machine: the wiki has not said that it is the caller's. */
export const ownMachine = 'this machine'

/** Headers with the contact of a program, which is public. */
const contactHeaders = /^(?:from|user-agent|api-user-agent)$/

/**
 * True for a secret that no text of an article contains by chance: one that changes between letters and digits, or cases, as
 * no word does; the caller's own public address and private e-mail.
 */
export function isFoundInContent({ kind, value, source }: Secret): boolean {
  if (kind === 'address') return source !== ownMachine && !isPrivateAddress(value)
  if (kind === 'email') return !contactHeaders.test(source)
  return value.length >= 8 && changesIn(value) >= 2
}

/** Addresses that many have: they identify nobody. Sources: RFC 1918, RFC 4193, RFC 3927, RFC 4291, RFC 6598. */
function isPrivateAddress(address: string) {
  const canonical = canonicalAddress(address) ?? address
  return /^(?:10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|f[cd]|fe[89ab])/.test(
    canonical
  )
}

/** True where a match cannot be chance. */
export function isDistinctive(secret: Secret): boolean {
  const search = searchModeOf(secret)
  return (
    search === 'anywhere' ||
    (search === 'word' && /^(?:address|email|password)$/.test(secret.kind))
  )
}

/** True where a value looks generated: not for words, prose, source code and placeholders. */
export const looksRandom = (value: string): boolean =>
  isRandom(value) && !isPlaceholder(value)

/** `+` and `\` as themselves, percent-encoded (once or twice), as HTML entities, and as JSON escapes. */
const plus = String.raw`(?:\+|%(?:25)?2B|&#43;|&#x2B;|&plus;|\\u002b)`
const backslash = String.raw`(?:\\|%(?:25)?5C|&#92;|&#x5C;|&bsol;)`

/** The end of a token. */
const tokenSuffix = new RegExp(`(?<=[0-9a-f]{8})${plus}${backslash}`, 'gi')

/**
 * The digits of every token in a text, placeholders excepted: HMAC-MD5 and (since 1.24) a time in hex, before `+\` in any
 * spelling. They are counted back from the suffix, since an escape in front may end in digits too (`token%3D…`).
 * Source: includes/session/Token.php (1.27 and later), User::getEditTokenAtTimestamp (before).
 */
export function tokensIn(
  text: string
): readonly { readonly digits: string; readonly start: number }[] {
  return [...text.matchAll(tokenSuffix)].flatMap(({ index }) => {
    const digits = /(?:[0-9a-f]{8})?[0-9a-f]{32}$/i.exec(
      text.slice(Math.max(0, index - 40), index)
    )?.[0]
    if (digits === undefined || isPlaceholder(digits)) return []
    return [{ digits, start: index - digits.length }]
  })
}

/** True where the whole value is a token of MediaWiki. */
export const isWholeToken = (value: string): boolean =>
  value.endsWith('+\\') &&
  /^[0-9a-f]{32}(?:[0-9a-f]{8})?\+\\$/.test(value) &&
  !isPlaceholder(value)

/** Session ids and generated passwords: base 32, with letters that are no hex. Source: SessionManager, PasswordFactory */
export const generatedSecret: RegExp =
  /(?<![\w.+/-])(?=\w{0,31}[g-v])(?=\w{0,28}\d\w{0,28}\d\w{0,28}\d)[0-9a-v]{32}(?![\w.+/=-])/g

/** An address may follow a percent-escape. */
const addressStart = String.raw`(?:(?<![\w.])|(?<=%[0-9A-Fa-f]{2}))`
const v4 = String.raw`${addressStart}(?:\d{1,3}\.){3}\d{1,3}(?!\w|\.\d)`
const colon = '(?::|%3[Aa])'
/** A namespace may stand in front (`User:2001:…`), another group may not. One colon begins none. */
const v6Start = String.raw`(?!${colon}(?!${colon}))(?<!:(?=:)|(?<![\w\u0080-\uffff])[0-9A-Fa-f]{1,4}${colon})`
const v6 = String.raw`${addressStart}${v6Start}(?=[0-9A-Fa-f]{0,4}${colon}(?:[0-9A-Fa-f]|${colon}))(?:[0-9A-Fa-f]{0,4}${colon}){2,8}(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9A-Fa-f]{1,4})?(?!\w|:\w)`
/** What may begin one is looked at first: most characters cannot. */
const anyAddress = new RegExp(`(?=[0-9A-Fa-f:%])(?:${v6}|${v4})`, 'g')
/** Four numbers, an abbreviated group, or at least six groups: a text with times of day holds none of these. */
const mayHoldAddress = new RegExp(
  String.raw`\.\d{1,3}\.\d{1,3}\.\d|${colon}(?:${colon}|(?:[0-9A-Fa-f]{1,4}${colon}){5})`
)
const wholeAddress = /^(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9A-Fa-f:.]{2,45})$/

/** True where the whole value is an IP address, in any spelling. */
export const isAddress = (value: string): boolean =>
  wholeAddress.test(value) && canonicalAddress(value) !== undefined

/** IPv4 without leading zeros, IPv6 as in RFC 5952, IPv4 in IPv6 as IPv4; undefined where the text is no address. */
export function canonicalAddress(text: string): string | undefined {
  const v4 =
    text.startsWith('::ffff:') || text.startsWith('::FFFF:') ? text.slice(7) : text
  if (/^(?:\d{1,3}\.){3}\d{1,3}$/.test(v4)) {
    const bytes = v4.split('.').map(Number)
    return bytes.every((byte) => byte < 256) ? bytes.join('.') : undefined
  }
  const url = `http://[${text}]`
  return text.includes(':') && URL.canParse(url)
    ? new URL(url).hostname.slice(1, -1)
    : undefined
}

/** Loopback addresses are no secrets. */
export function isLocalAddress(address: string): boolean {
  const canonical = canonicalAddress(address) ?? address
  return canonical.startsWith('127.') || ['0.0.0.0', '::', '::1'].includes(canonical)
}

/** The addresses in a text that may identify somebody, as spelled. */
export function addressesIn(text: string): readonly string[] {
  const found: string[] = []
  mapAddresses(text, (spelled, canonical) => {
    if (!isLocalAddress(canonical) && !isPlaceholder(canonical)) found.push(spelled)
    return spelled
  })
  return found
}

/** The text with each address replaced by the result of `change`. */
export function mapAddresses(
  text: string,
  change: (spelled: string, canonical: string) => string
): string {
  if (!mayHoldAddress.test(text)) return text
  return text.replace(anyAddress, (spelled) => {
    const canonical = canonicalAddress(spelled.replace(/%3a/gi, ':'))
    return canonical === undefined ? spelled : change(spelled, canonical)
  })
}

/** A pair of a query string. The value ends where HTML or prose continues, or where the query of a URL inside begins. */
export const queryPair: RegExp =
  /(?<=[?&;#])([\w.%[\]-]{1,64})=((?:[^?&;#\s"'<>]|\?(?![\w.%[\]-]{1,64}=)){1,8192})/g
