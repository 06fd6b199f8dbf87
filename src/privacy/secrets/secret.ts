/**
 * What a secret is, what stands in its place in a cassette, and which secrets are distinctive enough to be searched.
 *
 * A placeholder depends on the kind of the secret and on its shape, never on its characters or on the moment: tokens
 * and session ids differ at every run, and yet recording an unchanged wiki twice must give the same files.
 */
import { looksRandom as isRandom } from '../../request/looks-random.ts'

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

const fixedPlaceholders: ReadonlySet<string> = new Set([
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
  placeholderStarts.has(value.charCodeAt(0)) &&
  (fixedPlaceholders.has(value) ||
    /^0{16,128}(?:\+\\)?$/.test(value) ||
    /^redacted-(?:token|session|cookie|oauth|password)$/.test(value))

/** What any of them begins with; of every answer each text is asked. */
const placeholderStarts: ReadonlySet<number> = new Set(
  [...fixedPlaceholders, '0', 'redacted'].map((one) => one.charCodeAt(0)),
)

/** Words that programs say where no secret is at hand: such a value cannot be told from anybody's text. */
const commonWords: ReadonlySet<string> = new Set(
  (
    'password retype secret username token true false null none undefined anonymous csrf login patrol watch edit ' +
    'rollback user test admin redacted deleted'
  ).split(' '),
)

/**
 * How a secret is looked for: `anywhere` where finding it cannot be chance; `word` where letters around it make
 * another word; `value` where only a whole value counts, since it is short or a number; undefined where not at all.
 */
export type SecretSearchMode = 'anywhere' | 'word' | 'value'

/**
 * What a program made is looked for anywhere from 12 characters on with two digits, four letters and eight different
 * characters; passwords and e-mail addresses from 6 on. What is shorter, or a number, only counts as a whole value.
 * A cookie that is short is a setting (`visualeditor`, a date), and is not watched for.
 */
export function searchModeOf({ kind, value }: Secret): SecretSearchMode | undefined {
  if (isPlaceholder(value) || commonWords.has(value.toLowerCase())) return undefined
  if (kind === 'email') return value.length >= 6 && value.includes('@') ? 'word' : undefined
  if (kind === 'address') return 'word'
  const isNumber = /^\d*$/.test(value)
  const made =
    value.length >= 12 && /\d.*\d/s.test(value) && countLetters(value) >= 4 && countDistinct(value) >= 8
  if (kind !== 'password' && made) return 'anywhere'
  if (kind === 'cookie') return undefined
  if (isNumber || value.length < 6) return value.length >= 4 ? 'value' : undefined
  return kind === 'password' && !/^\p{L}+$/u.test(value) ? 'anywhere' : 'word'
}

/** True where finding the value somewhere cannot be chance. */
export function isDistinctive(secret: Secret): boolean {
  const search = searchModeOf(secret)
  return search === 'anywhere' || (search === 'word' && /^(?:address|email|password)$/.test(secret.kind))
}

const countLetters = (value: string): number => value.slice(0, 256).replace(/\P{L}+/gu, '').length
const countDistinct = (value: string): number => new Set(value.slice(0, 64)).size

/** True where a value looks made by a machine: words, prose, source code and placeholders do not pass. */
export const looksRandom = (value: string): boolean => isRandom(value) && !isPlaceholder(value)
