/** Text for people (messages, logs, pages) without secrets: those that are known, and those that look like one. */

import { scanText } from '../detect/scan-text.ts'
import type { Ledger } from '../known/secret-registry.ts'
import type { Secret } from '../secrets/secret.ts'
import { sentSecret } from '../secrets/secret-names.ts'
import { secretPairs } from '../secrets/secret-pairs.ts'
import { Vault } from './secret-replacer.ts'

const hidden = '(secret)'

/** The text with a placeholder for each secret; without what it quotes where one is spelled in another way. */
export function discreet(text: string, ledger?: Ledger): string {
  const looksClean = withoutShapes(text)
  const known = standing(looksClean, ledger)
  if (known.length === 0) return looksClean
  const vault = new Vault(known)
  const replaced = known.reduce(
    (clean, { value }) => clean.replaceAll(value, hidden),
    vault.replaceKnown(looksClean),
  )
  if (standing(replaced, ledger).length === 0) return replaced
  const unquoted = replaced.replace(/"[^"]*"/g, `"${hidden}"`)
  return standing(unquoted, ledger).length === 0 ? unquoted : 'a message that holds a secret is not shown'
}

/** False where words of a wiki name or show a secret, in whichever way: `password=tart` counts, as sent by a client. */
export const isQuotable = (words: string): boolean =>
  withoutShapes(words) === words && secretPairs(words, sentSecret).next().done === true

/** Whoever starts a run knows the addresses of the machine; messages name them. */
const standing = (text: string, ledger: Ledger | undefined): readonly Secret[] =>
  (ledger?.standing(text) ?? []).filter(({ source }) => source !== 'this machine')

const withoutShapes = (text: string): string =>
  scanText(text).reduce((clean, { value }) => clean.replaceAll(value, hidden), text)
