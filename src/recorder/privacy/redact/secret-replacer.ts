/** Replaces the secrets of one answer by placeholders, wherever they stand in it. */
import { decodeQuery } from '../../text/percent-decoding.ts'
import { spellingReplacements } from '../encodings/spellings.ts'
import {
  canonicalAddress,
  isDistinctive,
  isFoundInContent,
  isPlaceholder,
  mapAddresses,
  placeholderFor,
  queryPair,
  type Secret,
  type SecretKind,
  tokensIn
} from '../secrets/secret.ts'
import { pairSecretKind } from '../secrets/secret-names.ts'
import type { TextSource } from '../sources/answer-source.ts'

/** Numbers of replacements by kind and source, e.g. `token (csrftoken)`. */
export type RedactionCounts = ReadonlyMap<string, number>

/** Secrets of one answer that are searched for in the rest of it; the registry detects any others. */
const maxReplacements = 64

export class SecretReplacer {
  readonly #secrets: Map<string, Secret> = new Map()
  readonly #placeholders: Map<string, string> = new Map()
  readonly #replacements: Map<Secret, ReturnType<typeof spellingReplacements>> = new Map()
  /** Addresses by their canonical form. */
  readonly #addresses: Map<string, Secret> = new Map()
  #counts: Map<string, number> = new Map()

  /** @param known secrets that the answer may contain */
  constructor(known: readonly Secret[]) {
    for (const secret of known) this.#addReplacement(secret)
  }

  /** Notes and counts a secret. @returns its placeholder, always the same for the same value */
  redact(kind: SecretKind, value: string, source: string): string {
    const secret = { kind, value, source }
    this.#count(secret)
    return this.note(secret)
  }

  /** Counts a secret that is replaced at this place alone. @returns its placeholder */
  redactHere(kind: SecretKind, value: string, source: string): string {
    this.#count({ kind, value, source })
    return placeholderFor(kind, value)
  }

  /** Notes a secret, to be replaced wherever it stands. @returns its placeholder */
  note(secret: Secret): string {
    this.#remember(secret)
    return this.#addReplacement(secret)
  }

  /** True while no secret is to be replaced wherever it stands. */
  get isEmpty(): boolean {
    return this.#replacements.size + this.#addresses.size === 0
  }

  secrets(): readonly Secret[] {
    return [...this.#secrets.values()]
  }

  /** The replacements since the last call. */
  drainCounts(): RedactionCounts {
    const counts = this.#counts
    this.#counts = new Map()
    return counts
  }

  /** @param source in content, only secrets that no text contains by chance are replaced */
  replaceKnown(text: string, source: TextSource = 'own'): string {
    let clean = text
    for (const [secret, pairs] of this.#replacements)
      for (const [from, to] of pairs)
        if (clean.includes(from) && (source !== 'content' || isFoundInContent(secret)))
          clean = clean.replaceAll(from, () => {
            this.#count(secret)
            return to
          })
    if (this.#addresses.size === 0 || !this.#mayHoldAddress(clean)) return clean
    return mapAddresses(clean, (spelled, canonical) => {
      const secret = this.#addresses.get(canonical)
      if (!secret || (source === 'content' && !isFoundInContent(secret))) return spelled
      this.#count(secret)
      return placeholderFor('address', canonical)
    })
  }

  /** Replaces known secrets, tokens of MediaWiki's shape, and random values in query strings. */
  redactText(text: string): string {
    const clean = this.redactTokens(this.replaceKnown(text))
    return clean.includes('=') ? this.redactQuery(clean, pairSecretKind) : clean
  }

  /** Replaces the digits of tokens; their suffix stays as spelled. */
  redactTokens(text: string): string {
    let clean = ''
    let at = 0
    for (const { digits, start } of tokensIn(text)) {
      const secret: Secret = { kind: 'token', value: digits, source: 'text' }
      this.#remember(secret)
      this.#count(secret)
      clean += text.slice(at, start) + placeholderFor('token', digits.toLowerCase())
      at = start + digits.length
    }
    return clean + text.slice(at)
  }

  /** Replaces the values of query parameters for which `kindOf` gives a kind. */
  redactQuery(
    text: string,
    kindOf: (name: string, value: string) => SecretKind | undefined
  ): string {
    return text.replace(queryPair, (pair, name: string, spelled: string) => {
      const value = decodeQuery(spelled)
      const kind = kindOf(decodeQuery(name), value)
      if (kind === undefined) return pair
      return `${name}=${encodeURIComponent(this.redact(kind, value, name))}`
    })
  }

  /** A fast check: most texts contain neither a known IPv4 address nor two colons. */
  #mayHoldAddress(text: string) {
    for (const address of this.#addresses.keys())
      if (address.includes(':') ? /:.*:|%3[Aa]/.test(text) : text.includes(address))
        return true
    return false
  }

  #count({ kind, source }: Secret) {
    const label = `${kind} (${source})`
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + 1)
  }

  #remember(secret: Secret) {
    if (!this.#secrets.has(secret.value)) this.#secrets.set(secret.value, secret)
  }

  #addReplacement(secret: Secret) {
    const known = this.#placeholders.get(secret.value)
    if (known !== undefined) return known
    const placeholder = placeholderFor(secret.kind, secret.value)
    this.#placeholders.set(secret.value, placeholder)
    if (secret.kind === 'address') {
      const canonical = canonicalAddress(secret.value)
      if (canonical !== undefined && !isPlaceholder(canonical))
        this.#addresses.set(canonical, secret)
    } else if (isDistinctive(secret) && this.#replacements.size < maxReplacements) {
      // The suffix of a token stays, since it has more spellings than the digits.
      const [digits, placeholderDigits] = [secret.value, placeholder].map((one) =>
        one.replace(/\+\\$/, '')
      )
      this.#replacements.set(
        secret,
        spellingReplacements(digits ?? '', placeholderDigits ?? '')
      )
    }
    return placeholder
  }
}
