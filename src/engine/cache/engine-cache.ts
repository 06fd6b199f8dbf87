/** The response cache of one cassette: what may be kept of its replies, and when all of it is dropped. */

import type { Exchange, Reply } from '../../http/incoming-request.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { FileSignatures } from '../../store/changes/file-signature.ts'
import type { Store } from '../../store/store.ts'
import type { Call, Outcome } from '../call.ts'
import type { Sessions } from '../session/session-registry.ts'
import { type CacheKey, ResponseCache } from './response-cache.ts'

export interface CassetteCacheOptions {
  readonly store: Store
  readonly sessions: Sessions
  /** True where nobody records into this cassette, so that a ready reply stays right. */
  readonly steady: boolean
  /** The cassette has changed: whatever was made of it is to be dropped. */
  readonly onChange: () => void
}

/** Of a reply, when it was begun. */
export interface Begun {
  readonly cacheKey: CacheKey
  /** Milliseconds since 1970. */
  readonly at: number
  /** Of the store. */
  readonly state: number | undefined
}

export class CassetteCache {
  readonly #options: CassetteCacheOptions
  readonly #replies: ResponseCache
  /** Of the store, when all that is kept here was made. */
  #state: number | undefined

  constructor(options: CassetteCacheOptions) {
    this.#options = options
    const { store } = options
    this.#state = this.#stateNow()
    this.#replies = new ResponseCache({
      own: () => store.manifest.sessionCookies ?? [],
      strict: () => store.manifest.match === 'strict',
      isUnchanged: (signatures) => store.stands?.(signatures) === true,
      onStale: () => this.#drop(),
    })
  }

  /** Drops what was made of a cassette that is no longer what it was. Sessions go on: what they have heard stays so. */
  dropIfChanged(): void {
    const state = this.#stateNow()
    if (state === this.#state) return
    this.#state = state
    this.#drop()
  }

  /** Under what the reply is kept; undefined where more than the request goes into it. */
  begin(exchange: Exchange): Begun | undefined {
    const cacheKey = this.#isUsable ? this.#replies.keyOf(exchange) : undefined
    return cacheKey && { cacheKey, at: Date.now(), state: this.#state }
  }

  get({ cacheKey }: Begun): Reply | undefined {
    return this.#replies.get(cacheKey)
  }

  put({ cacheKey, at, state }: Begun, { derivation }: Call, { reply, lasting, rests = [] }: Outcome): void {
    // Where a large answer took its time, the cassette may have become another.
    if (lasting !== true || !this.#isUsable || state !== this.#state) return
    const signatures = this.#signaturesOf(rests, at)
    if (signatures === undefined) return
    this.#replies.put(cacheKey, reply, { ignoreSpelling: countsByParameters(derivation), signatures })
  }

  /** False while recording, and once a client without a session has written. */
  get #isUsable(): boolean {
    const { steady, sessions } = this.#options
    return steady && sessions.common.pristine
  }

  /** Undefined where a later change of one of these recordings could not be detected. */
  #signaturesOf(keys: readonly RequestKey[], since: number): FileSignatures | undefined {
    const { store } = this.#options
    if (store.footing === undefined) return []
    const all = keys.map((key) => store.footing?.(key, since))
    const known = all.filter((one) => one !== undefined)
    return known.length > 0 && known.length === all.length ? known.flat() : undefined
  }

  #stateNow(): number | undefined {
    const { store, steady } = this.#options
    return steady ? store.state?.() : undefined
  }

  #drop(): void {
    this.#replies.clear()
    this.#options.onChange()
  }
}

/** True where neither the order of parameters nor who has which token can change the answer, and the answer changes nothing. */
const countsByParameters = ({ effect, orderShows, tokenTypes }: Derivation): boolean =>
  effect === 'read' && !orderShows && tokenTypes.size === 0
