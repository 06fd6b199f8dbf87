/** Starts the HTTP server: plain node:http in front of the engines; Express serves only wikitape's own pages. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES
} from 'node:http'
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Socket
} from 'node:net'
import type { Duplex } from 'node:stream'
import { type OwnError, ownErrorReply } from '../http/reply-headers.ts'
import type { ForwardProxy } from './proxy/interception.ts'
import { Tunnels } from './proxy/tunnels.ts'
import { type HandlerOptions, RequestHandler } from './request-handler.ts'

export interface ServerOptions extends HandlerOptions {
  /** 0 for any free one. */
  readonly port: number
}

export interface RunningServer {
  /** e.g. `http://127.0.0.1:4050`. */
  readonly url: string
  /** Serves what connects to a socket of this path, too: it lies where only this user can go. */
  readonly listenAt: (path: string) => Promise<void>
  /** Gives requests under way 1.2 s to finish, then closes. */
  close(): Promise<void>
}

/** @throws Error with `code` EADDRINUSE, EACCES … where the port cannot be opened */
export const startServer = (options: ServerOptions): Promise<RunningServer> =>
  serveRequests(new RequestHandler(options), options)

export interface ListenOptions extends Pick<ServerOptions, 'host' | 'port' | 'report'> {
  /** Undefined where the server is no forward proxy. */
  readonly interception?: ForwardProxy | undefined
}

/** @throws as above */
export function serveRequests(
  handler: Pick<RequestHandler, 'handle' | 'idle'>,
  options: ListenOptions
): Promise<RunningServer> {
  const connections = new Connections()
  const server = createWikiServer((request, response) => {
    connections.track(request.socket, response)
    void handler.handle(request, response)
  })
  server.on('connection', (socket) => connections.add(socket))
  const openTunnel = tunnelOpener(server, options)
  server.on('connect', (request, socket: Socket, head) => {
    const refusal = openTunnel(request, socket, head)
    if (!refusal) connections.becomeTunnel(socket)
    else refuseTunnel(socket, refusal, options.report)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, () =>
      resolve({
        url: urlOf(server),
        listenAt: (path) => {
          const inner = createSocketServer({ allowHalfOpen: true }, (socket) =>
            server.emit('connection', socket)
          )
          server.once('close', () => inner.close())
          return new Promise((done) => inner.listen(path, done))
        },
        close: async () => {
          const closed = new Promise<void>((done) => server.close(() => done()))
          connections.close()
          await closed
          await handler.idle()
        }
      })
    )
  })
}

function createWikiServer(listener: RequestListener) {
  // Node.js gives a head 60 seconds and a body 300, but looks only every 30 if they are over.
  const options = { maxHeaderSize: maxHeadBytes, connectionsCheckingInterval: 2000 }
  const server = createServer(options, listener)
  // A client may close its side after its request and still read. Node.js has no documented option for that.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('clientError', refuseUnreadable)
  return server
}

function urlOf(server: Server) {
  const { address, port, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/* The open connections. When the server closes, complete requests still get their replies, within 1.2 s. */

/** Milliseconds after close() in which a client that has just connected may still send its request. */
const graceMs = 100
/** Milliseconds after close() until every connection is destroyed. */
const closeLimitMs = 1200

class Connections {
  readonly #unsentBySocket = new Map<Socket, Set<ServerResponse>>()
  readonly #tunnels = new Set<Socket>()
  #isClosing = false
  #isGraceOver = false

  add(socket: Socket) {
    this.#unsentBySocket.set(socket, new Set())
    socket.once('close', () => this.#unsentBySocket.delete(socket))
  }

  /** What is inside of it is a connection of its own. */
  becomeTunnel(socket: Socket) {
    this.#unsentBySocket.delete(socket)
    this.#tunnels.add(socket)
    socket.once('close', () => this.#tunnels.delete(socket))
  }

  /** To be called with each response before it is written. */
  track(socket: Socket, response: ServerResponse) {
    const unsent = this.#unsentBySocket.get(socket)
    unsent?.add(response)
    response.once('finish', () => {
      unsent?.delete(response)
      if (this.#isClosing) this.#endIfAnswered(socket)
    })
  }

  /** Drops incomplete requests, and lets the others finish. The server itself ends connections that are idle. */
  close() {
    this.#isClosing = true
    setTimeout(() => {
      this.#isGraceOver = true
      for (const socket of this.#unsentBySocket.keys()) this.#endIfAnswered(socket)
    }, graceMs)
    setTimeout(() => {
      for (const socket of [...this.#unsentBySocket.keys(), ...this.#tunnels])
        socket.destroy()
    }, closeLimitMs).unref()
  }

  #endIfAnswered(socket: Socket) {
    const unsent = [...(this.#unsentBySocket.get(socket) ?? [])]
    if (unsent.length === 0) socket.destroySoon()
    else if (this.#isGraceOver && unsent.every(({ req }) => !req.complete))
      socket.destroy()
  }
}

/* What never becomes a request: heads that Node's HTTP parser rejects, and CONNECT. */

/** Bytes of request line and headers that are accepted: fifty Cyrillic titles make a URL longer than Node's 16 KB. */
const maxHeadBytes = 128 * 1024

function refuseUnreadable(
  { code, message }: Error & { readonly code?: string },
  socket: Duplex
) {
  if (!socket.writable) socket.destroy()
  else if (code === 'HPE_HEADER_OVERFLOW') {
    endWithError(socket, {
      status: 431,
      code: 'url-too-long',
      info: `URL and headers are longer than ${maxHeadBytes} bytes; send the parameters as a POST`
    })
  } else if (code === 'HPE_INVALID_URL') {
    endWithError(socket, {
      status: 400,
      code: 'bad-url',
      info: 'the URL contains characters that must be percent-encoded'
    })
  } else {
    endWithError(socket, {
      status: 400,
      code: 'no-http',
      info: `the request is not HTTP (${code ?? message})`
    })
  }
}

type TunnelOpener = (...request: Parameters<Tunnels['open']>) => OwnError | undefined

/** CONNECT asks for a tunnel, in which nothing could be recorded unless this is a program's proxy. */
function tunnelOpener(
  server: Server,
  { interception, report }: ListenOptions
): TunnelOpener {
  if (!interception) return noTunnel

  const { access, authority, tunnels: origins } = interception
  const tunnels = new Tunnels(server, { authority, origins, report })
  return (request, socket, head) =>
    access.whyRefused(request) ?? tunnels.open(request, socket, head)
}

function noTunnel({ url = '' }: IncomingMessage): OwnError {
  const info =
    `CONNECT ${url.slice(0, 200)} was refused: wikitape does not look inside TLS; ` +
    'name the wiki with http:// where it is a forward proxy, or give the client WIKITAPE_API_URL'
  const headers = ['allow', 'GET, HEAD, POST, OPTIONS']
  return { status: 405, code: 'no-tunnel', info, headers }
}

function refuseTunnel(socket: Socket, refusal: OwnError, report: (line: string) => void) {
  socket.on('error', () => undefined)
  endWithError(socket, refusal)
  report(refusal.info)
}

function endWithError(socket: Duplex, error: OwnError) {
  const { headers, body } = ownErrorReply(error)
  const lines: string[] = []
  for (let at = 0; at < headers.length; at += 2)
    lines.push(`${headers[at]}: ${headers[at + 1]}`)
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    ...lines,
    'connection: close'
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
