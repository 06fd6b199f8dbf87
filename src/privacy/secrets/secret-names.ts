/** Which named values are secrets: members of JSON, attributes of XML, fields of forms and query strings, cookies. */
import { isSecretPair, secretHint } from '../../request/secret-params.ts'
import { anonymousToken, isPlaceholder, looksRandom, type SecretKind } from './secret.ts'

/** What a name gives away, whatever the value. */
interface NameHints {
  readonly kind: SecretKind | undefined
  readonly isCredentialHeader: boolean
  /** True where it at least speaks of secrets. */
  readonly isHinted: boolean
}

/** Names of members come again and again. */
const hintsByName = new Map<string, NameHints>()
const maxCachedNames = 10_000

function hintsOf(name: string): NameHints {
  const cached = hintsByName.get(name)
  if (cached !== undefined) return cached
  const hints = {
    kind: findNameKind(name),
    isCredentialHeader: credentialHeaders.has(name.toLowerCase()),
    isHinted: /secret|api_?key|private_?key|credential|(?:^|[_-])auth(?:$|[_-])/i.test(name),
  }
  if (hintsByName.size < maxCachedNames && name.length <= 64) hintsByName.set(name, hints)
  return hints
}

/** The kind of secret that a value of this name is, whatever the value; names that nobody vouches for need `sentSecret`. */
export const nameSecretKind = (name: string): SecretKind | undefined => hintsOf(name).kind

function findNameKind(name: string): SecretKind | undefined {
  if (secretHint(name) !== 'secret') return undefined
  const plain = name.toLowerCase().replace(/[_-]/g, '')
  const parts = plain.split(/[[\].]+/)
  return parts.map(partSecretKind).find((kind) => kind !== undefined)
}

function partSecretKind(part: string): SecretKind | undefined {
  if (part.endsWith('sessionid') || part.endsWith('sessid')) return 'session'
  if (secretHint(part) !== 'secret') return undefined
  if (/token$/.test(part)) return 'token'
  if (/passw|passphrase|passcode|^pass$|^pwd$|retype$|^t?otp$|^pin$/.test(part)) return 'password'
  return /mail(?:address)?$/.test(part) ? 'email' : 'oauth'
}

/** Names that are a secret's in a request only: an answer may call a flag or a label so. */
const requestOnlyNames = /^(?:wp)?(?:pass|pwd|pin|t?otp|auth|bearer|authorization|credentials?)$/i

/**
 * The kind of secret that a field of an answer is; undefined for flags (`disableemail`), prose, the anonymous token
 * and placeholders. Names with other than letters, digits and `_` are no fields of the API but ids of messages
 * (`resetpass-submit-token`), so there the value has to look the part as well.
 */
export function fieldSecretKind(name: string, value: string): SecretKind | undefined {
  const kind = nameSecretKind(name)
  if (kind === undefined || !mayBeSecret(value)) return undefined
  // `paraminfo` lists modules under their own names: `"checktoken": "checktoken"`, `"tokens": "query+tokens"`.
  if (value === name || value.endsWith(`+${name}`)) return undefined
  if (kind === 'email') return isEmail(value) ? kind : undefined
  if (kind !== 'password' && /\s/.test(value)) return undefined
  const isField = /^\w+(?:\[\w*\])*$/.test(name) && !requestOnlyNames.test(name)
  return isField || looksRandom(value) ? kind : undefined
}

/** The kind of secret that a client sent, or would send, under this name. */
export function requestSecretKind(name: string, value: string): SecretKind | undefined {
  if (!mayBeSecret(value) || !isSecretPair(name, value) || value === name) return undefined
  const kind = nameSecretKind(name) ?? 'oauth'
  return kind === 'email' && !isEmail(value) ? undefined : kind
}

/** The same for a pair met in running text, where `token: function` is no secret. */
export function pairSecretKind(name: string, value: string): SecretKind | undefined {
  const kind = fieldSecretKind(name, value)
  return kind === 'email' || looksRandom(value) ? kind : undefined
}

const mayBeSecret = (value: string): boolean =>
  value !== '' && value !== anonymousToken && !isPlaceholder(value)

/** True for the usual form of an e-mail address; comments and quoted names are not looked for. */
export const isEmail = (value: string): boolean =>
  value.length <= 320 && /^[^\s@<>"]{1,64}@[^\s@<>"]{2,255}$/.test(value)

/**
 * What a cookie holds. The user's name and number stand in the answers as well and are no secrets: nothing watches for
 * them. The name even stays in the cookie, since it says on replay who asks.
 */
export type CookieKind = 'session' | 'cookie' | 'logged-out' | 'user-name' | 'user'

export function cookieKind(name: string): CookieKind {
  if (name.endsWith('LoggedOut')) return 'logged-out'
  if (name.endsWith('UserName')) return 'user-name'
  if (/User(?:ID)?$/.test(name)) return 'user'
  return /sess/i.test(name) ? 'session' : 'cookie'
}

/** What a cookie met in running text gives away: `Cookie: a small file` is prose, `mobile=yes` a setting. */
export function cookieSecretKind(name: string, value: string): 'session' | 'cookie' | undefined {
  const kind = cookieKind(name)
  if ((kind !== 'session' && kind !== 'cookie') || value === 'deleted' || isPlaceholder(value))
    return undefined
  return looksRandom(value) || (/sess|token/i.test(name) && value.length >= 6) ? kind : undefined
}

/** Headers that carry credentials, lower-case. */
export const credentialHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-auth-token',
  'x-csrf-token',
])

const harmlessHeaders =
  /^(?:sec-|x-cassette|surrogate-|if-)|(?:cache|idempotency|etag|accept)-?key|^:?authority$/

/** True for a header that nobody listed and whose name speaks of a secret. */
export const mayBeSecretHeader = (name: string): boolean =>
  /token|secret|key|session|passw|jwt|credential|(?:^|-)auth(?:$|-)/.test(name) && !harmlessHeaders.test(name)

/** Headers that tell the address of somebody on the way from the caller to the wiki, lower-case. */
export const addressHeaders: ReadonlySet<string> = new Set([
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
])

/** `scheme credentials`, `name=value`, or something random; a message that is called `cookie` is none of these. */
export const isCredential = (value: string): boolean =>
  !isPlaceholder(value) &&
  (/^(?:basic|bearer|oauth|digest|negotiate)\s+(?!redacted-)\S{4}/i.test(value) ||
    /^[\w.-]+=(?!deleted\b|redacted-|\(now\))[^;\s]{4}/.test(value) ||
    looksRandom(value))

/** What a field of an answer gives away by its name, be it a secret's, a credential header's, or one that speaks of secrets. */
export function answerSecretKind(name: string, value: string): SecretKind | 'credentials' | undefined {
  const { isCredentialHeader, isHinted } = hintsOf(name)
  if (isCredentialHeader) return isCredential(value) ? 'credentials' : undefined
  return fieldSecretKind(name, value) ?? (isHinted && looksRandom(value) ? 'oauth' : undefined)
}
