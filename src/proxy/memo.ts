/**
 * Ready replies to requests of which nothing but their parameters counts: the second time nothing is derived, looked up
 * or rendered, however the request is spelled. By their URL they are kept in memory, by what they say in a file aside.
 */
import { LRUCache } from 'lru-cache'
import { type SessionNames, sessionCookies } from '../wiki/session-cookies.ts'
import { DigestTable, type Place } from './digest-table.ts'
import type { Exchange, Reply } from './exchange.ts'
import { Overflow } from './overflow.ts'
import type { Pack } from './pack.ts'
import { decodeReady, encodeReady, type Origin, type ReadyEntry } from './ready-entry.ts'
import { spelledDigest } from './spelled.ts'

/** Bytes of ready replies that are kept in memory. */
const memoBytes = 64 * 1024 * 1024
/** What a reply costs beside its body. */
const perReply = 500
/**
 * Of so many that come from aside one goes back into memory that is full: what is asked often is there soon, and where
 * all is asked alike, moving each to and fro would cost more than reading it.
 */
const moveEvery = 8

export interface MemoOptions {
  /** Names of session cookies that no suffix tells. */
  readonly own: () => SessionNames
  /** True where requests spelled otherwise are other requests. */
  readonly strict: () => boolean
  /** Replies that may lie aside: a client can think of any number of requests that get the same. */
  readonly mostAside: () => number
  /** Bytes in memory; 64 MB unless given. */
  readonly bytes?: number
  readonly overflow?: Overflow
  /** Of earlier runs. */
  readonly pack?: Pack | undefined
  /** False where a reply of an earlier run would lead a client back to where it was. */
  readonly getsOn?: (origin: Origin) => boolean
}

/** In the table of what lies aside, for a checksum: whether another run may have it too. */
const forThisRun = 0
const forAnyRun = 1

export class ReplyMemo {
  readonly #replies: LRUCache<string, Reply>
  readonly #aside = new DigestTable()
  /** Replies that came from aside. */
  #fromFile = 0
  readonly #overflow: Overflow
  readonly #options: MemoOptions

  constructor(options: MemoOptions) {
    this.#options = options
    this.#overflow = options.overflow ?? new Overflow()
    this.#replies = new LRUCache({
      maxSize: options.bytes ?? memoBytes,
      sizeCalculation: (one) => one.body.length + perReply,
    })
  }

  /** True where a reply to it may be kept by its URL. */
  takes(exchange: Exchange): boolean {
    return exchange.method === 'GET' && isForAll(exchange, this.#options.own())
  }

  has(exchange: Exchange): boolean {
    if (!this.takes(exchange)) return false
    if (this.#replies.has(exchange.target)) return true
    const digest = this.#digest(exchange)
    return digest !== undefined && this.#aside.find(digest) !== undefined
  }

  find(exchange: Exchange): Reply | undefined {
    if (!isForAll(exchange, this.#options.own())) return undefined
    const known = exchange.method === 'GET' ? this.#replies.get(exchange.target) : undefined
    return known ?? this.#fromAside(exchange)
  }

  /**
   * @param anyhow true where every request that says the same gets this reply; false where only the same URL does
   * @param origin what another run can know it by that it is still right
   */
  keep(exchange: Exchange, reply: Reply, anyhow: boolean, origin?: Origin): void {
    if (!isForAll(exchange, this.#options.own())) return
    if (exchange.method === 'GET') this.#replies.set(exchange.target, reply)
    if (anyhow) this.#putAside(exchange, { reply, origin })
  }

  /** Leaves to later runs what they may use. */
  close(): void {
    if (this.#lasting().next().done !== true) this.#options.pack?.save(this.#lastingEntries())
    this.#overflow.close()
  }

  *#lasting(): IterableIterator<readonly [digest: Buffer, place: Place]> {
    for (const one of this.#aside.entries()) if (one[1].sum === forAnyRun) yield one
  }

  *#lastingEntries(): IterableIterator<readonly [digest: Buffer, bytes: Buffer]> {
    for (const [digest, place] of this.#lasting()) {
      const bytes = this.#overflow.read(place)
      if (bytes !== undefined) yield [digest, bytes]
    }
  }

  #putAside(exchange: Exchange, { reply, origin }: ReadyEntry): void {
    const digest = this.#digest(exchange)
    if (digest === undefined || this.#aside.size >= this.#options.mostAside()) return
    const span = this.#overflow.write(encodeReady(reply, origin))
    if (span !== undefined) this.#aside.set(digest, { ...span, sum: origin ? forAnyRun : forThisRun })
  }

  #fromAside(exchange: Exchange): Reply | undefined {
    const { pack } = this.#options
    if (this.#aside.size === 0 && pack?.isProven !== true) return undefined
    const digest = this.#digest(exchange)
    const reply = digest && (this.#ofThisRun(digest) ?? this.#ofEarlierRun(digest))
    if (reply === undefined) return undefined
    this.#fromFile += 1
    const hasRoom = this.#replies.calculatedSize + reply.body.length + perReply <= this.#replies.maxSize
    if (exchange.method === 'GET' && (hasRoom || this.#fromFile % moveEvery === 0))
      this.#replies.set(exchange.target, reply)
    return reply
  }

  #ofThisRun(digest: Buffer): Reply | undefined {
    const place = this.#aside.find(digest)
    const bytes = place && this.#overflow.read(place)
    return bytes && decodeReady(bytes).reply
  }

  #ofEarlierRun(digest: Buffer): Reply | undefined {
    const { pack, getsOn } = this.#options
    const { reply, origin } = pack?.find(digest) ?? {}
    return origin !== undefined && getsOn?.(origin) === true ? reply : undefined
  }

  #digest(exchange: Exchange): Buffer | undefined {
    return spelledDigest(exchange, this.#options.strict())
  }
}

/** Nothing but the request itself goes into the answer: no cookie of a session, no session, no other origin, no credentials. */
const isForAll = ({ method, session, headers, rewriting }: Exchange, own: SessionNames): boolean =>
  method !== 'HEAD' &&
  session === '' &&
  rewriting === undefined &&
  !mayTellWho(headers['cookie'], own) &&
  headers['authorization'] === undefined

/** What an edge had a client remember says nothing of who asks; a header as long as no edge's is looked at elsewhere. */
function mayTellWho(cookie: Exchange['headers'][string], own: SessionNames): boolean {
  if (cookie === undefined) return false
  if (typeof cookie !== 'string' || cookie.length > 4096) return true
  const names = cookie.split(';').map((pair) => ({ name: pair.split('=', 1)[0]?.trim() ?? '' }))
  return sessionCookies(names, own).length > 0
}
