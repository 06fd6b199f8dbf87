/**
 * In-memory cache of replies to requests that depend on nothing but their own parameters. Found by the URL as sent, or by
 * what the request says (request-digest.ts). An entry is checked against the files it was made of when it is used.
 */
import { LRUCache } from 'lru-cache'
import type { IncomingRequest, Reply } from '../../http/incoming-request.ts'
import { checkEveryMs } from '../../store/changes/change-detector.ts'
import type { FileSignatures } from '../../store/changes/file-signature.ts'
import { type SessionCookieNames, selectSessionCookies } from '../../wiki/cookies/session-cookies.ts'
import { requestDigest } from './request-digest.ts'

/** Bytes of reply bodies that are kept. */
const maxBytes = 256 * 1024 * 1024
/** Bytes of URLs under which entries are found. */
const maxUrlBytes = maxBytes / 8
/** Bytes of an entry beside its body. */
const entryOverhead = 500

export interface ResponseCacheOptions {
  /** Names of session cookies that no suffix tells. */
  readonly sessionCookieNames: () => SessionCookieNames
  /** True where requests that are spelled differently are different requests. */
  readonly strict: () => boolean
  /** False where one of these files is no longer what it was. */
  readonly isUnchanged: (signatures: FileSignatures) => boolean
  /** Called with a stale entry: everything made of the cassette has to be dropped. */
  readonly onStale: () => void
  readonly bytes?: number
}

export interface PutOptions {
  /** True where every request that says the same gets this reply; false where only the same URL does. */
  readonly ignoreSpelling: boolean
  /** The signatures of all files that the reply was made of; none where files cannot change. */
  readonly signatures: FileSignatures
}

interface CachedReply {
  readonly reply: Reply
  readonly signatures: FileSignatures
  /** When the files are checked next, by the clock of `performance.now`. */
  nextCheck: number
}

/** What one request may be found by. The digest is computed only where the URL is not known. */
export class CacheKey {
  /** Undefined for a POST. */
  readonly url: string | undefined
  readonly #incoming: IncomingRequest
  readonly #isStrict: () => boolean
  #digest: string | undefined
  #hasDigest = false

  constructor(incoming: IncomingRequest, isStrict: () => boolean) {
    this.url = incoming.method === 'GET' ? incoming.target : undefined
    this.#incoming = incoming
    this.#isStrict = isStrict
  }

  get digest(): string | undefined {
    if (!this.#hasDigest && !this.#isStrict()) this.#digest = requestDigest(this.#incoming)
    this.#hasDigest = true
    return this.#digest
  }
}

export class ResponseCache {
  readonly #options: ResponseCacheOptions
  readonly #entries: LRUCache<string, CachedReply>
  /** The key of an entry by each URL that led to it. */
  readonly #keyByUrl: LRUCache<string, string>

  constructor(options: ResponseCacheOptions) {
    this.#options = options
    const { bytes = maxBytes } = options
    this.#entries = new LRUCache({
      maxSize: bytes,
      sizeCalculation: ({ reply }) => reply.body.length + entryOverhead,
    })
    this.#keyByUrl = new LRUCache({
      maxSize: maxUrlBytes,
      sizeCalculation: (_, url) => url.length + entryOverhead,
    })
  }

  /** Undefined where anything but the request itself may go into its answer. */
  keyOf(incoming: IncomingRequest): CacheKey | undefined {
    const { sessionCookieNames: own, strict } = this.#options
    return isCallerIndependent(incoming, own) ? new CacheKey(incoming, strict) : undefined
  }

  get(key: CacheKey): Reply | undefined {
    if (this.#entries.size === 0) return undefined
    const known = key.url === undefined ? undefined : this.#keyByUrl.get(key.url)
    const name = known ?? key.digest
    const entry = name === undefined ? undefined : this.#entries.get(name)
    if (name === undefined || entry === undefined) return undefined
    if (!this.#isCurrent(entry)) {
      this.#options.onStale()
      return undefined
    }
    if (known === undefined && key.url !== undefined) this.#keyByUrl.set(key.url, name)
    return entry.reply
  }

  put(key: CacheKey, reply: Reply, { ignoreSpelling, signatures }: PutOptions): void {
    const name = (ignoreSpelling ? key.digest : undefined) ?? key.url
    if (name === undefined) return
    this.#entries.set(name, { reply, signatures, nextCheck: performance.now() + checkEveryMs })
    if (key.url !== undefined) this.#keyByUrl.set(key.url, name)
  }

  clear(): void {
    this.#entries.clear()
    this.#keyByUrl.clear()
  }

  #isCurrent(entry: CachedReply): boolean {
    const now = performance.now()
    if (entry.signatures.length === 0 || now < entry.nextCheck) return true
    entry.nextCheck = now + checkEveryMs
    return this.#options.isUnchanged(entry.signatures)
  }
}

/** True where no session, no credentials and no other address go into the answer. */
const isCallerIndependent = (
  { method, session, headers, rewriting }: IncomingRequest,
  sessionCookieNames: () => SessionCookieNames,
): boolean =>
  method !== 'HEAD' &&
  session === '' &&
  rewriting === undefined &&
  !mayNameSession(headers['cookie'], sessionCookieNames) &&
  headers['authorization'] === undefined

/** An edge's cookies say nothing of who asks. A longer header than any edge's is not parsed here. */
function mayNameSession(
  cookie: IncomingRequest['headers'][string],
  sessionCookieNames: () => SessionCookieNames,
): boolean {
  if (cookie === undefined) return false
  if (typeof cookie !== 'string' || cookie.length > 4096) return true
  const names = cookie.split(';').map((pair) => ({ name: pair.split('=', 1)[0]?.trim() ?? '' }))
  return selectSessionCookies(names, sessionCookieNames()).length > 0
}
