/** Starts the HTTP server: plain node:http in front of the engines; Express serves only wikitape's own pages. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type net from 'node:net'
import { Connections } from './connections.ts'
import { type HandlerOptions, RequestHandler } from './request-handler.ts'
import { maxHeadBytes, refuseTunnel, refuseUnreadable } from './unreadable-request.ts'

export interface ServerOptions extends HandlerOptions {
  /** 0 for any free one. */
  readonly port: number
}

export interface RunningServer {
  /** e.g. `http://127.0.0.1:4050`. */
  readonly url: string
  /** Gives requests under way 1.2 s to finish, then closes. */
  close(): Promise<void>
}

/** @throws Error with `code` EADDRINUSE, EACCES … where the port cannot be opened */
export function startServer(options: ServerOptions): Promise<RunningServer> {
  const handler = new RequestHandler(options)
  const connections = new Connections()
  const server = createWikiServer((request, response) => {
    connections.track(request.socket, response)
    void handler.handle(request, response)
  }, options.report)
  server.on('connection', (socket) => connections.add(socket))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, () =>
      resolve({
        url: urlOf(server),
        close: async () => {
          const closed = new Promise<void>((done) => server.close(() => done()))
          connections.close()
          await closed
          await handler.idle()
        },
      }),
    )
  })
}

function createWikiServer(listener: RequestListener, report: (line: string) => void): Server {
  const server = createServer({ maxHeaderSize: maxHeadBytes }, listener)
  // A client may close its side after its request and still read. Node.js has no documented option for that.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('clientError', refuseUnreadable)
  server.on('connect', (request, socket) => report(refuseTunnel(request, socket)))
  return server
}

function urlOf(server: net.Server): string {
  const { address, port, family } = server.address() as net.AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
