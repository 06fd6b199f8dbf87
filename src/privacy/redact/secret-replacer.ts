/** The secrets found in one answer, each with its placeholder, and their replacement wherever they stand in it. */

import { decodeQuery } from '../../text/percent-decoding.ts'
import { spellingReplacements } from '../encodings/spellings.ts'
import {
  isDistinctive,
  isPlaceholder,
  placeholderFor,
  type Secret,
  type SecretKind,
} from '../secrets/secret.ts'
import { pairSecretKind } from '../secrets/secret-names.ts'
import { canonicalAddress, mapAddresses, queryPair, tokensIn } from '../secrets/secret-shapes.ts'

/** How often secrets of one sort were replaced, e.g. `token (csrftoken)`. */
export type RedactionCounts = ReadonlyMap<string, number>

/** One secret in all its spellings. */
interface SecretReplacement {
  readonly secret: Secret
  readonly pairs: readonly (readonly [string, string])[]
}

/** So many secrets of one answer are looked for in the rest of it; those beyond are left to the ledger. */
const maxReplacements = 64

export class SecretReplacer {
  readonly #secrets: Map<string, Secret> = new Map()
  readonly #placeholders: Map<string, string> = new Map()
  readonly #replacements: SecretReplacement[] = []
  /** Addresses that are somebody's, by their canonical form. */
  readonly #addresses: Map<string, Secret> = new Map()
  #counts: Map<string, number> = new Map()

  /** @param known secrets of this traffic that may stand in the answer */
  constructor(known: readonly Secret[]) {
    for (const secret of known) this.#addReplacement(secret)
  }

  /** Takes a secret out: notes it and tells its placeholder, the same for the same value, whatever it is found as later. */
  redact(kind: SecretKind, value: string, source: string): string {
    const secret = { kind, value, source }
    this.#count(secret, 1)
    return this.note(secret)
  }

  /** Notes a secret that is to be replaced wherever it stands. */
  note(secret: Secret): string {
    this.#remember(secret)
    return this.#addReplacement(secret)
  }

  /** All secrets of this answer. */
  secrets(): readonly Secret[] {
    return [...this.#secrets.values()]
  }

  /** What was replaced since this was asked last. */
  drainCounts(): RedactionCounts {
    const counts = this.#counts
    this.#counts = new Map()
    return counts
  }

  /** A text less the secrets that are known so far; whatever else it holds is content. */
  replaceKnown(text: string): string {
    let clean = text
    for (const { secret, pairs } of this.#replacements) clean = this.#replaceAll(clean, secret, pairs)
    if (this.#addresses.size === 0 || !this.#mayHoldAddress(clean)) return clean
    return mapAddresses(clean, (spelled, canonical) => {
      const secret = this.#addresses.get(canonical)
      if (secret === undefined) return spelled
      this.#count(secret, 1)
      return placeholderFor('address', canonical)
    })
  }

  /** A text of the protocol less known secrets, tokens of MediaWiki's shape, and random values named in query strings. */
  redactText(text: string): string {
    const clean = this.redactTokens(this.replaceKnown(text))
    return clean.includes('=') ? this.redactQuery(clean, pairSecretKind) : clean
  }

  /** A text less the digits of tokens; their suffix stays as it is spelled. */
  redactTokens(text: string): string {
    let clean = ''
    let at = 0
    for (const { digits, start } of tokensIn(text)) {
      const secret: Secret = { kind: 'token', value: digits, source: 'text' }
      this.#remember(secret)
      this.#count(secret, 1)
      clean += text.slice(at, start) + placeholderFor('token', digits.toLowerCase())
      at = start + digits.length
    }
    return clean + text.slice(at)
  }

  /** A text less the values of those pairs of its query strings that `kindOf` calls secret. */
  redactQuery(text: string, kindOf: (name: string, value: string) => SecretKind | undefined): string {
    return text.replace(queryPair, (pair, name: string, spelled: string) => {
      const value = decodeQuery(spelled)
      const kind = kindOf(decodeQuery(name), value)
      if (kind === undefined) return pair
      return `${name}=${encodeURIComponent(this.redact(kind, value, name))}`
    })
  }

  /** Most texts are done with a look for the known addresses themselves, and for two colons. */
  #mayHoldAddress(text: string): boolean {
    for (const address of this.#addresses.keys())
      if (address.includes(':') ? /:.*:|%3[Aa]/.test(text) : text.includes(address)) return true
    return false
  }

  #replaceAll(text: string, secret: Secret, pairs: SecretReplacement['pairs']): string {
    return pairs.reduce((clean, [from, to]) => {
      if (!clean.includes(from)) return clean
      return clean.replaceAll(from, () => {
        this.#count(secret, 1)
        return to
      })
    }, text)
  }

  #count({ kind, source }: Secret, times: number): void {
    const label = `${kind} (${source})`
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + times)
  }

  #remember(secret: Secret): void {
    if (!this.#secrets.has(secret.value)) this.#secrets.set(secret.value, secret)
  }

  #addReplacement(secret: Secret): string {
    const known = this.#placeholders.get(secret.value)
    if (known !== undefined) return known
    const placeholder = placeholderFor(secret.kind, secret.value)
    this.#placeholders.set(secret.value, placeholder)
    if (secret.kind === 'address') {
      const canonical = canonicalAddress(secret.value)
      if (canonical !== undefined && !isPlaceholder(canonical)) this.#addresses.set(canonical, secret)
    } else if (isDistinctive(secret) && this.#replacements.length < maxReplacements) {
      // The suffix of a token is spelled in more ways than its digits, and stays as it is.
      const [digits, placeholderDigits] = [secret.value, placeholder].map((one) => one.replace(/\+\\$/, ''))
      this.#replacements.push({ secret, pairs: spellingReplacements(digits ?? '', placeholderDigits ?? '') })
    }
    return placeholder
  }
}
