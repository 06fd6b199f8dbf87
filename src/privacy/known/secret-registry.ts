/**
 * The secrets that one server has seen, and the last look at what is about to be written: a value that was secret once
 * and stands in clear elsewhere stops the write. Nothing is forgotten; a run that has seen more than the ledger holds
 * records no more.
 */
import type { Params } from '../../wiki/parameters/request-params.ts'
import { type DecodeTools, decodeLayers } from '../encodings/decode-layers.ts'
import { base64Spellings, hexSpellings, spellingsOf } from '../encodings/spellings.ts'
import { undoEscapes } from '../encodings/unescape.ts'
import { type Secret, type SecretKind, searchModeOf } from '../secrets/secret.ts'
import { canonicalAddress, mapAddresses } from '../secrets/secret-shapes.ts'
import { MultiSearch } from './multi-search.ts'
import { secretsOfHeaders, secretsOfParams } from './request-secrets.ts'
import { wholeValues } from './whole-values.ts'

/** A secret that stands in clear in what was to be written; its value is not told. */
export interface SecretLeak {
  readonly kind: SecretKind
  /** Where the session met the secret, e.g. `lgpassword`. */
  readonly source: string
}

/** Beyond so many secrets a run records no more: nothing could be promised of what it wrote. */
export const maxSecrets = 100_000
/** Only the beginning of a longer value is looked for. */
const maxSearchedLength = 512

export class SecretRegistry {
  readonly #tools: DecodeTools
  readonly #secrets: Map<string, Secret> = new Map()
  readonly #index: MultiSearch<Secret> = new MultiSearch()
  /** Secrets that only count as a whole value, by each of their spellings. */
  readonly #values: Map<string, Secret> = new Map()
  /** The caller's own addresses of IPv6 by their canonical form. */
  readonly #addresses: Map<string, Secret> = new Map()
  readonly #callerIdentifiers: Secret[] = []
  /** True where a secret holds what looks like an escape, so that it is also looked for as it is. */
  #holdsEscapes = false

  constructor(tools: DecodeTools = { inflate: () => undefined }) {
    this.#tools = tools
  }

  /** Beyond `mostSecrets` nothing more is remembered, and nothing may be written. */
  get isFull(): boolean {
    return this.#secrets.size >= maxSecrets
  }

  /**
   * Learns what a client sent: cookies, credentials, the caller's addresses, passwords and tokens among the parameters.
   * @param headers pairs of name and value, as they came
   */
  learnFromRequest(params: Params, headers: Iterable<readonly [string, string]>): void {
    this.learn(secretsOfHeaders(headers))
    this.learn(secretsOfParams(params))
  }

  /** Learns what was redacted in an answer. What an answer calls a password may be a label; then it is left out. */
  learnFromResponse(secrets: readonly Secret[]): void {
    this.learn(
      secrets.filter(
        (one) => one.kind !== 'password' || searchModeOf({ ...one, kind: 'oauth' }) === 'anywhere',
      ),
    )
  }

  learn(secrets: readonly Secret[]): void {
    for (const secret of secrets) this.#remember(secret)
  }

  get size(): number {
    return this.#secrets.size
  }

  /** Everything that is known: another ledger that learns it finds the same. */
  secrets(): readonly Secret[] {
    return [...this.#secrets.values()]
  }

  /** The caller's own addresses and e-mail, for `redactResponse`: an answer that does not say whose they are may hold them. */
  callerIdentifiers(): readonly Secret[] {
    return this.#callerIdentifiers
  }

  /**
   * The secrets that stand in clear, or in any usual encoding, in what is about to be written.
   * @param contents the file and its path; a binary body also by itself, since the file holds it in base64
   */
  findLeaks(...contents: readonly (string | Uint8Array)[]): readonly SecretLeak[] {
    return this.findSecrets(...contents).map(({ kind, source }) => ({ kind, source }))
  }

  /** The secrets themselves that stand in these texts. */
  findSecrets(...contents: readonly (string | Uint8Array)[]): readonly Secret[] {
    const found = new Set<Secret>()
    if (this.#secrets.size === 0) return []
    for (const one of contents)
      for (const text of decodeLayers(one, this.#tools, this.#holdsEscapes)) this.#find(text, found)
    return [...found]
  }

  /** Those that stand in a text just as they are: enough to replace them, not enough to write the text. */
  findUnencoded(text: string): readonly Secret[] {
    return [...this.#index.find(text)]
  }

  #find(text: string, found: Set<Secret>): void {
    for (const secret of this.#index.find(text)) found.add(secret)
    if (this.#addresses.size > 0 && mayHoldV6.test(text))
      mapAddresses(text, (spelled, canonical) => {
        const secret = this.#addresses.get(canonical)
        if (secret !== undefined) found.add(secret)
        return spelled
      })
    if (this.#values.size === 0) return
    for (const value of wholeValues(text)) {
      const secret = this.#values.get(value)
      if (secret !== undefined) found.add(secret)
    }
  }

  #remember(secret: Secret): void {
    if (this.#secrets.has(secret.value) || this.isFull) return
    const search = searchModeOf(secret)
    if (search === undefined) return
    this.#secrets.set(secret.value, secret)
    this.#holdsEscapes ||= /[%\\&]/.test(secret.value)
    if (secret.kind === 'address' || secret.kind === 'email') this.#callerIdentifiers.push(secret)
    const address = secret.kind === 'address' ? canonicalAddress(secret.value) : undefined
    if (address?.includes(':') === true) {
      this.#addresses.set(address, secret)
    } else if (address !== undefined) {
      this.#index.add({ text: address, wholeWord: true, owner: secret })
      for (const text of [...base64Spellings(address), ...hexSpellings(address)])
        this.#index.add({ text, wholeWord: false, owner: secret })
    } else if (search === 'value') {
      const base64 = Buffer.from(secret.value).toString('base64').replace(/=+$/, '')
      for (const one of [secret.value, base64, ...hexSpellings(secret.value)]) this.#values.set(one, secret)
    } else addSearchTerms(this.#index, secret, search === 'word')
  }
}

function addSearchTerms(index: MultiSearch<Secret>, secret: Secret, wholeWord: boolean): void {
  const value = secret.value.slice(0, maxSearchedLength)
  const core =
    secret.kind === 'password' || secret.kind === 'email' ? undefined : longestAlphanumericRun(value)
  for (const text of core === undefined ? searchSpellings(value) : [core])
    index.add({ text, wholeWord, owner: secret })
  for (const text of [...base64Spellings(core ?? value), ...hexSpellings(core ?? value)])
    index.add({ text, wholeWord: false, owner: secret })
}

/** As it stands in a folded text; in a form a space may be a plus sign. What looks like an escape is also looked for as it is. */
function searchSpellings(value: string): readonly string[] {
  const folded = undoEscapes(value)
  const spaced = folded.includes(' ') ? [folded, folded.replaceAll(' ', '+')] : [folded]
  return /[%\\&]/.test(value) ? [...spaced, ...spellingsOf(value)] : spaced
}

/** A text without two colons that near each other holds no address of IPv6. */
const mayHoldV6 = /(?::|%3[Aa])[0-9A-Fa-f]{0,4}(?::|%3[Aa])/

/** The longest run of letters and digits: no encoding but base64 touches it. */
function longestAlphanumericRun(value: string): string | undefined {
  const runs = value.match(/[A-Za-z0-9]+/g) ?? []
  const core = runs.reduce((best, run) => (run.length > best.length ? run : best), '')
  return core.length >= 16 ? core : undefined
}
