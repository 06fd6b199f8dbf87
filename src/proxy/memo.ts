/**
 * Ready replies to plain GETs: the second time nothing is derived, looked up or rendered. What memory has no room for
 * is written aside.
 */
import { LRUCache } from 'lru-cache'
import { type SessionNames, sessionCookies } from '../wiki/session-cookies.ts'
import type { Exchange, Reply } from './exchange.ts'
import { Overflow, type Place } from './overflow.ts'

/** Bytes of ready replies that are kept in memory. */
const memoBytes = 64 * 1024 * 1024
/** What a reply costs beside its body. */
const perReply = 500
/**
 * Of so many that come from aside one goes back into memory: what is asked often is there soon, and where all is asked
 * alike, moving each to and fro would cost more than reading it.
 */
const moveEvery = 8
/** Different headers that are remembered. */
const mostHeads = 1000

/** A reply whose body lies aside. */
interface Aside {
  readonly head: Omit<Reply, 'body'>
  readonly place: Place
}

export interface MemoOptions {
  /** Names of session cookies that no suffix tells. */
  readonly own: () => SessionNames
  /** Replies whose bodies may lie aside: a client can spell one request in any number of ways. */
  readonly mostAside: () => number
  /** Bytes in memory; 64 MB unless given. */
  readonly bytes?: number
  readonly overflow?: Overflow
}

export class ReplyMemo {
  readonly #replies: LRUCache<string, Reply>
  readonly #aside = new Map<string, Aside>()
  /** By their text: most replies have the same. */
  readonly #headers = new Map<string, Reply['headers']>()
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
      dispose: (reply, target, reason) => {
        if (reason === 'evict') this.#putAside(target, reply)
      },
    })
  }

  find(exchange: Exchange): Reply | undefined {
    if (!isPlainGet(exchange, this.#options.own())) return undefined
    return this.#replies.get(exchange.target) ?? this.#fromAside(exchange.target)
  }

  keep(exchange: Exchange, reply: Reply): void {
    if (!isPlainGet(exchange, this.#options.own())) return
    this.#aside.delete(exchange.target)
    this.#replies.set(exchange.target, reply)
  }

  close(): void {
    this.#overflow.close()
  }

  #putAside(target: string, { body, ...head }: Reply): void {
    if (this.#aside.has(target) || this.#aside.size >= this.#options.mostAside()) return
    const place = this.#overflow.write(body)
    if (place !== undefined)
      this.#aside.set(target, { head: { ...head, headers: this.#shared(head.headers) }, place })
  }

  #shared(headers: Reply['headers']): Reply['headers'] {
    const spelled = JSON.stringify(headers)
    const known = this.#headers.get(spelled)
    if (known === undefined && this.#headers.size < mostHeads) this.#headers.set(spelled, headers)
    return known ?? headers
  }

  #fromAside(target: string): Reply | undefined {
    const aside = this.#aside.get(target)
    const body = aside && this.#overflow.read(aside.place)
    if (aside === undefined || body === undefined) return undefined
    const reply = { ...aside.head, body }
    this.#fromFile += 1
    if (this.#fromFile % moveEvery === 0) this.#replies.set(target, reply)
    return reply
  }
}

/** Nothing but the URL goes into the answer: no cookie of a session, no session, no other origin, no credentials. */
const isPlainGet = ({ method, session, headers, rewriting }: Exchange, own: SessionNames): boolean =>
  method === 'GET' &&
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
