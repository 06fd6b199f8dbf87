/** Which names mean secrets: of JSON members, XML attributes, form fields, query parameters, headers and cookies. */
import { isSecretPair, secretHint } from '../../request/secret-params.ts'
import { wordSet } from '../../text/words.ts'
import { anonymousToken, isPlaceholder, looksRandom, type SecretKind } from './secret.ts'

/** The kind of secret that a name means, whatever the value. (`requestSecretKind` knows further names.) */
export function nameSecretKind(name: string): SecretKind | undefined {
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

/** Names that mean a secret in requests only; in answers they may be flags or labels. */
const requestOnlyNames = /^(?:wp)?(?:pass|pwd|pin|t?otp|auth|bearer|authorization|credentials?)$/i

/**
 * The kind of secret in a field of an answer; undefined for flags (`disableemail`), prose, the anonymous token and
 * placeholders. Names with other characters than letters, digits and `_` are ids of messages (`resetpass-submit-token`), so
 * their values must look random too.
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

/** The kind of secret that a client sends under this name. */
export function requestSecretKind(name: string, value: string): SecretKind | undefined {
  if (!mayBeSecret(value) || !isSecretPair(name, value) || value === name) return undefined
  const kind = nameSecretKind(name) ?? 'oauth'
  return kind === 'email' && !isEmail(value) ? undefined : kind
}

/** The kind of secret in a pair of running text, where `token: function` is no secret. */
export function pairSecretKind(name: string, value: string): SecretKind | undefined {
  const kind = fieldSecretKind(name, value)
  return kind === 'email' || looksRandom(value) ? kind : undefined
}

const mayBeSecret = (value: string): boolean =>
  value !== '' && value !== anonymousToken && !isPlaceholder(value)

/** True for the usual form of an e-mail address, without comments and quoted names. */
export const isEmail = (value: string): boolean =>
  value.length <= 320 && /^[^\s@<>"]{1,64}@[^\s@<>"]{2,255}$/.test(value)

/**
 * What a cookie holds. The user's name and id stand in answers as well, and are no secrets. The name even stays in the cookie,
 * since replay identifies the caller by it.
 */
export type CookieKind = 'session' | 'cookie' | 'logged-out' | 'user-name' | 'user'

export function cookieKind(name: string): CookieKind {
  if (name.endsWith('LoggedOut')) return 'logged-out'
  if (name.endsWith('UserName')) return 'user-name'
  if (/User(?:ID)?$/.test(name)) return 'user'
  return /sess/i.test(name) ? 'session' : 'cookie'
}

/** The kind of secret in a cookie of running text: `Cookie: a small file` is prose, `mobile=yes` a setting. */
export function cookieSecretKind(name: string, value: string): 'session' | 'cookie' | undefined {
  const kind = cookieKind(name)
  if ((kind !== 'session' && kind !== 'cookie') || value === 'deleted' || isPlaceholder(value))
    return undefined
  return looksRandom(value) || (/sess|token/i.test(name) && value.length >= 6) ? kind : undefined
}

/** Headers that carry credentials, lower-case. */
export const credentialHeaders: ReadonlySet<string> = wordSet(
  'authorization proxy-authorization cookie set-cookie x-api-key x-auth-token x-csrf-token',
)

const harmlessHeaders =
  /^(?:sec-|x-cassette|surrogate-|if-)|(?:cache|idempotency|etag|accept)-?key|^:?authority$/

/** True for the name of any other header that suggests a secret. */
export const mayBeSecretHeader = (name: string): boolean =>
  /token|secret|key|session|passw|jwt|credential|(?:^|-)auth(?:$|-)/.test(name) && !harmlessHeaders.test(name)

/** Headers with IP addresses of the caller or of proxies, lower-case. */
export const addressHeaders: ReadonlySet<string> = wordSet(
  'x-forwarded-for forwarded x-real-ip x-client-ip x-cluster-client-ip true-client-ip cf-connecting-ip fastly-client-ip',
)

/** True for `scheme credentials`, `name=value`, or a random value, but not for a message with the key `cookie`. */
export const isCredential = (value: string): boolean =>
  !isPlaceholder(value) &&
  (/^(?:basic|bearer|oauth|digest|negotiate)\s+(?!redacted-)\S{4}/i.test(value) ||
    /^[\w.-]+=(?!deleted\b|redacted-|\(now\))[^;\s]{4}/.test(value) ||
    looksRandom(value))

const suggestsSecret = /secret|api_?key|private_?key|credential|(?:^|[_-])auth(?:$|[_-])/i

/** The kind of secret in a field of an answer, by its name: of a secret, of a credential header, or suggesting a secret. */
export function answerSecretKind(name: string, value: string): SecretKind | 'credentials' | undefined {
  if (credentialHeaders.has(name.toLowerCase())) return isCredential(value) ? 'credentials' : undefined
  return (
    fieldSecretKind(name, value) ?? (suggestsSecret.test(name) && looksRandom(value) ? 'oauth' : undefined)
  )
}
