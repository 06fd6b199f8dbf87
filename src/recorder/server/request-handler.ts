/** Handles each request of the server: routes it, reads its body, has an engine answer it, sends the reply. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { observeHead } from '../engine/redaction/secret-observer.ts'
import { hasBody, type Reply } from '../http/incoming-request.ts'
import {
  type Coding,
  chooseCoding,
  describeFailure,
  encodeBody,
  methodNotAllowed,
  type OwnError,
  ownErrorReply,
  replyHeaders,
  withCookiePaths,
  withOwnLocation
} from '../http/reply-headers.ts'
import { redactUrl } from '../privacy/redact/redact-url.ts'
import { isLocalAddress } from '../privacy/secrets/secret.ts'
import { getOrAdd } from '../text/group-by.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import { pathPrefixOf, publicAddressOf } from './host-policy.ts'
import {
  type PassedRequest,
  RequestRouter,
  type RoutedRequest,
  type RouterOptions
} from './request-router.ts'

export interface HandlerOptions extends RouterOptions {
  /** Bytes of a request body that are accepted at most. */
  readonly maxBody: number
  /** Loads the pages under `/__wikitape/` at their first request; Express costs start-up time. */
  readonly pages: () => Promise<RequestListener>
}

/** For answers that are still being recorded when all clients have gone. */
const idleTimeoutMs = 500
const emptyBody = Buffer.alloc(0)
const sentMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export class RequestHandler {
  readonly #options: HandlerOptions
  readonly #router: RequestRouter
  /** Compressed bodies of cached replies. */
  readonly #compressed = new WeakMap<Reply, Map<Coding, Buffer>>()
  #pages: Promise<RequestListener> | undefined
  #activeCount = 0
  #onIdle: (() => void) | undefined

  constructor(options: HandlerOptions) {
    this.#options = options
    this.#router = new RequestRouter(options)
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#activeCount += 1
    try {
      await this.#answer(request, response)
    } catch (error) {
      this.#fail(request, response, error)
    } finally {
      this.#activeCount -= 1
      if (this.#activeCount === 0) this.#onIdle?.()
    }
  }

  /** Resolves when no request is left, or after 500 ms: answers are recorded even if their client is gone. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#activeCount === 0) return resolve()
      const timer = setTimeout(resolve, idleTimeoutMs)
      this.#onIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #answer(request: IncomingMessage, response: ServerResponse) {
    // First of all: a refused request holds secrets too.
    this.#observeSecrets(request)
    const route = this.#router.route(request)
    switch (route.kind) {
      case 'engine':
        return this.#sendFromEngine(request, response, route)
      case 'pass':
        return this.#passOn(request, response, route)
      case 'pages':
        this.#pages ??= this.#options.pages()
        return this.#pages.then((listener) => listener(request, response))
      case 'head':
        return void response.writeHead(route.status, route.headers).end()
      case 'refused':
        return sendError(response, route.error)
    }
  }

  async #sendFromEngine(
    request: IncomingMessage,
    response: ServerResponse,
    { engine, method, target, session, namedHost, isCrossOrigin }: RoutedRequest
  ) {
    const { engines } = this.#options
    const body = hasBody(method)
      ? await bodyOf(request, this.#options.maxBody)
      : emptyBody
    if ('status' in body) return sendError(response, body)

    const reply = await engine.handle({
      method,
      target,
      headers: request.headers,
      body,
      session,
      namedHost,
      isCrossOrigin,
      signal: engines.isLive ? abortSignalOf(request, response) : undefined,
      rewriting: engines.rewritingFor(engine, publicAddressOf(request, target))
    })
    const prefix = pathPrefixOf(request, target)
    const placed = namedHost
      ? reply
      : withOwnLocation(reply, engine.store.manifest.upstream, prefix)
    this.#send(request, response, withCookiePaths(placed, prefix))
  }

  /** The answer is not recorded. */
  async #passOn(
    request: IncomingMessage,
    response: ServerResponse,
    { upstream, target }: PassedRequest
  ) {
    const { method = '', headers } = request
    const sent = method === 'HEAD' ? 'GET' : sentMethods.find((one) => one === method)
    if (sent === undefined) return sendError(response, methodNotAllowed(method))

    const body = await bodyOf(request, this.#options.maxBody)
    if ('status' in body) return sendError(response, body)

    const forwarded = { method: sent, target, headers, body }
    const answer = await upstream.ask(forwarded, abortSignalOf(request, response))
    for (const [name, value] of answer.headers) response.setHeader(name, value)
    if (answer.setCookies.length > 0) response.setHeader('set-cookie', answer.setCookies)
    response.setHeader('content-length', answer.body.length)
    response.writeHead(answer.status).end(method === 'HEAD' ? undefined : answer.body)
  }

  #send(request: IncomingMessage, response: ServerResponse, reply: Reply) {
    const accept = request.headers['accept-encoding']
    const coding = chooseCoding(
      typeof accept === 'string' ? accept : undefined,
      reply.body.length
    )
    const body = coding === 'identity' ? reply.body : this.#compress(reply, coding)
    response.writeHead(reply.status, replyHeaders(reply, coding, body.length))
    if (reply.trouble === 'cut')
      response.write(body.subarray(0, body.length / 2), () => response.destroy())
    else response.end(request.method === 'HEAD' ? undefined : body)
  }

  #compress(reply: Reply, coding: Coding) {
    const bodies = getOrAdd(this.#compressed, reply, () => new Map<Coding, Buffer>())
    return getOrAdd(bodies, coding, () => encodeBody(reply.body, coding))
  }

  /** Adds what is secret in a request to the secrets of the run. */
  #observeSecrets({ url = '', headers, socket: { remoteAddress } }: IncomingMessage) {
    const { isLive, secrets } = this.#options.engines
    if (!isLive) return
    observeHead(secrets, url, headers)
    if (remoteAddress !== undefined && !isLocalAddress(remoteAddress))
      secrets.learn([{ kind: 'address', value: remoteAddress, source: 'the client' }])
  }

  #fail(request: IncomingMessage, response: ServerResponse, error: unknown) {
    const text = error instanceof Error ? error.message : String(error)
    const isAborted = error instanceof UpstreamError && error.fault === 'aborted'
    const address = redactUrl(request.url ?? '').slice(0, 200)
    const { engines, report } = this.#options
    if (!isAborted) report(engines.redact(`${request.method} ${address}: ${text}`))
    if (isAborted || response.headersSent) response.destroy()
    else sendError(response, describeFailure(error))
  }
}

export function sendError(response: ServerResponse, error: OwnError): void {
  const { headers, body } = ownErrorReply(error)
  response.writeHead(error.status, headers).end(body)
}

/** Drains up to so many times the limit, so that the client can read the 413; beyond, the socket is destroyed. */
const maxDrainFactor = 8

/** What was posted, or why it is refused, as soon as it is larger than the limit in bytes. @throws where the client disconnects */
export function bodyOf(
  request: IncomingMessage,
  limit: number
): Promise<Buffer | OwnError> {
  const info = `the request body is larger than ${limit} bytes; raise --max-body`
  const tooLarge = { status: 413, code: 'body-too-large', info }
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let bytes = 0
    if (Number(request.headers['content-length']) > limit) resolve(tooLarge)
    request.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes <= limit) parts.push(part)
      else resolve(tooLarge)
      if (bytes > limit * maxDrainFactor) request.destroy()
    })
    request.once('end', () => resolve(Buffer.concat(parts)))
    request.once('error', reject)
  })
}

/** Between two probes of a connection whose other side is closed. */
const probeIntervalMs = 250

/**
 * Aborted when the client disconnects before it has its reply. A client that has closed its side may still read, so it is
 * probed with `100 Continue`: every client of HTTP/1.1 skips that, and the system of one that is gone resets the connection.
 */
function abortSignalOf(
  { httpVersion, socket }: IncomingMessage,
  response: ServerResponse
) {
  const controller = new AbortController()
  const probe = setInterval(() => {
    const isWaiting = response.socket !== null && !response.headersSent
    if (socket.readableEnded && isWaiting && httpVersion !== '1.0')
      response.writeContinue()
  }, probeIntervalMs)
  response.once('close', () => {
    clearInterval(probe)
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}
