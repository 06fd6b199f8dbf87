/** Live requests as server-sent events. Source: HTML Standard, "Server-sent events". */
import type { Request, Response } from 'express'
import type { NumberedEntry, RequestFeed } from '../engine/registry/request-feed.ts'
import { BadRequest } from './query-params.ts'
import { requestView } from './sent-request.ts'

const maxWatchers = 16
const flushIntervalMs = 100
/** Requests of one message: of more only the newest are sent. Their ids show the gap. */
const maxPerMessage = 200
/** Milliseconds between two lines that keep the connection open. */
const keepAliveMs = 15_000

export class RequestEvents {
  readonly #feed: RequestFeed
  readonly #watchers = new Set<Response>()

  constructor(feed: RequestFeed) {
    this.#feed = feed
  }

  /** Sends a page the last requests, and each new one until it disconnects. @throws BadRequest */
  send(request: Request, response: Response): void {
    if (this.#watchers.size >= maxWatchers)
      throw new BadRequest(503, 'too-many-watchers', `${maxWatchers} pages are connected already; close one`)
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    if (request.method === 'HEAD') {
      response.end()
      return
    }
    this.#watchers.add(response)
    let pending: NumberedEntry[] = [...this.#feed.since(Number(request.get('last-event-id')) || 0)]
    const flush = (): void => {
      const batch = pending.slice(-maxPerMessage)
      pending = []
      const last = batch.at(-1)
      if (last !== undefined)
        response.write(`id: ${last.id}\nevent: requests\ndata: ${JSON.stringify(batch.map(requestView))}\n\n`)
    }
    const unwatch = this.#feed.subscribe((one) => {
      pending.push(one)
      if (pending.length > 2 * maxPerMessage) pending = pending.slice(-maxPerMessage)
    })
    response.write('retry: 1000\n\n')
    flush()
    const flushTimer = setInterval(flush, flushIntervalMs)
    const keepAliveTimer = setInterval(() => response.write(': \n\n'), keepAliveMs)
    request.socket.once('end', () => response.end())
    response.once('close', () => {
      clearInterval(flushTimer)
      clearInterval(keepAliveTimer)
      unwatch()
      this.#watchers.delete(response)
    })
  }

  close(): void {
    for (const response of this.#watchers) response.end()
  }
}
