/** Ready replies to plain GETs: the second time nothing is derived, looked up or rendered. */
import { LRUCache } from 'lru-cache'
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

/** Nothing but the URL goes into the answer: no cookie, no session, no other origin, no credentials. */
const isPlainGet = ({ method, session, headers, rewriting }: Exchange): boolean =>
  method === 'GET' &&
  session === '' &&
  rewriting === undefined &&
  headers['cookie'] === undefined &&
  headers['authorization'] === undefined
