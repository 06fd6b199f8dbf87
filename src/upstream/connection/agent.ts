/** The way to a wiki: straight or through a proxy, and which certificates are believed on it. */
import http from 'node:http'
import https from 'node:https'
import net, { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { isHttpIntercepted } from './intercepted-http.ts'
import { TunnelAgent } from './tunnel-agent.ts'

export interface UpstreamConnection {
  /** Address of the proxy, with its credentials; undefined for the straight way. */
  readonly proxy?: string | undefined
  /** Certificates that are believed, in PEM; those of Node unless given. */
  readonly ca?: readonly string[] | undefined
  /** Believes any certificate. */
  readonly insecure?: boolean | undefined
  /** True where somebody in this process takes requests over and wants their connections at once; seen by itself where that is so already. */
  readonly preopensTunnels?: boolean | undefined
}

type ProxyVariables = Readonly<Record<string, string | undefined>>

/**
 * The proxy that the usual variables name for an origin; none for this machine itself.
 * Source: https://curl.se/docs/manpage.html (ENVIRONMENT); small letters count first.
 */
export function proxyFromEnvironment(origin: string, env: ProxyVariables): string | undefined {
  const { protocol, hostname, port } = new URL(origin)
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  if (isLoopback(host)) return undefined
  const read = (name: string): string | undefined => env[name] || env[name.toUpperCase()] || undefined
  const exceptions = (read('no_proxy') ?? '').split(/[\s,]+/).filter((one) => one !== '')
  if (exceptions.some((one) => isExceptedBy(one.toLowerCase(), host, port || standardPort(protocol))))
    return undefined
  const named = read(`${protocol.slice(0, -1)}_proxy`) ?? read('all_proxy')
  return named === undefined || /^[a-z][a-z0-9+.-]*:\/\//i.test(named) ? named : `http://${named}`
}

const standardPort = (protocol: string): string => (protocol === 'https:' ? '443' : '80')

const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  host === '::1' ||
  (isIP(host) === 4 && host.startsWith('127.'))

/** `*`, a host, `.suffix` or `*.suffix`, each perhaps with a port; a bare domain excepts what is below it too. */
function isExceptedBy(entry: string, host: string, port: string): boolean {
  const [, name = '', only] = /^(.*?)(?::(\d{1,5}))?$/.exec(entry) ?? []
  if (only !== undefined && only !== port) return false
  const domain = name.replace(/^\*?\./, '')
  return name === '*' || host === domain || host.endsWith(`.${domain}`)
}

/** Sockets that may be open to one wiki at a time. */
const maxSockets = 16

export function agentFor(
  origin: string,
  { proxy, ca, insecure, preopensTunnels: atOnce = isHttpIntercepted() }: UpstreamConnection,
): http.Agent {
  const tlsOptions = {
    ...(ca === undefined ? {} : { ca: [...ca] }),
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
  }
  const options = { keepAlive: true, maxSockets, ...tlsOptions }
  const isTls = origin.startsWith('https:')
  if (proxy === undefined) return new (isTls ? https : http).Agent(options)
  if (!isTls) return new ForwardAgent(proxy, options)
  const proxyAgent = new HttpsProxyAgent(proxy, options)
  return atOnce ? new TunnelAgent(proxyAgent, tlsOptions) : proxyAgent
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
    const { protocol, hostname, port } = this.#proxy
    const host = hostname.replace(/^\[|\]$/g, '')
    return protocol === 'https:'
      ? tls.connect({
          ...this.#options,
          host,
          port: Number(port || 443),
          ...(isIP(host) ? {} : { servername: host }),
        })
      : net.connect(Number(port || 80), host)
  }
}

/** What a proxy is told who asks, where its address has credentials. */
export function proxyAuthorization(proxy: string): string | undefined {
  const { username, password } = new URL(proxy)
  if (username === '' && password === '') return undefined
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}
