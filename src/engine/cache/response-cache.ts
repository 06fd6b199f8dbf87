/**
 * In-memory cache of replies to requests that depend on nothing but their own parameters, whoever sends them. Found by
 * the URL as sent, or by the digest of the parameters (`request-digest.ts`). A hit is checked against the files that the
 * reply was made of.
 */
import { LRUCache } from 'lru-cache'
import type { Manifest } from '../../cassette/format/manifest.ts'
import type { IncomingRequest, Reply } from '../../http/incoming-request.ts'
import { checkEveryMs } from '../../store/changes/change-detector.ts'
import type { FileSignatures } from '../../store/changes/file-signature.ts'
import { selectSessionCookies } from '../../wiki/cookies/session-cookies.ts'
import { requestDigest } from './request-digest.ts'

/** Of reply bodies. */
const maxBytes = 256 * 1024 * 1024
/** Of URLs under which entries are found. */
const maxUrlBytes = maxBytes / 8
/** Bytes of an entry beside its body. */
const entryOverhead = 500

export interface ResponseCacheOptions {
  readonly manifest: () => Pick<Manifest, 'sessionCookies' | 'match'>
  /** False where one of these files has changed. */
  readonly isUnchanged: (signatures: FileSignatures) => boolean
  /** Called with a stale entry: everything made of the cassette has to be dropped. */
  readonly onStale: () => void
  readonly bytes?: number
}

export interface PutOptions {
  /** True where every request with the same parameters gets this reply; false where only the same URL does. */
  readonly ignoreSpelling: boolean
  /** Of all files that the reply was made of; none where files cannot change. */
  readonly signatures: FileSignatures
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
  /** The key of an entry by each URL that led to it: such a hit needs no digest. */
  readonly #keyByUrl: LRUCache<string, string>

  constructor(options: ResponseCacheOptions) {
    this.#options = options
    this.#entries = new LRUCache({
      maxSize: options.bytes ?? maxBytes,
      sizeCalculation: ({ reply }) => reply.body.length + entryOverhead,
    })
    this.#keyByUrl = new LRUCache({
      maxSize: maxUrlBytes,
      sizeCalculation: (_, url) => url.length + entryOverhead,
    })
  }

  get(incoming: IncomingRequest): Reply | undefined {
    if (this.#entries.size === 0 || !this.#isCallerIndependent(incoming)) return undefined
    const url = urlOf(incoming)
    const known = url === undefined ? undefined : this.#keyByUrl.get(url)
    const key = known ?? this.#digestOf(incoming)
    const entry = key === undefined ? undefined : this.#entries.get(key)
    if (key === undefined || entry === undefined) return undefined
    if (!this.#isCurrent(entry)) {
      this.#options.onStale()
      return undefined
    }
    if (known === undefined && url !== undefined) this.#keyByUrl.set(url, key)
    return entry.reply
  }

  /** Does nothing where anything but the request itself may go into the reply. */
  put(incoming: IncomingRequest, reply: Reply, { ignoreSpelling, signatures }: PutOptions): void {
    if (!this.#isCallerIndependent(incoming)) return
    const url = urlOf(incoming)
    const key = (ignoreSpelling ? this.#digestOf(incoming) : undefined) ?? url
    if (key === undefined) return
    this.#entries.set(key, { reply, signatures, nextCheck: performance.now() + checkEveryMs })
    if (url !== undefined) this.#keyByUrl.set(url, key)
  }

  clear(): void {
    this.#entries.clear()
    this.#keyByUrl.clear()
  }

  #digestOf(incoming: IncomingRequest): string | undefined {
    return this.#options.manifest().match === 'strict' ? undefined : requestDigest(incoming)
  }

  #isCurrent(entry: CachedReply): boolean {
    const now = performance.now()
    if (entry.signatures.length === 0 || now < entry.nextCheck) return true
    entry.nextCheck = now + checkEveryMs
    return this.#options.isUnchanged(entry.signatures)
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

const urlOf = ({ method, target }: IncomingRequest): string | undefined =>
  method === 'GET' ? target : undefined
