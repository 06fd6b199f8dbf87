/** URLs without their secrets, for keys, files and messages. */
import { cleanListed, cleanPath } from '../../request/inner-secrets.ts'
import { isSecretInAddress } from '../../request/secret-params.ts'
import { decodeQuery } from '../../text/percent-decoding.ts'
import { parseUrlencoded } from '../../wiki/parameters/request-params.ts'
import { specialPageAt } from '../../wiki/site/special-pages.ts'
import { queryPair, type Secret } from '../secrets/secret.ts'
import { requestSecretKind } from '../secrets/secret-names.ts'
import { isCredentialPage } from '../sources/answer-source.ts'
import { SecretReplacer } from './secret-replacer.ts'

export interface CleanUrl {
  readonly url: string
  /** What was taken out, with its names. */
  readonly secrets: readonly (readonly [string, string])[]
}

/** A URL for messages: without `user:password@`, and with placeholders for secrets in path and query string. */
export const redactUrl = (url: string): string =>
  withoutSecrets(url, requestSecretKind).url

/**
 * A URL for keys and files, where two pages must not become one: the value of `pin` or `code` is a secret where somebody logs
 * in, and elsewhere what it says.
 */
export function urlWithoutSecrets(url: string): CleanUrl {
  const [path = '', query = ''] = url.split('?', 2)
  const asksForLogin = isCredentialPage(specialPageAt(path, parseUrlencoded(query)), path)
  return withoutSecrets(url, asksForLogin ? requestSecretKind : addressSecretKind)
}

/** The value of `Location`, by the same rule; its secrets are noted. */
export function redactLocation(location: string, replacer: SecretReplacer): string {
  const [path = '', query = ''] = location.split(/[?#]/, 2)
  const asksForLogin = isCredentialPage(specialPageAt(path, parseUrlencoded(query)), path)
  const { url, secrets } = withoutSecrets(
    location,
    asksForLogin ? requestSecretKind : addressSecretKind,
    replacer
  )
  for (const [source, value] of secrets)
    replacer.note({ kind: requestSecretKind(source, value) ?? 'oauth', value, source })
  return url
}

const addressSecretKind = (name: string, value: string) =>
  isSecretInAddress(name, value) ? requestSecretKind(name, value) : undefined

/** Source: RFC 7519, 3.1 */
const jwtInPath = /(?<![\w-])eyJ[\w-]{8,4096}\.[\w-]{8,8192}\.[\w-]{8,4096}/g

function withoutSecrets(
  spelled: string,
  kindOf: typeof requestSecretKind,
  replacer: SecretReplacer = new SecretReplacer([])
) {
  const inPath: (readonly [string, string])[] = []
  const { url, credentials } = splitCredentials(spelled)
  const named = cleanPath(replacer.redactQuery(url, kindOf), inPath)
  const nested = named.replace(queryPair, (pair, name: string, value: string) => {
    const { clean, secrets } = cleanListed(decodeQuery(name), decodeQuery(value))
    inPath.push(...secrets)
    return secrets.length === 0 ? pair : `${name}=${encodeURIComponent(clean)}`
  })
  const clean = nested.replace(jwtInPath, (jwt) => replacer.redact('token', jwt, 'path'))
  const found = [...replacer.secrets(), ...credentials].map(
    ({ source, value }) => [source, value] as const
  )
  return { url: clean, secrets: [...found, ...inPath] }
}

/**
 * A URL without the part up to the `@` in front of the host, and the password there in both spellings, if there is one.
 * Browsers and Node take `\` for `/`, any number of slashes, and the last `@` before path, query or fragment.
 * Source: https://url.spec.whatwg.org/#concept-basic-url-parser
 */
export function splitCredentials(url: string): {
  readonly url: string
  readonly credentials: readonly Secret[]
} {
  // wikitape's own paths, `/~CASSETTE@SESSION/`, contain no credentials.
  if (/^\/~/.test(url)) return { url, credentials: [] }
  const head = /^[\0- ]*(?:[A-Za-z][A-Za-z0-9+.-]{0,32}:)?[\\/]*/.exec(url)?.[0] ?? ''
  // In `user:password@host`, `user:` is no scheme. The schemes that browsers know need no slashes.
  const start = /[\\/]$|^[\0- ]*(?:https?|ftp|wss?):$/i.test(head) ? head.length : 0
  const authority = url.slice(start).split(/[\\/?#]/)[0] ?? ''
  const at = authority.lastIndexOf('@')
  if (at < 0) return { url, credentials: [] }
  const cut = authority.slice(0, at).indexOf(':')
  const spelled = cut < 0 ? [] : [authority.slice(cut + 1, at)]
  return {
    url: url.slice(0, start) + url.slice(start + at + 1),
    credentials: [...new Set(spelled.flatMap((one) => [decodeQuery(one), one]))].map(
      (value) => ({
        kind: 'password',
        value,
        source: 'URL'
      })
    )
  }
}
