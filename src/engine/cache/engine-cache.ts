/** The response cache of one cassette: which replies may be cached, and when all of them are dropped. */
import type { IncomingRequest, Reply } from '../../http/incoming-request.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { FileSignatures } from '../../store/changes/file-signature.ts'
import type { Call, CallOutcome } from '../call.ts'
import type { CallReader } from '../call-reader.ts'
import type { EngineOptions } from '../engine-options.ts'
import { ResponseCache } from './response-cache.ts'

const maxBytes = 256 * 1024 * 1024
/** Of each replica: they are many, and each has a large index in memory. */
const maxReplicaBytes = 48 * 1024 * 1024

interface EngineCacheOptions extends Pick<EngineOptions, 'store' | 'sessions' | 'readOnly' | 'trouble'> {
  readonly calls: CallReader
  /** Called when the cassette has changed: everything made of it is to be dropped. */
  readonly onChange: () => void
}

export interface CacheSnapshot {
  /** Milliseconds since 1970. */
  readonly readAt: number
  readonly generation: number | undefined
}

export class EngineCache {
  readonly #options: EngineCacheOptions
  readonly #replies: ResponseCache
  /** Of the store, when everything in the cache was made. */
  #generation: number | undefined

  constructor(options: EngineCacheOptions) {
    this.#options = options
    const { store } = options
    this.#generation = this.#currentGeneration()
    this.#replies = new ResponseCache({
      manifest: () => store.manifest,
      isUnchanged: (signatures) => store.isUnchanged?.(signatures) === true,
      onStale: () => this.#drop(),
      bytes: store.refresh === undefined ? maxBytes : maxReplicaBytes,
    })
  }

  /** If the cassette has changed, drops cached replies, listings, epochs, tokens and the steps of walks. Sessions stay. */
  dropIfChanged(): void {
    const generation = this.#currentGeneration()
    if (generation === this.#generation) return
    this.#generation = generation
    this.#drop()
  }

  get(incoming: IncomingRequest): Reply | undefined {
    const { trouble, calls } = this.#options
    const isUsable = this.#isUsable && trouble?.plan === undefined && !calls.isForOtherWiki(incoming)
    return isUsable ? this.#replies.get(incoming) : undefined
  }

  /** To be taken before anything is read for a reply. */
  snapshot(): CacheSnapshot {
    return { readAt: Date.now(), generation: this.#generation }
  }

  put(
    { incoming, derivation }: Pick<Call, 'incoming' | 'derivation'>,
    { reply, isCacheable, dependsOn = [] }: CallOutcome,
    { readAt, generation }: CacheSnapshot,
  ): void {
    // While a large reply was made, the cassette may have changed.
    if (isCacheable !== true || !this.#isUsable || generation !== this.#generation) return
    if (changesState(derivation)) return
    const signatures = this.#signaturesOf(dependsOn, readAt)
    if (signatures !== undefined) this.#replies.put(incoming, reply, signatures)
  }

  /** False while recording, and once a client without a session has written. */
  get #isUsable(): boolean {
    return this.#options.readOnly && this.#options.sessions.common.hasNoWrites
  }

  /** Undefined where a later change of one of these recordings could not be detected. */
  #signaturesOf(keys: readonly RequestKey[], readAt: number): FileSignatures | undefined {
    const { store } = this.#options
    if (store.signaturesOf === undefined) return []
    const all = keys.map((key) => store.signaturesOf?.(key, readAt))
    const known = all.filter((one) => one !== undefined)
    return known.length > 0 && known.length === all.length ? known.flat() : undefined
  }

  #currentGeneration(): number | undefined {
    return this.#options.readOnly ? this.#options.store.generation?.() : undefined
  }

  #drop(): void {
    this.#replies.clear()
    this.#options.onChange()
  }
}

/** True of a request that writes, or that the session's tokens have a part in. */
const changesState = ({ effect, tokenTypes }: Derivation): boolean => effect !== 'read' || tokenTypes.size > 0
