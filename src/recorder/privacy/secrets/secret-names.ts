/**
 * Which names mean secrets: of JSON members, XML attributes, form fields, query parameters, headers and cookies; and named
 * secrets in running text: pairs as in JavaScript, PHP and HTML, and header lines.
 */
import { isSecretPair, secretHint } from '../../request/secret-params.ts'
import { wordSet } from '../../text/words.ts'
import { unescapeHtml } from '../encodings/spellings.ts'
import {
  anonymousToken,
  isPlaceholder,
  looksRandom,
  type Secret,
  type SecretKind
} from './secret.ts'

/** The kind of secret that a name means, whatever the value. (`requestSecretKind` knows further names.) */
export function nameSecretKind(name: string): SecretKind | undefined {
  if (secretHint(name) !== 'secret') return undefined
  const parts = name
    .toLowerCase()
    .replace(/[_-]/g, '')
    .split(/[[\].]+/)
  return parts.map(partSecretKind).find((kind) => kind !== undefined)
}

function partSecretKind(part: string) {
  if (part.endsWith('sessionid') || part.endsWith('sessid')) return 'session'
  if (secretHint(part) !== 'secret') return undefined
  if (/token$/.test(part)) return 'token'
  if (/passw|passphrase|passcode|^pass$|^pwd$|retype$|^t?otp$|^pin$/.test(part))
    return 'password'
  return /mail(?:address)?$/.test(part) ? 'email' : 'oauth'
}

/** Names that mean a secret in requests only; in answers they may be flags or labels. */
const requestOnlyNames =
  /^(?:wp)?(?:pass|pwd|pin|t?otp|auth|bearer|authorization|credentials?)$/i

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
  if (!mayBeSecret(value) || !isSecretPair(name, value) || value === name)
    return undefined
  const kind = nameSecretKind(name) ?? 'oauth'
  return kind === 'email' && !isEmail(value) ? undefined : kind
}

/** The kind of secret in a pair of running text, where `token: function` is no secret. */
export function pairSecretKind(name: string, value: string): SecretKind | undefined {
  const kind = fieldSecretKind(name, value)
  return kind === 'email' || looksRandom(value) ? kind : undefined
}

const mayBeSecret = (value: string) =>
  value !== '' && value !== anonymousToken && !isPlaceholder(value)

/** True for the usual form of an e-mail address, without comments and quoted names. */
export const isEmail = (value: string): boolean =>
  value.length <= 320 && /^[^\s@<>"]{1,64}@[^\s@<>"]{2,255}$/.test(value)

/** The user's name and id are no secrets. The name even stays in the cookie, since replay identifies the caller by it. */
export function cookieKind(
  name: string
): 'session' | 'cookie' | 'logged-out' | 'user-name' | 'user' {
  if (name.endsWith('LoggedOut')) return 'logged-out'
  if (name.endsWith('UserName')) return 'user-name'
  if (/User(?:ID)?$/.test(name)) return 'user'
  return /sess/i.test(name) ? 'session' : 'cookie'
}

/** The kind of secret in a cookie of running text: `Cookie: a small file` is prose, `mobile=yes` a setting. */
export function cookieSecretKind(
  name: string,
  value: string
): 'session' | 'cookie' | undefined {
  const kind = cookieKind(name)
  if (
    (kind !== 'session' && kind !== 'cookie') ||
    value === 'deleted' ||
    isPlaceholder(value)
  )
    return undefined
  return looksRandom(value) || (/sess|token/i.test(name) && value.length >= 6)
    ? kind
    : undefined
}

/** Headers that carry credentials, lower-case. */
export const credentialHeaders: ReadonlySet<string> = wordSet(
  'authorization proxy-authorization cookie set-cookie x-api-key x-auth-token x-csrf-token'
)

const harmlessHeaders =
  /^(?:sec-|x-cassette|surrogate-|if-)|(?:cache|idempotency|etag|accept)-?key|^:?authority$/

/** True for the name of any other header that suggests a secret. */
export const mayBeSecretHeader = (name: string): boolean =>
  /token|secret|key|session|passw|jwt|credential|(?:^|-)auth(?:$|-)/.test(name) &&
  !harmlessHeaders.test(name)

/** Headers with IP addresses of the caller or of proxies, lower-case. */
export const addressHeaders: ReadonlySet<string> = wordSet(
  'x-forwarded-for forwarded x-real-ip x-client-ip x-cluster-client-ip true-client-ip cf-connecting-ip fastly-client-ip'
)

/** True for `scheme credentials`, `name=value`, or a random value, but not for a message with the key `cookie`. */
export const isCredential = (value: string): boolean =>
  !isPlaceholder(value) &&
  (/^(?:basic|bearer|oauth|digest|negotiate)\s+(?!redacted-)\S{4}/i.test(value) ||
    /^[\w.-]+=(?!deleted\b|redacted-|\(now\))[^;\s]{4}/.test(value) ||
    looksRandom(value))

const suggestsSecret = /secret|api_?key|private_?key|credential|(?:^|[_-])auth(?:$|[_-])/i

/** The kind of secret in a field of an answer, by its name: of a secret, of a credential header, or suggesting a secret. */
export function answerSecretKind(
  name: string,
  value: string
): SecretKind | 'credentials' | undefined {
  if (credentialHeaders.has(name.toLowerCase()))
    return isCredential(value) ? 'credentials' : undefined
  return (
    fieldSecretKind(name, value) ??
    (suggestsSecret.test(name) && looksRandom(value) ? 'oauth' : undefined)
  )
}

/** `source` is the name in front of it, the range that of its spelling. */
interface FoundSecret extends Secret {
  readonly start: number
  readonly end: number
}

/** `"csrfToken":"…"`, `sessionid=&quot;…`, `[sessionid] => …`: a name, what stands between, and the value's quote, if any. */
const pairStart =
  /(?<![\w.-])([A-Za-z][\w-]{2,63})(?:\\?["']|&quot;|&#0?3[49];|%22)?\]?\s{0,4}(?:=(?:>|&gt;)?|:|%3D|%3A|;s:\d{1,6}:)\s{0,9}(?:string\(\d{1,6}\)\s)?(\\?["']|&quot;|&#0?3[49];|%22)?/g

const secretNamePart =
  /token|pass|pwd|pin|otp|retype|sess|auth|jwt|bearer|credential|secret|key|code|sig|assertion|mail/i

/** Pairs whose name and value look like a secret's. @param kindOf by default only values that look random are secrets */
export function* secretPairs(
  text: string,
  kindOf: typeof pairSecretKind = pairSecretKind
): Generator<FoundSecret> {
  if (!secretNamePart.test(text)) return
  const heads = new RegExp(pairStart)
  for (let head = heads.exec(text); head !== null; head = heads.exec(text)) {
    const [, name = '', quote] = head
    if (secretHint(name) === 'nothing') continue
    const start = heads.lastIndex
    const end = valueEnd(text, start, quote)
    const value = unescapePair(text.slice(start, end))
    const kind = kindOf(name, value)
    if (kind === undefined) continue
    yield { kind, value, source: name, start, end }
    heads.lastIndex = end
  }
}

/** A value without quotes: no `:`, and `=` only at its end, so that the pattern takes linear time. */
const bareValue = /[^\s"'<>&;,)}\]%:=]{0,8192}={0,2}/y

/** The end of the value: the closing quote, or behind the last character that a bare value may have. */
function valueEnd(text: string, start: number, quote: string | undefined) {
  const end = quote === undefined ? -1 : text.slice(start, start + 8192).indexOf(quote)
  if (end >= 0) return start + end
  bareValue.lastIndex = start
  return start + (bareValue.exec(text)?.[0].length ?? 0)
}

/** JavaScript and JSON double the backslash at the end of a token. */
const unescapePair = (spelled: string) =>
  unescapeHtml(
    spelled.includes('\\')
      ? spelled.replaceAll('\\\\', '\\').replaceAll('\\/', '/')
      : spelled
  )

const cookieLine =
  /cookie(?:\\?["']|&quot;)?\s{0,4}:\s{0,4}(?:\\?["']|&quot;)?([^\r\n"'<>\\]{1,8192})/gi
const cookiePair = /(?<=^|[;\s])([\w!#$%*+.^`|~-]{1,128})=([^;\s,"&]{1,4096})/g
const authorization =
  /(?:(basic)\s{1,4}([A-Za-z0-9+/]{6,1024}={0,2})|(?:bearer|token)\s{1,4}([\w.~+/-]{16,4096}={0,2}))/gi

/** Cookies and credentials in header lines, as in debugging output and recordings of HTTP. */
export function* headerSecrets(text: string): Generator<FoundSecret> {
  for (const line of text.matchAll(cookieLine)) {
    const header = line[1] ?? ''
    const from = line.index + line[0].length - header.length
    for (const { 0: pair, 1: name = '', 2: value = '', index } of header.matchAll(
      cookiePair
    )) {
      const end = from + index + pair.length
      const kind = cookieSecretKind(name, value)
      if (kind !== undefined)
        yield { kind, value, source: `cookie ${name}`, start: end - value.length, end }
    }
  }
  for (const { 0: all, 1: basic, 2: pair = '', 3: bearer = '', index } of text.matchAll(
    authorization
  )) {
    const [value, is] =
      basic === undefined
        ? [bearer, looksRandom(bearer)]
        : [pair, isBasicCredentials(pair)]
    const end = index + all.length
    if (is)
      yield {
        kind: 'oauth',
        value,
        source: 'authorization',
        start: end - value.length,
        end
      }
  }
}

/** True where the base64 text is `user:password`. */
const isBasicCredentials = (credentials: string) =>
  /^[\x20-\x7e]{0,256}:[\x20-\x7e]{1,512}$/.test(
    Buffer.from(credentials, 'base64').toString('latin1')
  )
