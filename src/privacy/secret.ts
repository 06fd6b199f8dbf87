/**
 * What a secret is, what stands in its place in a cassette, and which secrets are distinctive enough to be searched.
 *
 * A placeholder depends on the kind of the secret and on its shape, never on its characters or on the moment: tokens
 * and session ids differ at every run, and yet recording an unchanged wiki twice must give the same files.
 */

/** `token` and `session` are made by the wiki, `address` is the caller's own IP address. */
export type SecretKind = 'token' | 'session' | 'cookie' | 'oauth' | 'password' | 'email' | 'address'

/** A value that must not reach a disk. */
export interface Secret {
  readonly kind: SecretKind
  readonly value: string
  /** Where it was met, for messages: `csrftoken`, `cookie wiki_session`, `lgpassword`. */
  readonly source: string
}

/** The token of every anonymous session: public, and meaningful as it is. */
export const anonymousToken = '+\\'

/** Stands for "the present Unix time"; replay puts the time of the replay there (`LoggedOut` cookies). */
export const nowPlaceholder = '(now)'

const emailPlaceholder = 'redacted@example.invalid'
/** Addresses set aside for documentation (RFC 5737, RFC 3849), in MediaWiki's spelling. */
const addressPlaceholders = { v4: '192.0.2.1', v6: '2001:DB8:0:0:0:0:0:1' } as const

/** `0000…0000+\` for tokens, zeros for other hex digits, `redacted-<kind>` where the shape means nothing. */
export function placeholderFor(kind: SecretKind, value: string): string {
  if (kind === 'email') return emailPlaceholder
  if (kind === 'address') return value.includes(':') ? addressPlaceholders.v6 : addressPlaceholders.v4
  const digits = /^([0-9a-f]{16,128})(\+\\)?$/.exec(value)
  if (digits === null) return `redacted-${kind}`
  return '0'.repeat(digits[1]?.length ?? 0) + (digits[2] ?? '')
}

const constant: ReadonlySet<string> = new Set([
  nowPlaceholder,
  '(token)',
  '(secret)',
  '(empty)',
  '(anonymous token)',
  emailPlaceholder,
  ...Object.values(addressPlaceholders),
])

/**
 * True for what `placeholderFor` makes and for what request keys say of secrets (`tokenKind`): replay accepts it back,
 * `check` does not report it.
 */
export const isPlaceholder = (value: string): boolean =>
  constant.has(value) ||
  /^0{16,128}(?:\+\\)?$/.test(value) ||
  /^redacted-(?:token|session|cookie|oauth|password)$/.test(value)

/** Words that the API says itself: a password like these cannot be told from its documentation. */
const apiWords: ReadonlySet<string> = new Set(['password', 'retype', 'secret', 'username', 'token'])

/**
 * True where finding the value somewhere cannot be chance. Passwords and e-mail addresses count from 6 characters
 * on; what a program made, from 12 on with two digits, four letters and eight different characters (a cookie may say
 * `visualeditor` or hold a date). Plain numbers never count: they are user ids and times.
 */
export function isDistinctive({ kind, value }: Secret): boolean {
  if (isPlaceholder(value) || /^\d*$/.test(value)) return false
  if (kind === 'address') return true
  if (kind === 'password') return value.length >= 6 && !apiWords.has(value.toLowerCase())
  if (kind === 'email') return value.length >= 6 && value.includes('@')
  return value.length >= 12 && /\d.*\d/s.test(value) && lettersIn(value) >= 4 && variety(value) >= 8
}

const lettersIn = (value: string): number => value.slice(0, 256).replace(/\P{L}+/gu, '').length
const variety = (value: string): number => new Set(value.slice(0, 64)).size

/**
 * True where a value looks made by a machine: a token, a long hex number, or 16 and more characters with letters
 * and digits well mixed. Words, prose and source code do not pass.
 */
export function looksRandom(value: string): boolean {
  if (value.length < 16 || value.length > 8192 || isPlaceholder(value)) return false
  if (/^[0-9a-f]{16,128}(?:\+\\?)?$/.test(value)) return variety(value) >= 6
  if (!/^[\w.~+/=:%@!\\-]+$/.test(value)) return false
  const digits = value.replace(/\D+/g, '').length
  return digits >= 2 && digits < value.length - 2 && entropy(value.slice(0, 256)) >= 3.2
}

/** Shannon's entropy, in bits a character. */
function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}
