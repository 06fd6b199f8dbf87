/**
 * Ready replies to requests of which nothing but their parameters counts: the second time nothing is derived, looked up
 * or rendered, however the request is spelled. By their URL they are kept in memory, by what they say in a file aside.
 */
import { LRUCache } from 'lru-cache'
import { type SessionNames, sessionCookies } from '../wiki/session-cookies.ts'
import { DigestTable } from './digest-table.ts'
import type { Exchange, Reply } from './exchange.ts'
import { Overflow } from './overflow.ts'
import { decodeReady, encodeReady } from './ready-entry.ts'
import { spelledDigest } from './spelled.ts'

/** Bytes of ready replies that are kept in memory. */
const memoBytes = 64 * 1024 * 1024
/** What a reply costs beside its body. */
const perReply = 500
/**
 * Of so many that come from aside one goes back into memory: what is asked often is there soon, and where all is asked
 * alike, moving each to and fro would cost more than reading it.
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
}

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

  /** @param anyhow true where every request that says the same gets this reply; false where only the same URL does */
  keep(exchange: Exchange, reply: Reply, anyhow: boolean): void {
    if (!isForAll(exchange, this.#options.own())) return
    if (exchange.method === 'GET') this.#replies.set(exchange.target, reply)
    if (anyhow) this.#putAside(exchange, reply)
  }

  close(): void {
    this.#overflow.close()
  }

  #putAside(exchange: Exchange, reply: Reply): void {
    const digest = this.#digest(exchange)
    if (digest === undefined || this.#aside.size >= this.#options.mostAside()) return
    const span = this.#overflow.write(encodeReady(reply))
    if (span !== undefined) this.#aside.set(digest, { ...span, sum: 0 })
  }

  #fromAside(exchange: Exchange): Reply | undefined {
    const digest = this.#aside.size === 0 ? undefined : this.#digest(exchange)
    const place = digest && this.#aside.find(digest)
    const bytes = place && this.#overflow.read(place)
    if (bytes === undefined) return undefined
    const reply = decodeReady(bytes)
    this.#fromFile += 1
    if (exchange.method === 'GET' && this.#fromFile % moveEvery === 0)
      this.#replies.set(exchange.target, reply)
    return reply
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
