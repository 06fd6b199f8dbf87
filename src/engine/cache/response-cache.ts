/** In-memory cache of replies that depend on nothing but the request as it was sent. A hit is checked against the files it was made of. */
import { LRUCache } from 'lru-cache'
import type { Manifest } from '../../cassette/format/manifest.ts'
import { headerText, type IncomingRequest, type Reply } from '../../http/incoming-request.ts'
import { checkEveryMs } from '../../store/changes/change-detector.ts'
import type { FileSignatures } from '../../store/changes/file-signature.ts'
import { selectSessionCookies } from '../../wiki/cookies/session-cookies.ts'

/** Bytes of an entry beside these. */
const entryOverhead = 500
/** Milliseconds between two checks of an entry, for each entry there is: a check takes some 5 µs, so all take 2 % of the time. */
const checkMsPerEntry = 0.25
const maxCheckEveryMs = 2000

export interface ResponseCacheOptions {
  readonly manifest: () => Pick<Manifest, 'sessionCookies'>
  readonly isUnchanged: (signatures: FileSignatures) => boolean
  /** Called with a stale entry: everything made of the cassette has to be dropped. */
  readonly onStale: () => void
  /** Of requests and reply bodies. */
  readonly bytes: number
}

interface CachedReply {
  readonly reply: Reply
  readonly signatures: FileSignatures
  /** When the files are checked next, by the clock of `performance.now`. */
  nextCheck: number
}

export class ResponseCache {
  readonly #options: ResponseCacheOptions
  readonly #entries: LRUCache<string, CachedReply>

  constructor(options: ResponseCacheOptions) {
    this.#options = options
    this.#entries = new LRUCache({
      maxSize: options.bytes,
      sizeCalculation: ({ reply }, key) => reply.body.length + key.length + entryOverhead,
    })
  }

  get(incoming: IncomingRequest): Reply | undefined {
    if (this.#entries.size === 0 || !this.#isCallerIndependent(incoming)) return undefined
    const entry = this.#entries.get(keyOf(incoming))
    if (entry === undefined || this.#isCurrent(entry)) return entry?.reply
    this.#options.onStale()
    return undefined
  }

  /**
   * Does nothing where anything but the request itself may go into the reply.
   * @param signatures of all files that the reply was made of; none where files cannot change
   */
  put(incoming: IncomingRequest, reply: Reply, signatures: FileSignatures): void {
    if (!this.#isCallerIndependent(incoming)) return
    this.#entries.set(keyOf(incoming), {
      reply,
      signatures,
      nextCheck: this.#nextCheckAfter(performance.now()),
    })
  }

  clear(): void {
    this.#entries.clear()
  }

  #isCurrent(entry: CachedReply): boolean {
    const now = performance.now()
    if (entry.signatures.length === 0 || now < entry.nextCheck) return true
    entry.nextCheck = this.#nextCheckAfter(now)
    return this.#options.isUnchanged(entry.signatures)
  }

  #nextCheckAfter(now: number): number {
    return now + Math.max(checkEveryMs, Math.min(maxCheckEveryMs, checkMsPerEntry * this.#entries.size))
  }

  /** True where no session, no credentials and no other address go into the reply. */
  #isCallerIndependent({ method, session, headers, rewriting }: IncomingRequest): boolean {
    const isPlain = method !== 'HEAD' && session === '' && rewriting === undefined
    return isPlain && headers['authorization'] === undefined && !this.#mayNameSession(headers['cookie'])
  }

  /** An edge's cookies do not tell who asks. A longer header than any edge's is not parsed. */
  #mayNameSession(cookie: IncomingRequest['headers'][string]): boolean {
    if (cookie === undefined) return false
    if (typeof cookie !== 'string' || cookie.length > 4096) return true
    const names = cookie.split(';').map((pair) => ({ name: pair.split('=', 1)[0]?.trim() ?? '' }))
    return selectSessionCookies(names, this.#options.manifest().sessionCookies ?? []).length > 0
  }
}

/** All that a request says. A URL holds no line break. */
const keyOf = ({ method, target, headers, body }: IncomingRequest): string =>
  method === 'GET'
    ? target
    : [
        target,
        headerText(headers, 'content-type'),
        headerText(headers, 'content-encoding'),
        Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'),
      ].join('\n')
