/**
 * Secrets, their placeholders in a cassette, and how a secret is searched for. A placeholder depends only on the kind and the
 * shape of the secret, so that recording an unchanged wiki twice gives the same files.
 */
import { looksRandom as isRandom } from '../../request/secret-params.ts'
import { wordSet } from '../../text/words.ts'

/** `token` and `session` are made by the wiki, `address` is the caller's own IP address. */
export type SecretKind = 'token' | 'session' | 'cookie' | 'oauth' | 'password' | 'email' | 'address'

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

const emailPlaceholder = 'redacted@example.invalid'
/** Documentation addresses (RFC 5737, RFC 3849), in MediaWiki's spelling. */
const addressPlaceholders = { v4: '192.0.2.1', v6: '2001:DB8:0:0:0:0:0:1' } as const

/** `0000…0000+\` for tokens, zeros for other hex digits, `redacted-<kind>` where the shape means nothing. */
export function placeholderFor(kind: SecretKind, value: string): string {
  if (kind === 'email') return emailPlaceholder
  if (kind === 'address') return value.includes(':') ? addressPlaceholders.v6 : addressPlaceholders.v4
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
  '2001:db8::1',
])

/** True for placeholders, of secrets and of tokens in request keys: replay accepts them, `check` does not report them. */
export const isPlaceholder = (value: string): boolean =>
  fixedPlaceholders.has(value) ||
  /^(?:0{16,128}(?:\+\\)?|redacted-(?:token|session|cookie|oauth|password))$/.test(value)

/** Values that programs send in place of a secret, and that may stand in any text. */
const commonWords = wordSet(
  'password retype secret username token true false null none undefined anonymous csrf login patrol watch edit rollback ' +
    'user test admin redacted deleted',
)

/**
 * How a secret is searched for: `anywhere` where a match cannot be chance; `word` as a whole word; `value` as a whole value,
 * since it is short or a number.
 */
export type SecretSearchMode = 'anywhere' | 'word' | 'value'

/**
 * Generated values are searched for anywhere: 12 characters and more with two digits, four letters and eight different
 * characters; passwords and e-mail addresses from 6 characters on. Shorter values and numbers only count as whole values.
 * Short cookies are settings (`visualeditor`, a date). Undefined: not searched for.
 */
export function searchModeOf({ kind, value }: Secret): SecretSearchMode | undefined {
  if (isPlaceholder(value) || commonWords.has(value.toLowerCase())) return undefined
  if (kind === 'email') return value.length >= 6 && value.includes('@') ? 'word' : undefined
  if (kind === 'address') return 'word'
  const isNumber = /^\d*$/.test(value)
  const letters = value.slice(0, 256).replace(/\P{L}+/gu, '').length
  const distinct = new Set(value.slice(0, 64)).size
  const isGenerated = value.length >= 12 && /\d.*\d/s.test(value) && letters >= 4 && distinct >= 8
  if (kind !== 'password' && isGenerated) return 'anywhere'
  if (kind === 'cookie') return undefined
  if (isNumber || value.length < 6) return value.length >= 4 ? 'value' : undefined
  return kind === 'password' && !/^\p{L}+$/u.test(value) ? 'anywhere' : 'word'
}

/** True where a match cannot be chance. */
export function isDistinctive(secret: Secret): boolean {
  const search = searchModeOf(secret)
  return search === 'anywhere' || (search === 'word' && /^(?:address|email|password)$/.test(secret.kind))
}

/** True where a value looks generated: not for words, prose, source code and placeholders. */
export const looksRandom = (value: string): boolean => isRandom(value) && !isPlaceholder(value)
