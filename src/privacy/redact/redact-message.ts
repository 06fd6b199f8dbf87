/** Text for people (messages, logs, pages) without secrets: those that are known, and those that look like one. */

import { scanText } from '../detect/scan-text.ts'
import type { SecretRegistry } from '../known/secret-registry.ts'
import type { Secret } from '../secrets/secret.ts'
import { requestSecretKind } from '../secrets/secret-names.ts'
import { secretPairs } from '../secrets/secret-pairs.ts'
import { SecretReplacer } from './secret-replacer.ts'

const hiddenText = '(secret)'

/** The text with a placeholder for each secret; without what it quotes where one is spelled in another way. */
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
  return knownSecretsIn(unquoted, registry).length === 0
    ? unquoted
    : 'a message that holds a secret is not shown'
}

/** False where words of a wiki name or show a secret, in whichever way: `password=tart` counts, as sent by a client. */
export const isQuotable = (words: string): boolean =>
  hideDetected(words) === words && secretPairs(words, requestSecretKind).next().done === true

/** Whoever starts a run knows the addresses of the machine; messages name them. */
const knownSecretsIn = (text: string, registry: SecretRegistry | undefined): readonly Secret[] =>
  (registry?.findSecrets(text) ?? []).filter(({ source }) => source !== 'this machine')

const hideDetected = (text: string): string =>
  scanText(text).reduce((clean, { value }) => clean.replaceAll(value, hiddenText), text)
