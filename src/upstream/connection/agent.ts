/** The agent of node:http that connects to a wiki, directly or through a proxy. */
import http from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import type tls from 'node:tls'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { connectTo, tlsOptionsOf } from './connect.ts'
import { isHttpIntercepted } from './intercepted-http.ts'
import { TunnelAgent } from './tunnel-agent.ts'

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
