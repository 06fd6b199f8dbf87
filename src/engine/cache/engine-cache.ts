/** The response cache of one cassette: what may be kept of its replies, and when all of it is dropped. */

import type { IncomingRequest, Reply } from '../../http/incoming-request.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { FileSignatures } from '../../store/changes/file-signature.ts'
import type { Store } from '../../store/store.ts'
import type { Call, CallOutcome } from '../call.ts'
import type { SessionRegistry } from '../session/session-registry.ts'
import { type CacheKey, ResponseCache } from './response-cache.ts'

export interface EngineCacheOptions {
  readonly store: Store
  readonly sessions: SessionRegistry
  /** True where nobody records into this cassette, so that a ready reply stays right. */
  readonly readOnly: boolean
  /** The cassette has changed: whatever was made of it is to be dropped. */
  readonly onChange: () => void
}

/** Of a reply, when it was begun. */
export interface CacheSlot {
  readonly cacheKey: CacheKey
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Of the store. */
  readonly generation: number | undefined
}

export class EngineCache {
  readonly #options: EngineCacheOptions
  readonly #replies: ResponseCache
  /** Of the store, when all that is kept here was made. */
  #generation: number | undefined

  constructor(options: EngineCacheOptions) {
    this.#options = options
    const { store } = options
    this.#generation = this.#currentGeneration()
    this.#replies = new ResponseCache({
      sessionCookieNames: () => store.manifest.sessionCookies ?? [],
      strict: () => store.manifest.match === 'strict',
      isUnchanged: (signatures) => store.isUnchanged?.(signatures) === true,
      onStale: () => this.#drop(),
    })
  }

  /** Drops what was made of a cassette that is no longer what it was. Sessions go on: what they have heard stays so. */
  dropIfChanged(): void {
    const generation = this.#currentGeneration()
    if (generation === this.#generation) return
    this.#generation = generation
    this.#drop()
  }

  /** Under what the reply is kept; undefined where more than the request goes into it. */
  slotFor(incoming: IncomingRequest): CacheSlot | undefined {
    const cacheKey = this.#isUsable ? this.#replies.keyOf(incoming) : undefined
    return cacheKey && { cacheKey, startedAt: Date.now(), generation: this.#generation }
  }

  get({ cacheKey }: CacheSlot): Reply | undefined {
    return this.#replies.get(cacheKey)
  }

  put(
    { cacheKey, startedAt: at, generation: state }: CacheSlot,
    { derivation }: Pick<Call, 'derivation'>,
    { reply, isCacheable, dependsOn = [] }: CallOutcome,
  ): void {
    // Where a large answer took its time, the cassette may have become another.
    if (isCacheable !== true || !this.#isUsable || state !== this.#generation) return
    const signatures = this.#signaturesOf(dependsOn, at)
    if (signatures === undefined) return
    this.#replies.put(cacheKey, reply, { ignoreSpelling: dependsOnParametersOnly(derivation), signatures })
  }

  /** False while recording, and once a client without a session has written. */
  get #isUsable(): boolean {
    const { readOnly: steady, sessions } = this.#options
    return steady && sessions.common.hasNoWrites
  }

  /** Undefined where a later change of one of these recordings could not be detected. */
  #signaturesOf(keys: readonly RequestKey[], since: number): FileSignatures | undefined {
    const { store } = this.#options
    if (store.signaturesOf === undefined) return []
    const all = keys.map((key) => store.signaturesOf?.(key, since))
    const known = all.filter((one) => one !== undefined)
    return known.length > 0 && known.length === all.length ? known.flat() : undefined
  }

  #currentGeneration(): number | undefined {
    const { store, readOnly: steady } = this.#options
    return steady ? store.generation?.() : undefined
  }

  #drop(): void {
    this.#replies.clear()
    this.#options.onChange()
  }
}

/** True where neither the order of parameters nor who has which token can change the answer, and the answer changes nothing. */
const dependsOnParametersOnly = ({ effect, orderShows, tokenTypes }: Derivation): boolean =>
  effect === 'read' && !orderShows && tokenTypes.size === 0
