/** TLS servers and proxies on loopback. */

import { readFileSync } from 'node:fs'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Server, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { description } from './fake-wiki.ts'

const file = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/tls/${name}.pem`, import.meta.url))

/** The authority that signed all but `alone`. */
export const authority: string = file('ca')

/** Key and certificate of a server at 127.0.0.1, or wiki.test. */
export const ofWiki = (): string => readFileSync(file('wiki'), 'utf8')

/** A wiki that speaks TLS and shows this certificate, or one that is given with its key. @returns its port */
export async function tlsWiki(
  certificate: 'wiki' | 'other' | 'expired' | 'alone' | https.ServerOptions,
  options: https.ServerOptions = {}
): Promise<number> {
  const pem = typeof certificate === 'string' ? readFileSync(file(certificate)) : ''
  const credentials =
    typeof certificate === 'string' ? { key: pem, cert: pem } : certificate
  return listening(
    https.createServer({ ...credentials, ...options }, ({ url = '' }, response) => {
      const described = description(
        new URLSearchParams(url.split('?')[1] ?? '') as unknown as Map<string, string>
      )
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(described ?? '{"query":{"by":"tls"}}')
    })
  )
}

export interface TestProxy {
  readonly port: number
  /** Request lines, e.g. `CONNECT wiki.test:443`. */
  readonly lines: string[]
}

/** A forward proxy: every host leads to the port given. @param refuses the status that it gives instead */
export async function proxyTo(
  port: number,
  {
    refuses,
    credentials
  }: { readonly refuses?: number; readonly credentials?: string } = {}
): Promise<TestProxy> {
  const lines: string[] = []
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`
  const statusFor = ({ headers }: IncomingMessage): number | undefined =>
    refuses ??
    (wanted !== undefined && headers['proxy-authorization'] !== wanted ? 407 : undefined)
  const server = http.createServer((request, response) => {
    lines.push(`${request.method} ${request.url} host ${request.headers.host}`)
    const status = statusFor(request)
    if (status !== undefined)
      return void response.writeHead(status, { 'content-type': 'text/html' }).end('no')
    const { pathname, search } = new URL(request.url ?? '')
    const onward = http.request(
      { port, host: '127.0.0.1', path: pathname + search, method: request.method },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }
    )
    request.pipe(onward)
  })
  server.on('connect', (request, client: Socket) => {
    lines.push(`CONNECT ${request.url}`)
    client.on('error', () => undefined)
    const status = statusFor(request)
    if (status !== undefined)
      return void client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`)
    const onward = net.connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(client).pipe(onward)
    })
    onward.on('error', () => client.destroy())
  })
  return { port: await listening(server), lines }
}

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const one of sockets) one.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
