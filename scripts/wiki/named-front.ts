/**
 * Wikis behind TLS under names that no machine resolves: a company's proxy, which wikitape uses as its own, leads there.
 * As a script, `tsx scripts/wiki/named-front.ts NAME ORIGIN FILE`: prints the proxy's address, and writes the authority
 * of the names to FILE.
 */
import { writeFileSync } from 'node:fs'
import http, { type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import {
  CertificateAuthority,
  createAuthority
} from '../../src/recorder/server/certificates/certificate-authority.ts'

export interface NamedFront {
  readonly server: Server
  /** Of the authority that signed the names, in PEM. */
  readonly certificate: string
  /** Request lines of the proxy, e.g. `CONNECT en.wiki.test:443`. */
  readonly lines: string[]
}

/** @param origins of servers of plain http, by name, e.g. `{ 'en.wiki.test': 'http://127.0.0.1:8143' }` */
export function namedFront(origins: Readonly<Record<string, string>>): NamedFront {
  const { certificate, key } = createAuthority(1)
  const authority = new CertificateAuthority(certificate, key)
  const lines: string[] = []
  const server = http.createServer((request, response) => {
    const { method = '', url = '', headers } = request
    if (!url.startsWith('/')) lines.push(`${method} ${url}`)
    const { hostname, pathname, search } = new URL(url, `https://${headers.host}`)
    const address = new URL(pathname + search, origins[hostname] ?? 'http://127.0.0.1:1')
    const options = { method, headers: { ...headers, host: address.host } }
    const onward = http.request(address, options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  server.on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
    lines.push(`CONNECT ${url}`)
    socket.on('error', () => undefined)
    const name = url.replace(/:\d+$/, '')
    if (origins[name] === undefined)
      return void socket.end('HTTP/1.1 502 No such host\r\n\r\n')
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const secure = new tls.TLSSocket(socket, {
      isServer: true,
      ...authority.credentialsFor(name)
    })
    secure.on('error', () => undefined)
    server.emit('connection', secure)
  })
  return { server, certificate, lines }
}

const [, script, name = '', origin = '', file = ''] = process.argv
if (script === fileURLToPath(import.meta.url)) {
  const { server, certificate } = namedFront({ [name]: origin })
  writeFileSync(file, certificate)
  server.listen(0, '127.0.0.1', () =>
    console.log(`on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  )
}
