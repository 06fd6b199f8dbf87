/** Agents and sockets that connect to a wiki, directly or through a proxy. */
import { EventEmitter } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import http from 'node:http'
import https from 'node:https'
import net, { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { isHttpIntercepted } from './intercepted-http.ts'

export type TunnelOpening = { readonly kind: 'open' } | { readonly kind: 'refused'; readonly status: number }

/**
 * Opens tunnels through a proxy before the requests that use them: nock 14 wants an agent's connection at once, and
 * https-proxy-agent provides it later.
 */
export class TunnelAgent extends https.Agent {
  readonly #proxyAgent: HttpsProxyAgent<string>
  readonly #tlsOptions: tls.ConnectionOptions
  readonly #sockets: Duplex[] = []

  constructor(proxyAgent: HttpsProxyAgent<string>, tlsOptions: tls.ConnectionOptions) {
    super()
    this.#proxyAgent = proxyAgent
    this.#tlsOptions = tlsOptions
  }

  /** Opens a tunnel for the next request. @throws Error of the connection or its certificate */
  async openTunnel(origin: string): Promise<TunnelOpening> {
    // https-proxy-agent emits what the proxy answered on the request; here there is none yet.
    const request = new EventEmitter()
    let status = 200
    request.once('proxyConnect', ({ statusCode = 0 }: IncomingMessage) => {
      status = statusCode
    })
    const socket = await this.#proxyAgent.connect(request as ClientRequest, {
      ...this.#tlsOptions,
      ...tlsAddress(new URL(origin)),
      secureEndpoint: true,
    })
    if (status !== 200 || !(socket instanceof tls.TLSSocket)) {
      socket.destroy()
      return { kind: 'refused', status }
    }
    await tlsConnected(socket)
    this.#sockets.push(socket)
    return { kind: 'open' }
  }

  override createConnection(): Duplex {
    const socket = this.#sockets.shift()
    if (socket === undefined) throw new Error('a request came for which no tunnel was opened')
    return socket
  }

  override destroy(): void {
    for (const socket of this.#sockets.splice(0)) socket.destroy()
    super.destroy()
  }
}

const tlsConnected = (socket: tls.TLSSocket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.once('secureConnect', resolve)
    socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
  })

/** How a wiki is connected to: directly or through a proxy, and which certificates are trusted. */
export interface UpstreamConnection {
  /** Address of the proxy, with its credentials; undefined for a direct connection. */
  readonly proxy?: string | undefined
  /** Trusted certificates, in PEM; those of Node unless given. */
  readonly ca?: readonly string[] | undefined
  readonly insecure?: boolean | undefined
  /** True where node:http in this process is intercepted and wants connections at once; detected where it is so already. */
  readonly preopensTunnels?: boolean | undefined
}

const maxSockets = 16

export function agentFor(origin: string, connection: UpstreamConnection): http.Agent {
  const { proxy, preopensTunnels = isHttpIntercepted() } = connection
  const tlsOptions = tlsOptionsOf(connection)
  const options = { keepAlive: true, maxSockets, ...tlsOptions }
  const isTls = origin.startsWith('https:')
  if (proxy === undefined) return new (isTls ? https : http).Agent(options)
  if (!isTls) return new ForwardAgent(proxy, options)
  const proxyAgent = new HttpsProxyAgent(proxy, options)
  return preopensTunnels ? new TunnelAgent(proxyAgent, tlsOptions) : proxyAgent
}

/** Plain http through a proxy goes to it with the whole URL in the request line. Source: RFC 9112, 3.2.2. */
class ForwardAgent extends http.Agent {
  readonly #proxy: URL
  readonly #options: tls.ConnectionOptions

  constructor(proxy: string, options: http.AgentOptions & tls.ConnectionOptions) {
    super(options)
    this.#proxy = new URL(proxy)
    this.#options = options
  }

  override createConnection(): Duplex {
    return connectTo(this.#proxy, this.#options)
  }
}

/** The `Proxy-Authorization` that the credentials of a proxy's address make; undefined where it has none. */
export function proxyAuthorization(proxy: string): string | undefined {
  const { username, password } = new URL(proxy)
  if (username === '' && password === '') return undefined
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

export const tlsOptionsOf = ({ ca, insecure }: UpstreamConnection): tls.ConnectionOptions => ({
  ...(ca === undefined ? {} : { ca: [...ca] }),
  ...(insecure === true ? { rejectUnauthorized: false } : {}),
})

/** The name of a host, IPv6 without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Host, port and, for names, `servername`, as node:tls wants them. */
export function tlsAddress(url: URL): { host: string; port: number; servername?: string } {
  const host = hostOf(url)
  return { host, port: Number(url.port || 443), ...(isIP(host) ? {} : { servername: host }) }
}

export const connectTo = (url: URL, options: tls.ConnectionOptions, onConnected?: () => void): Socket =>
  url.protocol === 'https:'
    ? tls.connect({ ...options, ...tlsAddress(url) }, onConnected)
    : net.connect({ host: hostOf(url), port: Number(url.port || 80) }, onConnected)
