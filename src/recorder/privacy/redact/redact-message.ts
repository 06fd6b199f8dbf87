/** Redaction for people (messages, logs, pages): known secrets and what looks like one are removed from a text. */
import { scanText } from '../detect/scan-text.ts'
import { secretsOfHeaders } from '../known/request-secrets.ts'
import type { SecretRegistry } from '../known/secret-registry.ts'
import { ownMachine } from '../secrets/secret.ts'
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
    replacer.replaceKnown(looksClean)
  )
  if (knownSecretsIn(replaced, registry).length === 0) return replaced
  const unquoted = replaced.replace(/"[^"]*"/g, `"${hiddenText}"`)
  return knownSecretsIn(unquoted, registry).length === 0
    ? unquoted
    : 'message hidden: it contains a secret'
}

/** False where a text of the wiki contains anything like a secret, even `password=tart`. */
export const isQuotable = (words: string): boolean =>
  hideDetected(words) === words &&
  secretPairs(words, requestSecretKind).next().done === true

/** Messages may name the addresses of this machine. */
const knownSecretsIn = (text: string, registry: SecretRegistry | undefined) =>
  (registry?.findSecrets(text) ?? []).filter(({ source }) => source !== ownMachine)

const hideDetected = (text: string) =>
  scanText(text).reduce((clean, { value }) => clean.replaceAll(value, hiddenText), text)

/** The value of a request header without its secrets: of a User-Agent, the e-mail address in it, however it is spelled. */
export const redactHeader = (name: string, value: string): string =>
  new SecretReplacer(secretsOfHeaders([[name, value]])).replaceKnown(value)
