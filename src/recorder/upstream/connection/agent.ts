/** Agents and sockets that connect to a wiki, directly or through a proxy. */
import { EventEmitter } from 'node:events'
import http, { type ClientRequest, type IncomingMessage, maxHeaderSize } from 'node:http'
import https from 'node:https'
import net, { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import { types } from 'node:util'
import { HttpsProxyAgent } from 'https-proxy-agent'

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

  /**
   * Opens a tunnel for the next request.
   * @returns the status with which the proxy refuses; undefined where it is open. @throws Error of the connection or its certificate
   */
  async openTunnel(origin: string): Promise<number | undefined> {
    // https-proxy-agent emits what the proxy answered on the request; here there is none yet.
    const request = new EventEmitter()
    let status = 200
    request.once('proxyConnect', ({ statusCode = 0 }: IncomingMessage) => {
      status = statusCode
    })
    const socket = await this.#proxyAgent.connect(request as ClientRequest, {
      ...this.#tlsOptions,
      ...tlsAddress(new URL(origin)),
      secureEndpoint: true
    })
    if (status !== 200 || !(socket instanceof tls.TLSSocket)) {
      socket.destroy()
      return status
    }
    await tlsConnected(socket)
    this.#sockets.push(socket)
    return undefined
  }

  override createConnection(): Duplex {
    const socket = this.#sockets.shift()
    if (!socket) throw new Error('a request came for which no tunnel was opened')
    return socket
  }

  override destroy(): void {
    for (const socket of this.#sockets.splice(0)) socket.destroy()
    super.destroy()
  }
}

const tlsConnected = (socket: tls.TLSSocket) =>
  new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.once('secureConnect', resolve)
    socket.once('close', () =>
      reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    )
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

  override createConnection() {
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

export const tlsOptionsOf = ({
  ca,
  insecure
}: UpstreamConnection): tls.ConnectionOptions => ({
  ...(ca ? { ca: [...ca] } : {}),
  ...(insecure ? { rejectUnauthorized: false } : {})
})

/** The name of a host, IPv6 without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Host, port and, for names, `servername`, as node:tls wants them. */
export function tlsAddress(url: URL): {
  host: string
  port: number
  servername?: string
} {
  const host = hostOf(url)
  return {
    host,
    port: Number(url.port || 443),
    ...(isIP(host) ? {} : { servername: host })
  }
}

export const connectTo = (
  url: URL,
  options: tls.ConnectionOptions,
  onConnected?: () => void
): Socket =>
  url.protocol === 'https:'
    ? tls.connect({ ...options, ...tlsAddress(url) }, onConnected)
    : net.connect({ host: hostOf(url), port: Number(url.port || 80) }, onConnected)

/*
 * Limits of node:http where nock 14, or another library built on the same interceptors, intercepts it. They parse every
 * request with Node's own parser and ignore its errors: a request whose URL and headers are longer than
 * `http.maxHeaderSize` would wait for ever. (nock 15 intercepts connections, and reads heads of any length.)
 */

/** Interceptors replace Node's function by a Proxy. */
export const isHttpIntercepted = (): boolean => types.isProxy(http.request)

/** Node adds some headers of its own while it sends. */
const reservedBytes = 256

/** Why a request would wait for ever; undefined where it can be sent. */
export const whyHeadTooLong = (request: ClientRequest): string | undefined =>
  isHttpIntercepted() && headBytes(request) + reservedBytes >= maxHeaderSize
    ? `URL and headers are longer than ${maxHeaderSize} bytes, which nock 14 and msw cannot read; send the parameters as a POST, start Node with --max-http-header-size=131072, or use nock 15 in place of nock 14 (it needs Node.js 22)`
    : undefined

/** What nock 15 says on Node 20, of every connection. */
export const needsNode22 = 'Promise.withResolvers is not a function'

/** nock 15 is recognised by this export; it needs Node 22. nock 14 replaces http.ClientRequest and fetch. */
export const isNock15 = (nock: object): boolean => 'getGetRequestBody' in nock

/** @param nock the package's exports @throws Error that says what to install */
export function checkNockVersion(
  nock: object,
  promise: object = Promise,
  node?: string
): void {
  if (isNock15(nock) && !('withResolvers' in promise))
    throw new Error(`wikitape: ${nockTooNew(node)}`)
}

/** @param node the version that runs this */
export const nockTooNew = (node: string = process.version): string =>
  `the installed nock needs Node.js 22 or newer, and this is ${node}: npm install --save-dev nock@14`

/** What Node's parser counts. Source: https://nodejs.org/api/http.html#httpmaxheadersize */
const headBytes = (request: ClientRequest) =>
  Object.entries(request.getHeaders()).reduce(
    (sum, [name, value]) => sum + name.length + String(value).length,
    request.path.length
  )
