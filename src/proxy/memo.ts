/** Ready replies to plain GETs: the second time nothing is derived, looked up or rendered. */
import { LRUCache } from 'lru-cache'
import { sessionCookies } from '../wiki/session-cookies.ts'
import type { Exchange, Reply } from './exchange.ts'

/** Bytes of ready replies that are kept. */
const memoBytes = 256 * 1024 * 1024

export class ReplyMemo {
  readonly #replies = new LRUCache<string, Reply>({
    maxSize: memoBytes,
    sizeCalculation: (one) => one.body.length + 500,
  })

  find(exchange: Exchange): Reply | undefined {
    return isPlainGet(exchange) ? this.#replies.get(exchange.target) : undefined
  }

  keep(exchange: Exchange, reply: Reply): void {
    if (isPlainGet(exchange)) this.#replies.set(exchange.target, reply)
  }
}

/** Nothing but the URL goes into the answer: no cookie of a session, no session, no other origin, no credentials. */
const isPlainGet = ({ method, session, headers, rewriting }: Exchange): boolean =>
  method === 'GET' &&
  session === '' &&
  rewriting === undefined &&
  !mayTellWho(headers['cookie']) &&
  headers['authorization'] === undefined

/** What an edge had a client remember says nothing of who asks; a header as long as no edge's is looked at elsewhere. */
function mayTellWho(cookie: Exchange['headers'][string]): boolean {
  if (cookie === undefined) return false
  if (typeof cookie !== 'string' || cookie.length > 4096) return true
  const names = cookie.split(';').map((pair) => ({ name: pair.split('=', 1)[0]?.trim() ?? '' }))
  return sessionCookies(names).length > 0
}
