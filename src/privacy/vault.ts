/** The secrets found in one answer, each with its placeholder, and their replacement wherever they stand in it. */

import { secretPair } from './names.ts'
import { isDistinctive, placeholderFor, type Secret, type SecretKind } from './secret.ts'
import { decodeQuery, queryPair, tokensIn } from './shapes.ts'
import { spelledPairs } from './spellings.ts'

/** A function that takes one secret out of a text. */
type Replacement = (text: string) => string

/** So many secrets of one answer are looked for in the rest of it; those beyond are left to the ledger. */
const mostSearched = 64

export class Vault {
  readonly #secrets: Map<string, Secret> = new Map()
  readonly #placeholders: Map<string, string> = new Map()
  readonly #replacements: Replacement[] = []

  /** @param known secrets of earlier answers that may stand in this one */
  constructor(known: readonly Secret[]) {
    for (const secret of known) this.#watch(secret)
  }

  /** Notes a secret and tells its placeholder: the same for the same value, whatever it is found as later. */
  redact(kind: SecretKind, value: string, source: string): string {
    const secret = { kind, value, source }
    this.#note(secret)
    return this.#watch(secret)
  }

  /** All secrets of this answer. */
  secrets(): readonly Secret[] {
    return [...this.#secrets.values()]
  }

  /** A text less the secrets noted so far, tokens of MediaWiki's shape, and random values named in query strings. */
  redactText(text: string): string {
    let clean = text
    for (const replace of this.#replacements) clean = replace(clean)
    clean = this.redactTokens(clean)
    return clean.includes('=') ? this.redactQuery(clean, secretPair) : clean
  }

  /** A text less the digits of tokens; their suffix stays as it is spelled. */
  redactTokens(text: string): string {
    let clean = ''
    let at = 0
    for (const { digits, start } of tokensIn(text)) {
      this.#note({ kind: 'token', value: digits, source: 'text' })
      clean += text.slice(at, start) + placeholderFor('token', digits.toLowerCase())
      at = start + digits.length
    }
    return clean + text.slice(at)
  }

  /** A text less the values of those pairs of its query strings that `kindOf` calls secret. */
  redactQuery(text: string, kindOf: (name: string, value: string) => SecretKind | undefined): string {
    return text.replace(queryPair, (pair, name: string, spelled: string) => {
      const value = decodeQuery(spelled)
      const kind = kindOf(name, value)
      if (kind === undefined) return pair
      return `${name}=${encodeURIComponent(this.redact(kind, value, name))}`
    })
  }

  #note(secret: Secret): void {
    if (!this.#secrets.has(secret.value)) this.#secrets.set(secret.value, secret)
  }

  #watch(secret: Secret): string {
    const known = this.#placeholders.get(secret.value)
    if (known !== undefined) return known
    const placeholder = placeholderFor(secret.kind, secret.value)
    this.#placeholders.set(secret.value, placeholder)
    if (this.#replacements.length >= mostSearched) return placeholder
    if (secret.kind === 'address') this.#replacements.push(addressReplacement(secret.value, placeholder))
    else if (isDistinctive(secret)) this.#replacements.push(plainReplacement(secret.value, placeholder))
    return placeholder
  }
}

function plainReplacement(value: string, placeholder: string): Replacement {
  const pairs = spelledPairs(value, placeholder)
  return (text) =>
    pairs.reduce(
      (clean, [from, to]) => (clean.includes(from) ? clean.replaceAll(from, () => to) : clean),
      text,
    )
}

/** An address is not part of a longer one; the end of a percent-escape in front of it does not make it longer. */
function addressReplacement(address: string, placeholder: string): Replacement {
  const spelled = address.replaceAll('.', '\\.').replaceAll(':', '(?::|%3A)')
  const whole = new RegExp(`(?:(?<![0-9A-Z.])|(?<=%[0-9A-F]{2}))${spelled}(?!\\w|[.:]\\d)`, 'gi')
  return (text) => text.replace(whole, placeholder)
}
