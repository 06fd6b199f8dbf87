/** In-memory cache of replies that depend on nothing but the request as sent. A hit is checked against the reply's files. */
import { LRUCache } from 'lru-cache'
import {
  headerText,
  type IncomingRequest,
  type Reply
} from '../../http/incoming-request.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { checkEveryMs, type FileSignatures } from '../../store/files/change-detector.ts'
import type { Call, CallOutcome } from '../call.ts'
import type { CallReader } from '../call-reader.ts'
import type { EngineContext } from '../engine-options.ts'

/** Bytes of requests and reply bodies. */
const maxBytes = 256 * 1024 * 1024
/** Of each replica: they are many, and each has a large index in memory. */
const maxReplicaBytes = 48 * 1024 * 1024
/** Bytes of an entry beside these. */
const entryOverhead = 500
/** Milliseconds between two checks of an entry, for each entry there is: a check takes some 5 µs, so all take 2 % of the time. */
const checkMsPerEntry = 0.25
const maxCheckEveryMs = 2000

interface CacheSnapshot {
  /** Milliseconds since 1970. */
  readonly readAt: number
  readonly generation: number | undefined
}

interface CachedReply {
  readonly reply: Reply
  readonly signatures: FileSignatures
  /** When the files are checked next, by the clock of `performance.now`. */
  nextCheck: number
}

export class ResponseCache {
  readonly #context: EngineContext
  readonly #calls: CallReader
  readonly #onChange: () => void
  readonly #entries: LRUCache<string, CachedReply>
  /** Of the store, when everything in the cache was made. */
  #generation: number | undefined

  /** @param onChange called when the cassette has changed: what was made of it is to be dropped */
  constructor(
    context: EngineContext,
    calls: CallReader,
    onChange: () => void,
    bytes?: number
  ) {
    this.#context = context
    this.#calls = calls
    this.#onChange = onChange
    this.#generation = this.#currentGeneration()
    this.#entries = new LRUCache({
      maxSize: bytes ?? (context.store.refresh ? maxReplicaBytes : maxBytes),
      sizeCalculation: ({ reply }, key) => reply.body.length + key.length + entryOverhead
    })
  }

  get(incoming: IncomingRequest): Reply | undefined {
    const generation = this.#currentGeneration()
    if (generation !== this.#generation) this.#drop()
    this.#generation = generation
    if (this.#entries.size === 0 || !this.#isUsable || this.#context.trouble?.plan)
      return undefined
    if (this.#calls.isForOtherWiki(incoming) || !isCallerIndependent(incoming))
      return undefined
    const entry = this.#entries.get(keyOf(incoming))
    if (!entry || this.#isCurrent(entry)) return entry?.reply
    this.#drop()
    return undefined
  }

  /** To be taken before anything is read for a reply. */
  snapshot(): CacheSnapshot {
    return { readAt: Date.now(), generation: this.#generation }
  }

  /** Does nothing where anything but the request itself may go into the reply. */
  put(
    { incoming, derivation }: Pick<Call, 'incoming' | 'derivation'>,
    { reply, isCacheable, dependsOn = [] }: CallOutcome,
    { readAt, generation }: CacheSnapshot
  ): void {
    // While a large reply was made, the cassette may have changed.
    if (!isCacheable || !this.#isUsable || generation !== this.#generation) return
    if (changesState(derivation) || !isCallerIndependent(incoming)) return
    const signatures = this.#signaturesOf(dependsOn, readAt)
    const nextCheck = this.#nextCheckAfter(performance.now())
    if (signatures) this.#entries.set(keyOf(incoming), { reply, signatures, nextCheck })
  }

  /** False while recording, and once a client without a session has written. */
  get #isUsable() {
    return this.#context.readOnly && this.#context.sessions.common.writes.length === 0
  }

  /** None where files cannot change; undefined where a later change of one of these recordings could not be detected. */
  #signaturesOf(keys: readonly RequestKey[], readAt: number) {
    const { store } = this.#context
    if (!store.signaturesOf) return []
    const all = keys.map((key) => store.signaturesOf?.(key, readAt))
    const known = all.filter((one) => one !== undefined)
    return known.length > 0 && known.length === all.length ? known.flat() : undefined
  }

  #currentGeneration() {
    return this.#context.readOnly ? this.#context.store.generation?.() : undefined
  }

  /** Drops cached replies and the steps of walks. Listings follow the generation by themselves (replay/folder-snapshot.ts). Sessions stay. */
  #drop() {
    this.#entries.clear()
    this.#onChange()
  }

  #isCurrent(entry: CachedReply) {
    const now = performance.now()
    if (entry.signatures.length === 0 || now < entry.nextCheck) return true
    entry.nextCheck = this.#nextCheckAfter(now)
    return this.#context.store.isUnchanged?.(entry.signatures) === true
  }

  #nextCheckAfter(now: number) {
    return (
      now +
      Math.max(
        checkEveryMs,
        Math.min(maxCheckEveryMs, checkMsPerEntry * this.#entries.size)
      )
    )
  }
}

/** True where no session, no credentials and no other address go into the reply. */
function isCallerIndependent({ method, session, headers, rewriting }: IncomingRequest) {
  const isPlain = method !== 'HEAD' && session === '' && rewriting === undefined
  const credentials = ['authorization', 'cookie', 'treat-as-untrusted']
  return isPlain && credentials.every((name) => headers[name] === undefined)
}

/** All that a request says, and the languages that its client accepts. A URL holds no line break. */
function keyOf({ method, target, headers, body }: IncomingRequest) {
  const language = headers['accept-language']
  const address = language === undefined ? target : `${target}\n${language}`
  if (method === 'GET') return address
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
  const types = [
    headerText(headers, 'content-type'),
    headerText(headers, 'content-encoding')
  ]
  return [address, ...types, text].join('\n')
}

/** True of a request that writes, or that the session's tokens have a part in. */
const changesState = ({ effect, tokenTypes }: Derivation) =>
  effect !== 'read' || tokenTypes.size > 0
