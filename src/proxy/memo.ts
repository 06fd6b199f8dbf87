/** Ready replies to plain GETs: the second time nothing is derived, looked up or rendered. */
import { LRUCache } from 'lru-cache'
import { type SessionNames, sessionCookies } from '../wiki/session-cookies.ts'
import type { Exchange, Reply } from './exchange.ts'

/** Bytes of ready replies that are kept. */
const memoBytes = 256 * 1024 * 1024

export class ReplyMemo {
  readonly #replies = new LRUCache<string, Reply>({
    maxSize: memoBytes,
    sizeCalculation: (one) => one.body.length + 500,
  })

  readonly #own: () => SessionNames

  /** @param own names of session cookies that no suffix tells */
  constructor(own: () => SessionNames) {
    this.#own = own
  }

  find(exchange: Exchange): Reply | undefined {
    return isPlainGet(exchange, this.#own()) ? this.#replies.get(exchange.target) : undefined
  }

  keep(exchange: Exchange, reply: Reply): void {
    if (isPlainGet(exchange, this.#own())) this.#replies.set(exchange.target, reply)
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
