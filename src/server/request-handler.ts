/** Answers the requests of a server: routed, its body read, asked of an engine, sent. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { describeFailure } from '../http/reply-headers.ts'
import { withoutCredentials } from '../privacy/redact/url-credentials.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import { readBody } from './body-limit.ts'
import { abortSignalOf } from './client-abort.ts'
import { ReplySender, sendError, sendHead } from './reply-sender.ts'
import { RequestRouter, type RoutedRequest, type RouterOptions } from './request-router.ts'

export interface HandlerOptions extends RouterOptions {
  /** Bytes of a request body that are accepted at most. */
  readonly maxBody: number
  /** Makes what lies under `/__wikitape/` at its first request; Express costs start-up time. */
  readonly pages: () => Promise<Pages>
}

/** What is not the wiki's: pages for people who look on. */
export interface Pages {
  readonly listener: RequestListener
  /** Ends what would go on for ever. */
  close(): void
}

/** Milliseconds for answers that are still being recorded when all clients have gone. */
const recordingLimit = 500
const noBody = Buffer.alloc(0)

export class RequestHandler {
  readonly #options: HandlerOptions
  readonly #router: RequestRouter
  readonly #sender = new ReplySender()
  #pages: Promise<Pages> | undefined
  #running = 0
  #becomesIdle: (() => void) | undefined

  constructor(options: HandlerOptions) {
    this.#options = options
    this.#router = new RequestRouter(options)
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#running += 1
    try {
      await this.#answer(request, response)
    } catch (error) {
      this.#fail(request, response, error)
    } finally {
      this.#running -= 1
      if (this.#running === 0) this.#becomesIdle?.()
    }
  }

  /** Resolves when the last answer that came from the wiki is recorded, whether or not its client is still there. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#running === 0) return resolve()
      const timer = setTimeout(resolve, recordingLimit)
      this.#becomesIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  close(): void {
    void this.#pages?.then((pages) => pages.close())
  }

  #answer(request: IncomingMessage, response: ServerResponse): Promise<void> | void {
    // Before anything of it is judged: a request that is refused has been sent as well.
    this.#options.rack.witness(request)
    const route = this.#router.route(request)
    switch (route.kind) {
      case 'engine':
        return this.#askEngine(request, response, route)
      case 'pages':
        return this.#showPages(request, response)
      case 'head':
        return sendHead(response, route.status, route.headers)
      case 'refused':
        return sendError(response, route.error)
    }
  }

  async #askEngine(
    request: IncomingMessage,
    response: ServerResponse,
    { engine, method, target, session, namedHost, isCrossOrigin }: RoutedRequest,
  ): Promise<void> {
    const { rack, maxBody } = this.#options
    const body = method === 'POST' ? await readBody(request, maxBody) : noBody
    if (body === undefined) {
      const info = `the request body is larger than ${maxBody} bytes; raise --max-body`
      return sendError(response, { status: 413, code: 'body-too-large', info })
    }
    const reply = await engine.answer({
      method,
      target,
      headers: request.headers,
      body,
      session,
      namedHost,
      stranger: isCrossOrigin,
      signal: rack.live ? abortSignalOf(request, response) : undefined,
      rewriting: rack.rewriting(engine, request, target),
      witnessed: true,
    })
    return this.#sender.send(request, response, reply)
  }

  async #showPages(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#pages ??= this.#options.pages()
    const { listener } = await this.#pages
    listener(request, response)
  }

  #fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error)
    const isAborted = error instanceof UpstreamError && error.fault === 'aborted'
    const address = withoutCredentials(request.url ?? '').slice(0, 200)
    const { rack, report } = this.#options
    if (!isAborted) report(rack.discreet(`${request.method} ${address}: ${text}`))
    if (isAborted || response.headersSent) response.destroy()
    else sendError(response, describeFailure(error))
  }
}
