/**
 * An agent whose tunnels through a proxy are opened before the requests that use them: nock 14 wants an agent's
 * connection at once, and https-proxy-agent provides it later.
 */
import { EventEmitter } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import type { HttpsProxyAgent } from 'https-proxy-agent'
import { tlsAddress } from './connect.ts'

export type TunnelOpening = { readonly kind: 'open' } | { readonly kind: 'refused'; readonly status: number }

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
