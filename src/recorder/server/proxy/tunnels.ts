/** CONNECT: wikitape answers inside of the tunnel in place of the host that it should lead to. */
import type { IncomingMessage, Server } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { createServer, type Server as TlsServer } from 'node:tls'
import type { OwnError } from '../../http/reply-headers.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { hostOf } from '../../upstream/connection/agent.ts'
import { failureCode } from '../../upstream/upstream.ts'
import type { CertificateAuthority } from '../certificates/certificate-authority.ts'
import type { TunnelOrigins } from './intercepted-request.ts'

export interface TunnelsOptions {
  readonly authority: CertificateAuthority
  readonly origins: TunnelOrigins
  readonly report: (line: string) => void
}

/** Milliseconds until a tunnel in which nothing is said is closed, or in which TLS does not begin. */
const silenceMs = 30_000
/** Tunnels at once in which nothing was said. */
const maxSilent = 1000
const maxHosts = 1000

export class Tunnels {
  readonly #options: TunnelsOptions
  readonly #server: Server
  readonly #tlsServers = new Map<string, TlsServer>()
  readonly #reported = new Set<string>()
  #silent = 0

  /** @param server gets the connections inside of the tunnels */
  constructor(server: Server, options: TunnelsOptions) {
    this.#server = server
    this.#options = options
  }

  /** Opens the tunnel, or says why not. */
  open(
    { url = '', headers }: IncomingMessage,
    socket: Socket,
    head: Buffer
  ): OwnError | undefined {
    if (
      !/^(?:\[[\da-f:.]+\]|[^\s:/?#@]+):\d+$/i.test(url) ||
      !URL.canParse(`https://${url}`)
    )
      return badTunnel(`CONNECT ${url.slice(0, 200)}: expected host:port`)
    if (
      Number(headers['content-length'] ?? 0) > 0 ||
      headers['transfer-encoding'] !== undefined
    )
      return badTunnel(`CONNECT ${url} has a body; expected none (RFC 9110, 9.3.6)`)
    if (this.#silent >= maxSilent)
      return {
        status: 503,
        code: 'too-many-tunnels',
        info: `${maxSilent} tunnels are open in which nothing is said; close some`
      }

    socket.on('error', () => undefined)
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length > 0) socket.unshift(head)
    this.#awaitFirstBytes(socket, url)
    return undefined
  }

  #awaitFirstBytes(socket: Socket, url: string) {
    this.#silent += 1
    const onReadable = () => {
      const bytes: Buffer | null = socket.read()
      if (bytes !== null) leave(bytes)
    }
    const giveUp = () => {
      leave()
      socket.destroy()
    }
    const leave = (bytes?: Buffer) => {
      this.#silent -= 1
      socket
        .off('readable', onReadable)
        .off('timeout', giveUp)
        .off('end', giveUp)
        .off('close', giveUp)
      socket.setTimeout(0)
      if (!bytes) return
      socket.unshift(bytes)
      this.#enter(socket, url, bytes)
    }
    socket.on('readable', onReadable)
    for (const event of ['timeout', 'end', 'close'] as const) socket.once(event, giveUp)
    socket.setTimeout(silenceMs)
  }

  /** @param bytes the first ones, which tell the protocol */
  #enter(socket: Socket, url: string, bytes: Buffer) {
    if (bytes[0] === 0x16) {
      getOrAdd(this.#tlsServers, url, () => this.#tlsServerFor(url)).emit(
        'connection',
        socket
      )
      return
    }
    // Some programs ask for plain http through a tunnel, too.
    if (/^[A-Z]{3,10} /.test(bytes.toString('latin1', 0, 11))) {
      this.#serve(socket, new URL(`http://${url}`).origin)
      return
    }

    const shown = JSON.stringify(bytes.toString('latin1', 0, 20))
    this.#tell(
      `a tunnel to ${url} was closed: its first bytes are neither TLS nor HTTP: ${shown}`
    )
    socket.destroy()
  }

  #serve(socket: Socket, origin: string) {
    this.#options.origins.set(socket, origin)
    this.#server.emit('connection', socket)
  }

  /** Without a name in the handshake, the certificate is for the host of the tunnel. */
  #tlsServerFor(url: string) {
    const { authority } = this.#options
    const address = new URL(`https://${url}`)
    const host = hostOf(address)
    const server = createServer({
      ...authority.credentialsFor(host),
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout: silenceMs,
      SNICallback: (name, done) => done(null, authority.credentialsFor(name).context)
    })
    server.on('secureConnection', (socket) => {
      // An address is no name: the program has resolved it itself.
      const { servername } = socket
      if (isIP(host) > 0 && servername) address.hostname = servername
      this.#serve(socket, address.origin)
    })
    server.on('tlsClientError', (error) => this.#tellHandshake(url, error))
    return server
  }

  #tellHandshake(url: string, error: Error) {
    const why = handshakeFault(failureCode(error))
    if (why !== undefined)
      this.#tell(`TLS with a program that asks for ${url} failed: ${why}`)
  }

  /** Once: programs try again. */
  #tell(line: string) {
    if (this.#reported.size >= maxHosts || this.#reported.has(line)) return
    this.#reported.add(line)
    this.#options.report(line)
  }
}

const badTunnel = (info: string) => ({ status: 400, code: 'bad-tunnel', info })

/** Undefined where the program has just gone. Source: RFC 8446, 6 (alerts), as OpenSSL names them */
function handshakeFault(code: string) {
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') return undefined
  if (/NO_APPLICATION_PROTOCOL|NO_SHARED_ALPN/.test(code))
    return 'it speaks HTTP/2 alone, and wikitape speaks HTTP/1.1; allow HTTP/1.1 in the program'
  if (/UNKNOWN_CA|CERTIFICATE|DECRYPT_ERROR/.test(code))
    return `it does not trust the certificate (${code}): it has trusted authorities of its own, pins the wiki's certificate, or has another clock; docs/any-program.md says what to set`
  return `${code}; wikitape speaks TLS 1.2 and 1.3`
}
