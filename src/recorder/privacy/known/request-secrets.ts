/** The secrets that a client sends: in headers, in parameters, and inside of their values. */
import { cleanListed } from '../../request/inner-secrets.ts'
import {
  asksAboutPassword,
  isAuthField,
  nameOfValue
} from '../../request/secret-params.ts'
import { decodePercent, decodeQuery } from '../../text/percent-decoding.ts'
import type { Params } from '../../wiki/parameters/request-params.ts'
import {
  addressesIn,
  looksRandom,
  type Secret,
  type SecretKind,
  searchModeOf
} from '../secrets/secret.ts'
import {
  addressHeaders,
  cookieKind,
  credentialHeaders,
  isEmail,
  mayBeSecretHeader,
  requestSecretKind
} from '../secrets/secret-names.ts'

/** Parameters of OAuth that are no secrets. */
const signingParams =
  /^oauth_(?:version|timestamp|nonce|signature_method|consumer_key|callback|realm)$/

export function secretsOfParams(params: Params): readonly Secret[] {
  const names = new Set(
    ['lgname', 'username', 'name', 'user'].map(
      (name) => params.get(name)?.toLowerCase() ?? ''
    )
  )
  const all = [...params]
  return all.flatMap(([name, value], at) => [
    ...secretsOfParam(nameOfValue(params, name), value, names),
    ...(isAuthField(params.get('action'), name) ? passwords(value, name, names) : []),
    ...restOfPassword(name, value, all[at - 1]),
    ...cleanListed(name, value).secrets.flatMap(([inner, secret]) =>
      secretInside(inner, secret, names)
    )
  ])
}

/** Inside of a value, a random text is a secret whatever its name. */
export function secretInside(
  name: string,
  value: string,
  names: ReadonlySet<string> = new Set()
): readonly Secret[] {
  const found = secretsOfParam(name, value, names)
  return found.length > 0 || !looksRandom(value)
    ? found
    : [{ kind: 'token', value, source: name }]
}

/** Behind a `&` that was not escaped; a word there may be a flag (`&utf8`). */
const restOfPassword = (
  name: string,
  value: string,
  before: readonly [string, string] | undefined
): readonly Secret[] =>
  value === '' && before && asksAboutPassword(...before) && !/^[a-z]*$/i.test(name)
    ? [{ kind: 'password', value: name, source: before[0] }]
    : []

function secretsOfParam(
  name: string,
  value: string,
  names: ReadonlySet<string>
): readonly Secret[] {
  const kind = signingParams.test(name) ? undefined : requestSecretKind(name, value)
  // No wiki makes a token of letters alone: it is a test's (`token=badtoken`).
  if (kind === undefined || (kind === 'token' && /^\p{L}{1,15}$/u.test(value))) return []
  // Passwords that equal the user's name are not searched for: they stand in every answer.
  return kind === 'password'
    ? passwords(value, name, names)
    : [{ kind, value, source: name }]
}

/** Bot passwords are also sent as `<bot>@<password>`. */
function passwords(
  value: string,
  source: string,
  names: ReadonlySet<string>
): readonly Secret[] {
  if (names.has(value.toLowerCase())) return []
  const bot = /@([0-9a-v]{32})$/.exec(value)?.[1]
  const whole: Secret = { kind: 'password', value, source }
  return bot === undefined ? [whole] : [whole, { kind: 'password', value: bot, source }]
}

/** @param headers names and values as sent, of a request or an answer */
export const secretsOfHeaders = (
  headers: Iterable<readonly [string, string]>
): readonly Secret[] =>
  [...headers].flatMap(([name, value]) => secretsOfHeader(name.toLowerCase(), value))

function secretsOfHeader(name: string, value: string): readonly Secret[] {
  if (addressHeaders.has(name))
    return addressesIn(value).map((one) => ({
      kind: 'address',
      value: one,
      source: name
    }))
  if (/^(?:from|user-agent|api-user-agent)$/.test(name)) return emailsIn(value, name)
  if (name === 'cookie') return secretsOfCookies(value)
  if (name.endsWith('authorization')) return secretsOfAuthorization(value, name)
  if (credentialHeaders.has(name)) return plainAndDecoded('token', value, name)
  return mayBeSecretHeader(name)
    ? plainAndDecoded('token', value, name).filter(
        (one) => searchModeOf(one) === 'anywhere'
      )
    : []
}

/** User agents name an e-mail address as contact. */
const emailsIn = (value: string, source: string): readonly Secret[] =>
  (decodePercent(value).match(/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g) ?? [])
    .filter(isEmail)
    .map((one) => ({ kind: 'email', value: one, source }))

/** The value as sent and decoded, if it is worth searching for. */
function plainAndDecoded(
  kind: SecretKind,
  value: string,
  source: string
): readonly Secret[] {
  const plain: Secret = { kind, value: decoded(value), source }
  return searchModeOf(plain) === undefined ? [] : [plain, { kind, value, source }]
}

function secretsOfCookies(header: string): readonly Secret[] {
  return header.split(';').flatMap((pair) => {
    const cut = pair.indexOf('=')
    const name = pair.slice(0, Math.max(0, cut)).trim()
    const value = pair
      .slice(cut + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1')
    const kind = cookieKind(name)
    return kind === 'session' || kind === 'cookie'
      ? plainAndDecoded(kind, value, `cookie ${name}`)
      : []
  })
}

/** `Basic <base64>`, `Bearer <token>`, `OAuth name="value", …` (some clients leave the quotes out) and other schemes. */
function secretsOfAuthorization(header: string, source: string): readonly Secret[] {
  const cut = header.indexOf(' ')
  const scheme = header.slice(0, Math.max(0, cut)).toLowerCase()
  const rest = header.slice(cut + 1).trim()
  if (scheme === 'basic') return secretsOfBasic(rest, source)
  if (scheme !== 'oauth' && scheme !== 'digest')
    return plainAndDecoded('oauth', rest, source)
  return [...rest.matchAll(/(?<![\w-])([\w-]{1,64})="?([^",\s]*)/g)].flatMap(
    ([, name = '', value = '']) =>
      signingParams.test(name) || /^(?:realm|username|uri|qop|algorithm|nc)$/.test(name)
        ? []
        : plainAndDecoded('oauth', value, `${source} ${name}`)
  )
}

function secretsOfBasic(credentials: string, source: string): readonly Secret[] {
  const pair = Buffer.from(credentials, 'base64').toString('utf8')
  const cut = pair.indexOf(':')
  const user = pair.slice(0, Math.max(0, cut))
  const password = pair.slice(cut + 1)
  const both: Secret = { kind: 'oauth', value: credentials, source }
  return user === password
    ? [both]
    : [both, { kind: 'password', value: password, source }]
}

/** In cookies and headers, unlike forms, a plus sign is no space. */
const decoded = (value: string): string => decodeQuery(value.replaceAll('+', '%2B'))
