/** The HTTP server: plain node:http in front of the engines; Express only for what is not the wiki's. */

import type { RequestListener } from 'node:http'
import {
  createServer,
  type ServerOptions as HttpOptions,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type net from 'node:net'
import type { Duplex } from 'node:stream'
import { withoutCredentials } from '../privacy/url.ts'
import { foreignTransferCoding } from '../upstream/headers.ts'
import { type Leaving, UpstreamError } from '../upstream/upstream.ts'
import { destinationOf, reachedAt, refuseTunnel } from './address.ts'
import { browserErrand, ownPath } from './browser.ts'
import { Connections } from './connections.ts'
import { type Controls, readControls } from './controls.ts'
import { type Coding, chooseCoding, encodeAside } from './encode.ts'
import type { Engine } from './engine.ts'
import type { Exchange, Reply } from './exchange.ts'
import { isVisit, pageOf, preflightHead, strangerOf } from './pages.ts'
import type { Rack } from './rack.ts'
import {
  describeFailure,
  methodNotAllowed,
  type OwnError,
  ownErrorReply,
  replyHead,
  unknownTransferCoding,
} from './reply-head.ts'

export interface ServerOptions extends HandlerOptions {
  /** 0 for any free one. */
  readonly port: number
}

export interface HandlerOptions {
  readonly rack: Rack
  /** Address that is listened on. */
  readonly host: string
  /** Bytes of a request body that are accepted at most. */
  readonly maxBody: number
  /** Origins whose pages are clients like any other, e.g. `https://app.example`. */
  readonly allowedOrigins?: ReadonlySet<string>
  /** Makes what lies under `/__wikitape/` at its first request; Express costs start-up time. */
  readonly pages: () => Promise<Pages>
  readonly report: (line: string) => void
}

/** What is not the wiki's: pages for people who look on. */
export interface Pages {
  readonly listener: RequestListener
  /** Ends what would go on for ever. */
  close(): void
}

export interface RunningServer {
  /** e.g. `http://127.0.0.1:4050`. */
  readonly url: string
  /** Gives requests under way 1.2 s to finish, then closes. */
  close(): Promise<void>
}

/** Bytes of request line and headers that are accepted: fifty Cyrillic titles make a URL longer than Node's 16 KB. */
export const maxHead: number = 128 * 1024

/** A server that listens nowhere yet, and refuses what is no request. */
export function serverFor(
  listener: RequestListener,
  report: (line: string) => void,
  options: HttpOptions = {},
): Server {
  const server = createServer({ maxHeaderSize: maxHead, ...options }, listener)
  // A client may close its side once it has asked, and still read. No documented option of Node.js says so.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('clientError', refuseUnreadable)
  server.on('connect', (request, socket) => report(refuseTunnel(request, socket)))
  return server
}

/** @throws Error with `code` EADDRINUSE, EACCES … where the port cannot be had */
export function startServer(options: ServerOptions): Promise<RunningServer> {
  const handler = new Handler(options)
  const connections = new Connections()
  const server = serverFor((request, response) => {
    connections.begins(request.socket, response)
    void handler.handle(request, response)
  }, options.report)
  server.on('connection', (socket) => connections.add(socket))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, () =>
      resolve({
        url: urlOf(server),
        close: async () => {
          handler.close()
          server.close()
          await connections.close()
          await handler.idle()
        },
      }),
    )
  })
}

export function urlOf(server: net.Server): string {
  const { address, port, family } = server.address() as net.AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** A reply as it goes out in one coding. */
interface Sendable {
  readonly head: string[]
  readonly body: Buffer
}

/** What is asked of which engine, by whom. */
interface Wish extends Pick<Exchange, 'method' | 'target' | 'session' | 'namedHost'> {
  readonly engine: Engine
  readonly stranger: boolean
}

interface Incoming {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Milliseconds for answers that are still being recorded when all clients have gone. */
const recordingLimit = 500
const noBody = Buffer.alloc(0)

/** Answers the requests of a server. */
export class Handler {
  readonly #options: HandlerOptions
  /** As they go out, for replies that are sent again. */
  readonly #encoded = new WeakMap<Reply, Map<Coding, Sendable>>()
  /** Whose pages have asked so far. */
  readonly #strangers = new Set<string>()
  #pages: Promise<Pages> | undefined
  #running = 0
  #becomesIdle: (() => void) | undefined

  constructor(options: HandlerOptions) {
    this.#options = options
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#running += 1
    try {
      await this.#route(request, response)
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

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { rack } = this.#options
    // Before anything of it is judged: a request that is refused has been sent as well.
    rack.witness(request.url ?? '', request.headers, request.socket.remoteAddress)
    const wish = await this.#judge({ request, response })
    if (wish === undefined) return
    const { engine, method, target, session, stranger, namedHost = false } = wish
    const body = method === 'POST' ? await readBody(request, this.#options.maxBody) : noBody
    if (body === undefined) {
      const info = `the request body is larger than ${this.#options.maxBody} bytes; raise --max-body`
      return sendError(response, { status: 413, code: 'body-too-large', info })
    }
    const signal = rack.live ? signalOfLeaving(request, response) : undefined
    const rewriting = rack.rewriting(engine, () => reachedAt(request, target))
    const { headers } = request
    const exchange: Exchange = {
      method,
      target,
      headers,
      body,
      session,
      stranger,
      namedHost,
      signal,
      rewriting,
      witnessed: true,
    }
    await this.#send(request, response, await engine.answer(exchange))
  }

  /** @returns undefined where it has been answered, refused or passed on */
  async #judge({ request, response }: Incoming): Promise<Wish | undefined> {
    const { host, rack } = this.#options
    const destination = destinationOf(request, { host, wikiHost: rack.wikiHost })
    if (destination.kind === 'elsewhere') {
      return sendError(response, { status: 403, code: 'wrong-host', info: destination.why })
    }
    const { target, namedHost } = destination
    const { method, headers } = request
    const allowed = this.#options.allowedOrigins ?? new Set()
    const stranger = strangerOf(headers, { host: destination.host, allowed })
    if (target.startsWith(ownPath)) {
      if (stranger !== undefined && !isVisit(headers))
        return sendError(response, { status: 403, code: 'pages-refused', info: noPages(stranger) })
      this.#pages ??= this.#options.pages()
      return void (await this.#pages).listener(request, response)
    }
    const errand = browserErrand(request)
    if (errand !== undefined) {
      response.writeHead(errand.status, errand.headers)
      response.end()
      return
    }
    if (method === 'OPTIONS') return sendPreflight(response, preflightHead(target, headers, stranger))
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
      return sendError(response, methodNotAllowed(method ?? ''))
    }
    const coding = foreignTransferCoding(headers)
    if (coding !== undefined) return sendError(response, unknownTransferCoding(coding))
    const controls = readControls(target, headers)
    if (typeof controls === 'string') {
      return sendError(response, { status: 400, code: 'bad-control', info: controls })
    }
    if (stranger !== undefined && isControlling(controls))
      return sendError(response, { status: 403, code: 'control-refused', info: noControl(stranger) })
    const engine =
      stranger === undefined ? rack.engine(controls.cassette, controls.mode) : this.#engineFor(stranger)
    const session = stranger === undefined ? controls.session : `pages of ${stranger}`
    return { engine, method, target: controls.target, session, namedHost, stranger: stranger !== undefined }
  }

  /** Served what is recorded where nothing goes out; else what the wiki says, and nothing of it is kept. */
  #engineFor(stranger: string): Engine {
    const { rack, report } = this.#options
    if (rack.live && !this.#strangers.has(stranger)) {
      // Who makes up origins shall not fill the memory with them.
      if (this.#strangers.size < 100) this.#strangers.add(stranger)
      report(
        `${pageOf(stranger)} asks; nothing of it is recorded; if the page is yours, add --allow-origin ${stranger}`,
      )
    }
    return rack.engine(undefined, 'passthrough')
  }

  async #send(request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<void> {
    const accept = request.headers['accept-encoding']
    const coding = chooseCoding(typeof accept === 'string' ? accept : undefined, reply.body.length)
    const { head, body } = this.#encoded.get(reply)?.get(coding) ?? (await this.#encode(reply, coding))
    response.writeHead(reply.status, head)
    response.end(request.method === 'HEAD' ? undefined : body)
  }

  async #encode(reply: Reply, coding: Coding): Promise<Sendable> {
    const body = await encodeAside(reply.body, coding)
    const sendable = { head: replyHead(reply, coding, body.length), body }
    const known = this.#encoded.get(reply) ?? new Map<Coding, Sendable>()
    this.#encoded.set(reply, known.set(coding, sendable))
    return sendable
  }

  #fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error)
    const gone = error instanceof UpstreamError && error.fault === 'aborted'
    const address = withoutCredentials(request.url ?? '').slice(0, 200)
    const { rack, report } = this.#options
    if (!gone) report(rack.discreet(`${request.method} ${address}: ${text}`))
    if (gone || response.headersSent) response.destroy()
    else sendError(response, describeFailure(error))
  }
}

/** Milliseconds between two probes of a connection whose other side is closed. */
const probeInterval = 250

/**
 * Aborted where the client leaves before it has its answer. One that has closed its side may still read, so it is probed
 * with `100 Continue`: every client of HTTP/1.1 skips that, and the system of one that has gone resets the connection.
 */
function signalOfLeaving({ httpVersion, socket }: IncomingMessage, response: ServerResponse): Leaving {
  const leaving = new ClientLeaving()
  const probe = setInterval(() => {
    const isWaiting = response.socket !== null && !response.headersSent
    if (socket.readableEnded && isWaiting && httpVersion !== '1.0') response.writeContinue()
  }, probeInterval)
  response.once('close', () => {
    clearInterval(probe)
    if (!response.writableFinished) leaving.leave()
  })
  return leaving
}

/** Every request has one, and an AbortController takes ten times as long to make. */
class ClientLeaving implements Leaving {
  aborted = false
  readonly #listeners = new Set<() => void>()

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener)
  }

  leave(): void {
    this.aborted = true
    for (const listener of this.#listeners) listener()
  }
}

/** How many times the limit is read and thrown away, so that the client can hear why; beyond, the line is cut. */
const patience = 8

/** The whole body, or undefined where it is larger than allowed. @throws where the client breaks off */
function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let bytes = 0
    request.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes <= limit) parts.push(part)
      if (bytes > limit * patience) {
        request.destroy()
        resolve(undefined)
      }
    })
    request.on('end', () =>
      resolve(bytes > limit ? undefined : parts.length === 1 ? parts[0] : Buffer.concat(parts)),
    )
    request.on('error', reject)
  })
}

function sendError(response: ServerResponse, error: OwnError): undefined {
  const { headers, body } = ownErrorReply(error)
  response.writeHead(error.status, headers)
  response.end(body)
}

/** What Node's parser does not take: too long a head, or no HTTP at all. */
function refuseUnreadable(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy()
  const [status, code, info] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ([
          '431 Request Header Fields Too Large',
          'url-too-long',
          `URL and headers are longer than ${maxHead} bytes; send the parameters as a POST`,
        ] as const)
      : error.code === 'HPE_INVALID_URL'
        ? (['400 Bad Request', 'bad-url', 'the URL holds characters that must be percent-encoded'] as const)
        : ([
            '400 Bad Request',
            'no-http',
            `the request is not HTTP (${error.code ?? error.message})`,
          ] as const)
  const body = JSON.stringify({ error: { code, info } })
  const head = `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${body}`)
}

function sendPreflight(response: ServerResponse, head: string[]): undefined {
  response.writeHead(204, head)
  response.end()
}

/** True of what a helping process may know by itself. */
const isControlling = ({ cassette, mode, session }: Controls): boolean =>
  cassette !== undefined || mode !== undefined || session !== ''

const noPages = (stranger: string): string =>
  `${pageOf(stranger)} may not read what wikitape shows of itself; open ${ownPath}/ in a tab of its own`

const noControl = (stranger: string): string =>
  `${pageOf(stranger)} may not choose a cassette, a mode or a session; if the page is yours, add --allow-origin ${stranger}`
