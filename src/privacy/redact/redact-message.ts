/**
 * Redaction for people (messages, logs, pages): of text, from which known secrets and what looks like one are removed, and
 * of URLs.
 */
import { cleanPath, cleanValue } from '../../request/inner-secrets.ts'
import { decodeQuery } from '../../text/percent-decoding.ts'
import { scanText } from '../detect/scan-text.ts'
import type { SecretRegistry } from '../known/secret-registry.ts'
import { queryPair, type Secret } from '../secrets/secret.ts'
import { requestSecretKind, secretPairs } from '../secrets/secret-names.ts'
import { SecretReplacer } from './secret-replacer.ts'

const hiddenText = '(secret)'

/** The text with a placeholder for each secret. Where one has another spelling, all quoted parts are hidden. */
export function redactMessage(text: string, registry?: SecretRegistry): string {
  const looksClean = hideDetected(text)
  const known = knownSecretsIn(looksClean, registry)
  if (known.length === 0) return looksClean
  const replacer = new SecretReplacer(known)
  const replaced = known.reduce(
    (clean, { value }) => clean.replaceAll(value, hiddenText),
    replacer.replaceKnown(looksClean),
  )
  if (knownSecretsIn(replaced, registry).length === 0) return replaced
  const unquoted = replaced.replace(/"[^"]*"/g, `"${hiddenText}"`)
  return knownSecretsIn(unquoted, registry).length === 0 ? unquoted : 'message hidden: it contains a secret'
}

/** False where a text of the wiki contains anything like a secret, even `password=tart`. */
export const isQuotable = (words: string): boolean =>
  hideDetected(words) === words && secretPairs(words, requestSecretKind).next().done === true

/** Messages may name the addresses of this machine. */
const knownSecretsIn = (text: string, registry: SecretRegistry | undefined): readonly Secret[] =>
  (registry?.findSecrets(text) ?? []).filter(({ source }) => source !== 'this machine')

const hideDetected = (text: string): string =>
  scanText(text).reduce((clean, { value }) => clean.replaceAll(value, hiddenText), text)

/** A URL for files and messages: without `user:password@`, and with placeholders for secrets in path and query string. */
export const redactUrl = (url: string): string =>
  cleanPath(new SecretReplacer([]).redactQuery(splitCredentials(url).url, requestSecretKind), []).replace(
    queryPair,
    (pair, name: string, spelled: string) => {
      const { clean, secrets } = cleanValue(decodeQuery(name), decodeQuery(spelled))
      return secrets.length === 0 ? pair : `${name}=${encodeURIComponent(clean)}`
    },
  )

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
    credentials: [...new Set(spelled.flatMap((one) => [decodeQuery(one), one]))].map((value) => ({
      kind: 'password',
      value,
      source: 'URL',
    })),
  }
}
