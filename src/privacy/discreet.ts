/** Text for people (messages, logs, pages) without secrets: those that are known, and those that look like one. */
import type { Ledger } from './ledger.ts'
import { sentSecret } from './names.ts'
import { secretPairs } from './pairs.ts'
import { scanText } from './scan-text.ts'
import type { Secret } from './secret.ts'
import { Vault } from './vault.ts'

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
