/** Which named values are secrets: members of JSON, attributes of XML, fields of forms and query strings, cookies. */
import { anonymousToken, isPlaceholder, looksRandom, type SecretKind } from './secret.ts'

/** Names that end like a secret's and are none: they choose which token is wanted, or say what is wrong with one. */
const harmless: ReadonlySet<string> = new Set([
  'intoken',
  'rctoken',
  'rvtoken',
  'ustoken',
  'badtoken',
  'notoken',
  'needtoken',
  'oauthversion',
  'oauthsignaturemethod',
  'oauthtimestamp',
  'oauthcallbackconfirmed',
])

/** The kind of secret that a value of this name is, whatever the value. */
export function secretName(name: string): SecretKind | undefined {
  if (name.length < 5 || name.length > 64) return undefined
  // PHP's array form (`token[]`) holds the same secret.
  const plain = name.toLowerCase().replace(/\[.*|[_-]/g, '')
  if (harmless.has(plain)) return undefined
  if (plain.endsWith('token')) return 'token'
  if (plain.includes('password') || plain.includes('passwd') || plain.endsWith('retype')) return 'password'
  if (plain.endsWith('sessionid') || plain.endsWith('sessid')) return 'session'
  if (plain.startsWith('oauth') || plain.endsWith('secret')) return 'oauth'
  return plain.endsWith('email') || plain.endsWith('emailaddress') ? 'email' : undefined
}

/**
 * The kind of secret that a field of an answer is; undefined for flags (`disableemail`), prose, the anonymous token
 * and placeholders. Names with other than letters, digits and `_` are no fields of the API but ids of messages
 * (`resetpass-submit-token`), so there the value has to look the part as well.
 */
export function secretField(name: string, value: string): SecretKind | undefined {
  const kind = secretName(name)
  if (kind === undefined || !mayBeSecret(value)) return undefined
  // `paraminfo` lists modules under their own names: `"checktoken": "checktoken"`, `"tokens": "query+tokens"`.
  if (value === name || value.endsWith(`+${name}`)) return undefined
  if (kind === 'email') return isEmail(value) ? kind : undefined
  if (kind !== 'password' && /\s/.test(value)) return undefined
  return /^\w+(?:\[\w*\])*$/.test(name) || looksRandom(value) ? kind : undefined
}

/** The same for a pair met in running text, where `token: function` is no secret. */
export function secretPair(name: string, value: string): SecretKind | undefined {
  const kind = secretField(name, value)
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
export function cookieSecret(name: string, value: string): 'session' | 'cookie' | undefined {
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
