/** Requests as they come in, as server-sent events. Source: HTML Standard, "Server-sent events". */
import path from 'node:path'
import type { Request, Response } from 'express'
import { shown } from '../engine/miss/describe-request.ts'
import type { Feed, Numbered } from '../engine/registry/request-feed.ts'
import { shownEntry } from '../engine/request-log-entry.ts'
import { Refusal } from './bad-request.ts'
import type { RequestView } from './views.ts'

/** Pages that may watch at once. */
const mostWatchers = 16
/** Milliseconds between two messages: a page can paint no faster. */
const rhythm = 100
/** Requests of one message: of more the newest are told, and how many came a page can tell by their numbers. */
const mostAtOnce = 200
/** Milliseconds of silence after which a line shows that the connection lives. */
const patience = 15_000

export class Events {
  readonly #feed: Feed
  readonly #watching = new Set<Response>()

  constructor(feed: Feed) {
    this.#feed = feed
  }

  /** Tells a page the last requests, and each new one until it leaves. @throws Refusal */
  send(request: Request, response: Response): void {
    if (this.#watching.size >= mostWatchers)
      throw new Refusal(503, 'too-many-watchers', `${mostWatchers} pages are watching already; close one`)
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    if (request.method === 'HEAD') {
      response.end()
      return
    }
    this.#watching.add(response)
    let waiting: Numbered[] = [...this.#feed.since(Number(request.get('last-event-id')) || 0)]
    const flush = (): void => {
      const told = waiting.slice(-mostAtOnce)
      waiting = []
      const last = told.at(-1)
      if (last !== undefined)
        response.write(`id: ${last.id}\nevent: requests\ndata: ${JSON.stringify(told.map(requestView))}\n\n`)
    }
    const unwatch = this.#feed.watch((one) => {
      waiting.push(one)
      if (waiting.length > 2 * mostAtOnce) waiting = waiting.slice(-mostAtOnce)
    })
    response.write('retry: 1000\n\n')
    flush()
    const beat = setInterval(flush, rhythm)
    const alive = setInterval(() => response.write(': \n\n'), patience)
    request.socket.once('end', () => response.end())
    response.once('close', () => {
      clearInterval(beat)
      clearInterval(alive)
      unwatch()
      this.#watching.delete(response)
    })
  }

  close(): void {
    for (const response of this.#watching) response.end()
  }
}

function requestView({ id, entry }: Numbered): RequestView {
  const { at, ms, cassette, outcome, status, method, module, key, from, why } = shownEntry(entry)
  return {
    id,
    at,
    ms: Math.round(ms * 10) / 10,
    cassette: shown(path.basename(path.resolve(cassette))),
    outcome,
    status,
    method,
    module: shown(module, 100),
    key: key ?? '',
    sources: from.length,
    source: from[0] ?? '',
    why: shown(why ?? ''),
  }
}
