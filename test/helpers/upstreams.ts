/** Servers that stand in for a wiki: well-behaved over node:http, hostile over bare sockets. */
import http, { type IncomingMessage, type RequestListener, type Server } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** One request as the stand-in got it. */
export interface Seen {
  readonly method: string
  readonly target: string
  readonly headers: http.IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

export interface StandIn {
  /** e.g. `http://127.0.0.1:40123` */
  readonly origin: string
  readonly seen: readonly Seen[]
  /** Connections accepted so far. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

/**
 * A server that remembers what it was asked, body read, before `respond` answers. Closed with the running test.
 * @param pem key and certificate where it shall speak TLS
 */
export async function httpStandIn(
  respond: (request: Seen, response: Parameters<RequestListener>[1]) => void,
  pem?: string
): Promise<StandIn> {
  const seen: Seen[] = []
  const take = async (
    request: IncomingMessage,
    response: Parameters<RequestListener>[1]
  ): Promise<void> => {
    const body = await buffer(request)
    const { method = '', url = '', headers, rawHeaders } = request
    const one = { method, target: url, headers, rawHeaders, body }
    seen.push(one)
    respond(one, response)
  }
  const listener: RequestListener = (request, response) => {
    take(request, response).catch(() => response.destroy())
  }
  const maxHeaderSize = 1024 * 1024
  if (pem === undefined)
    return { seen, ...(await opened(http.createServer({ maxHeaderSize }, listener))) }
  const secure = await opened(
    https.createServer({ maxHeaderSize, key: pem, cert: pem }, listener)
  )
  return { seen, ...secure, origin: secure.origin.replace('http:', 'https:') }
}

/** A server that does with each connection whatever the test wants. */
export const socketStandIn = (
  talk: (socket: Socket, number: number) => void
): Promise<Omit<StandIn, 'seen'>> => {
  let number = 0
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined)
    talk(socket, number)
    number += 1
  })
  return opened(server)
}

/** Answers the first request of each connection with these bytes, then closes it. */
export const answeringWith = (
  bytes: string | Uint8Array
): Promise<Omit<StandIn, 'seen'>> =>
  socketStandIn((socket) => socket.once('data', () => socket.end(bytes)))

/** An origin that nothing listens on. */
export async function deadOrigin(): Promise<string> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return `http://127.0.0.1:${port}`
}

async function opened(server: Server | net.Server): Promise<Omit<StandIn, 'seen'>> {
  let connections = 0
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, connections: () => connections, close }
}
