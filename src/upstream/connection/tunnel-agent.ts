/**
 * Tunnels through a proxy, each opened before the request that it is for. Whoever takes requests over inside of a
 * process (nock 14) asks an agent for its connection and wants it at once; https-proxy-agent has it only after a while.
 */
import { EventEmitter } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import type { HttpsProxyAgent } from 'https-proxy-agent'

/** What opening came to: a tunnel that stands, or the status with which the proxy refused. */
export type TunnelOpening = { readonly kind: 'open' } | { readonly kind: 'refused'; readonly status: number }

export class TunnelAgent extends https.Agent {
  readonly #proxyAgent: HttpsProxyAgent<string>
  readonly #tlsOptions: tls.ConnectionOptions
  readonly #sockets: Duplex[] = []

  /** @param tlsOptions which certificates of the wiki are believed */
  constructor(proxyAgent: HttpsProxyAgent<string>, tlsOptions: tls.ConnectionOptions) {
    super()
    this.#proxyAgent = proxyAgent
    this.#tlsOptions = tlsOptions
  }

  /** Opens one more, and has it ready for the next request. @throws Error as connections and certificates give it */
  async openTunnel(origin: string): Promise<TunnelOpening> {
    const { hostname, port } = new URL(origin)
    const host = hostname.replace(/^\[|\]$/g, '')
    // The opener tells a request what the proxy answered; here there is none yet.
    const request = new EventEmitter()
    let status = 200
    request.once('proxyConnect', ({ statusCode = 0 }: IncomingMessage) => {
      status = statusCode
    })
    const socket = await this.#proxyAgent.connect(request as ClientRequest, {
      ...this.#tlsOptions,
      ...(isIP(host) ? {} : { servername: host }),
      host,
      port: Number(port || 443),
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
