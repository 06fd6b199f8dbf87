/**
 * The secrets that a run has seen, and the last check of what is written: a known secret in it prevents the write. Nothing is
 * forgotten; a run with too many secrets records no more.
 */
import type { Params } from '../../wiki/parameters/request-params.ts'
import { decodeLayers } from '../encodings/decode-layers.ts'
import {
  base64Spellings,
  hexSpellings,
  spellingsOf,
  undoEscapes
} from '../encodings/spellings.ts'
import {
  canonicalAddress,
  mapAddresses,
  ownMachine,
  type Secret,
  searchModeOf
} from '../secrets/secret.ts'
import { MultiSearch } from './multi-search.ts'
import { secretsOfHeaders, secretsOfParams } from './request-secrets.ts'

/** A known secret in a file that was to be written, without its value. */
export type SecretLeak = Omit<Secret, 'value'>

/** A run with more secrets records no more, since its files could not be checked. */
export const maxSecrets = 100_000
/** Only the beginning of a longer value is searched for. */
const maxSearchedLength = 512

export class SecretRegistry {
  readonly #secrets: Map<string, Secret> = new Map()
  readonly #index: MultiSearch<Secret> = new MultiSearch()
  /** Secrets that are searched for as whole values, by each of their spellings. */
  readonly #values: Map<string, Secret> = new Map()
  /** The caller's IPv6 addresses by their canonical form. */
  readonly #addresses: Map<string, Secret> = new Map()
  readonly #callerIdentifiers: Map<string, Secret> = new Map()

  /** When full, nothing more is learned, and nothing may be written. */
  get isFull(): boolean {
    return this.#secrets.size >= maxSecrets
  }

  /** Learns what a client sent: cookies, credentials, the caller's addresses, passwords and tokens. */
  learnFromRequest(params: Params, headers: Iterable<readonly [string, string]>): void {
    this.learn(secretsOfHeaders(headers))
    this.learn(secretsOfParams(params))
  }

  /** Learns what was redacted in an answer, except passwords that may be labels. */
  learnFromResponse(secrets: readonly Secret[]): void {
    const isGenerated = (one: Secret) =>
      searchModeOf({ ...one, kind: 'oauth' }) === 'anywhere'
    this.learn(secrets.filter((one) => one.kind !== 'password' || isGenerated(one)))
  }

  learn(secrets: readonly Secret[]): void {
    for (const secret of secrets) this.#remember(secret)
  }

  get size(): number {
    return this.#secrets.size
  }

  /** The caller's addresses and e-mail, which `redactResponse` replaces wherever an answer contains them. */
  callerIdentifiers(): readonly Secret[] {
    return [...this.#callerIdentifiers.values()]
  }

  /** Known secrets in what is about to be written, in any usual encoding; a binary body is searched by itself, too. */
  findLeaks(...contents: readonly (string | Uint8Array)[]): readonly SecretLeak[] {
    return this.findSecrets(...contents).map(({ kind, source }) => ({ kind, source }))
  }

  findSecrets(...contents: readonly (string | Uint8Array)[]): readonly Secret[] {
    const found = new Set<Secret>()
    if (this.#secrets.size === 0) return []
    for (const one of contents)
      for (const text of decodeLayers(one)) this.#find(text, found)
    return [...found].map((one) => this.#secrets.get(one.value) ?? one)
  }

  /** The known secrets in a text as it is. That suffices to replace them, but not to write the text. */
  findUnencoded(text: string): readonly Secret[] {
    return [...this.#index.find(text)]
  }

  #find(text: string, found: Set<Secret>) {
    for (const secret of this.#index.find(text)) found.add(secret)
    if (this.#addresses.size > 0 && mayHoldV6.test(text))
      mapAddresses(text, (spelled, canonical) => {
        const secret = this.#addresses.get(canonical)
        if (secret) found.add(secret)
        return spelled
      })
    if (this.#values.size === 0) return
    for (const [value] of text.matchAll(wholeValue)) {
      const secret = this.#values.get(value)
      if (secret) found.add(secret)
    }
  }

  #remember(secret: Secret) {
    const known = this.#secrets.get(secret.value)
    if ((known && known.source !== ownMachine) || this.isFull) return
    const search = searchModeOf(secret)
    if (search === undefined) return
    // What the wiki says counts more than what this machine says of itself.
    this.#secrets.set(secret.value, secret)
    if (secret.kind === 'address' || secret.kind === 'email')
      this.#callerIdentifiers.set(secret.value, secret)
    if (known) return
    const address = secret.kind === 'address' ? canonicalAddress(secret.value) : undefined
    if (address?.includes(':')) {
      this.#addresses.set(address, secret)
    } else if (address !== undefined) {
      this.#addTerms(secret, [address], true, address)
    } else if (search === 'value') {
      const base64 = Buffer.from(secret.value).toString('base64').replace(/=+$/, '')
      for (const one of [secret.value, base64, ...hexSpellings(secret.value)])
        this.#values.set(one, secret)
    } else {
      const value = secret.value.slice(0, maxSearchedLength)
      const core = /^(?:password|email)$/.test(secret.kind)
        ? undefined
        : longestAlphanumericRun(value)
      const plain = core === undefined ? searchSpellings(value) : [core]
      this.#addTerms(secret, plain, search === 'word', core ?? value)
    }
  }

  /** @param encoded is also searched for in base64 and hex, anywhere */
  #addTerms(
    owner: Secret,
    plain: readonly string[],
    wholeWord: boolean,
    encoded: string
  ) {
    for (const text of plain) this.#index.add({ text, wholeWord, owner })
    for (const text of [...base64Spellings(encoded), ...hexSpellings(encoded)])
      this.#index.add({ text, wholeWord: false, owner })
  }
}

/** As in unescaped text; in a form a space may be a plus sign. What looks like an escape is also searched for as it is. */
function searchSpellings(value: string) {
  const folded = undoEscapes(value)
  const spaced = folded.includes(' ') ? [folded, folded.replaceAll(' ', '+')] : [folded]
  return /[%\\&]/.test(value) ? [...spaced, ...spellingsOf(value)] : spaced
}

/** Two colons, without which a text contains no IPv6 address. */
const mayHoldV6 = /(?::|%3[Aa])[0-9A-Fa-f]{0,4}(?::|%3[Aa])/

/** The longest run of letters and digits, which only base64 and hex encode. */
function longestAlphanumericRun(value: string) {
  const runs = value.match(/[A-Za-z0-9]+/g) ?? []
  const core = runs.reduce((best, run) => (run.length > best.length ? run : best), '')
  return core.length >= 16 ? core : undefined
}

/** Whole values of four characters and more: between quotes, tags, separators of query strings, and line ends. */
const wholeValue =
  /(?<=^|["'=>:[,(|]|[:,[=]\s|\n\s{0,64})[^\s"'<>&;,=:()[\]{}|\\]{4,512}(?=={0,2}(?:$|["'<&;,)\]}|])|\s*[\n\]}])/g
