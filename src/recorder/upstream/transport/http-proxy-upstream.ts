/**
 * The live wiki through http-proxy 1.18.1, with a cure for each of its known faults
 * (docs/decisions/0003-http-proxy-behind-a-port.md; one test each in test/recorder/upstream/).
 */
import {
  type Agent,
  type ClientRequest,
  IncomingMessage,
  ServerResponse
} from 'node:http'
import { Socket } from 'node:net'
import { Stream } from 'node:stream'
import type HttpProxy from 'http-proxy'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import {
  agentFor,
  hostOf,
  proxyAuthorization,
  TunnelAgent,
  type UpstreamConnection,
  whyHeadTooLong
} from '../connection/agent.ts'
import {
  type ConnectionTarget,
  maxTimeouts,
  proxyRefusal,
  toUpstreamError
} from '../connection/connection-errors.ts'
import { forwardedHeaders } from '../forwarded-headers.ts'
import { type Upstream, UpstreamError, type UpstreamRequest } from '../upstream.ts'
import { httpProxy } from './http-proxy.ts'
import { PendingRequest, readAnswer } from './pending-request.ts'

export interface HttpProxyOptions extends UpstreamConnection {
  /** Milliseconds without a byte after which a request fails. */
  readonly timeout: number
  /** Bytes of a decoded answer that are accepted at most. */
  readonly maxBytes: number
  /** Sent where the client sends no `Authorization`: the credentials of the api-url. */
  readonly authorization?: string | undefined
  /** Sent where the request has none of the name (lower-case). */
  readonly headers?: ReadonlyMap<string, string> | undefined
}

/** http-proxy wants a client's socket; this one is never connected, and serves all requests. */
const unconnectedSocket = new Socket()

/** http-proxy would pipe the body out of a stream; `#onProxyRequest` sends it instead. */
const detachedBody = Object.assign(new Stream(), { pipe: <T>(to: T) => to })

export class HttpProxyUpstream implements Upstream {
  readonly #target: ConnectionTarget & HttpProxyOptions
  readonly #agent: Agent
  readonly #proxy: HttpProxy
  /** The proxy that takes requests in plain http, with the whole URL in the request line. */
  readonly #forwardProxy: string | undefined
  readonly #pending = new Map<IncomingMessage, PendingRequest>()
  /** Requests for which a proxy refused to open a tunnel, with its status. */
  readonly #refusedTunnels = new WeakMap<ClientRequest, number>()
  readonly #unusedResponse = new ServerResponse(new IncomingMessage(unconnectedSocket))

  /** @param origin scheme, host and port of the wiki, e.g. `http://127.0.0.1:8143` */
  constructor(origin: string, options: HttpProxyOptions) {
    this.#target = { ...options, origin }
    this.#agent = agentFor(origin, options)
    this.#forwardProxy = origin.startsWith('http:') ? options.proxy : undefined
    this.#agent.on(
      'proxyConnect',
      ({ statusCode }: IncomingMessage, request: ClientRequest) => {
        if (statusCode !== undefined && statusCode !== 200)
          this.#refusedTunnels.set(request, statusCode)
      }
    )
    const url = new URL(origin)
    const { protocol, host, port } = url
    this.#proxy = httpProxy.createProxyServer({
      // With a target in parts, and `toProxy`, http-proxy does not call the deprecated `url.parse` (DEP0169). A tunnel
      // takes its certificates from the request, not from its agent.
      target: {
        protocol,
        host,
        hostname: hostOf(url),
        port,
        ...(options.ca ? { ca: options.ca.join('\n') } : {})
      },
      agent: this.#agent,
      changeOrigin: true,
      toProxy: true,
      selfHandleResponse: true,
      proxyTimeout: options.timeout,
      secure: options.insecure !== true
    })
    this.#proxy.on('proxyReq', (outgoing, head) => this.#onProxyRequest(outgoing, head))
    this.#proxy.on('proxyRes', (response, head) =>
      this.#pending.get(head)?.succeed(response)
    )
  }

  async ask(request: UpstreamRequest, signal?: AbortSignal): Promise<WikiAnswer> {
    for (;;) {
      const answer = await this.#attempt(request, signal)
      if (answer !== 'stale') return answer
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  async #attempt(request: UpstreamRequest, signal?: AbortSignal) {
    const { timeout, maxBytes } = this.#target
    const head = syntheticRequest(request, this.#target)
    const pending = new PendingRequest(request)
    const onClientAbort = () => pending.abort('aborted')
    const timer = setTimeout(() => pending.abort('too-slow'), maxTimeouts * timeout)
    this.#pending.set(head, pending)
    signal?.addEventListener('abort', onClientAbort)
    try {
      if (this.#agent instanceof TunnelAgent)
        await Promise.race([this.#openTunnel(this.#agent, pending), pending.response])
      if (signal?.aborted) onClientAbort()
      else
        this.#proxy.web(
          head,
          this.#unusedResponse,
          { buffer: detachedBody },
          pending.fail
        )
      const response = await pending.response
      if (this.#forwardProxy !== undefined && response.statusCode === 407)
        throw proxyRefusal(407, this.#target)
      return await readAnswer(response, this.#target.origin, maxBytes)
    } catch (error) {
      if (pending.isStale(error)) return 'stale'
      throw toUpstreamError(error, pending.abortReason, this.#target)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onClientAbort)
      this.#pending.delete(head)
    }
  }

  /** http-proxy collapses `//` in paths, so the exact target is set here; the body goes out only after that. */
  #onProxyRequest(outgoing: ClientRequest, head: IncomingMessage) {
    const pending = this.#pending.get(head)
    // The client may have left while its request waited for a free connection.
    if (!pending || pending.abortReason !== undefined) return void outgoing.destroy()
    const { target, body } = pending.request
    outgoing.path = target
    if (this.#forwardProxy !== undefined)
      addressViaProxy(this.#forwardProxy, this.#target.origin, outgoing)
    pending.watch(outgoing, this.#target)
    const unsendable = this.#whyUnsendable(outgoing)
    if (unsendable) {
      pending.fail(unsendable)
      return void outgoing.destroy()
    }
    outgoing.end(body.length === 0 ? undefined : body)
  }

  #whyUnsendable(outgoing: ClientRequest) {
    const refusedStatus = this.#refusedTunnels.get(outgoing)
    if (refusedStatus !== undefined) return proxyRefusal(refusedStatus, this.#target)
    const tooLong = whyHeadTooLong(outgoing)
    return tooLong === undefined
      ? undefined
      : new UpstreamError(
          'unreachable',
          `${this.#target.origin}: request not sent: ${tooLong}`
        )
  }

  /** Opens the tunnel that a request will take. @throws UpstreamError where the proxy refuses */
  async #openTunnel(agent: TunnelAgent, pending: PendingRequest) {
    const timer = setTimeout(() => pending.abort('timeout'), this.#target.timeout)
    try {
      const refusedStatus = await agent.openTunnel(this.#target.origin)
      if (refusedStatus !== undefined) throw proxyRefusal(refusedStatus, this.#target)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** In plain http the proxy is sent the whole URL. Source: RFC 9112, 3.2.2 */
function addressViaProxy(proxy: string, origin: string, outgoing: ClientRequest) {
  outgoing.path = origin + outgoing.path
  const authorization = proxyAuthorization(proxy)
  if (authorization !== undefined)
    outgoing.setHeader('proxy-authorization', authorization)
}

/** The incoming request that http-proxy wants. */
function syntheticRequest(
  { method, headers, body, anonymous }: UpstreamRequest,
  { authorization, headers: added }: HttpProxyOptions
) {
  const head = new IncomingMessage(unconnectedSocket)
  head.method = method
  head.url = '/'
  Object.assign(head.headers, forwardedHeaders(headers, body.length, method !== 'GET'))
  if (anonymous) return head
  for (const [name, value] of added ?? []) head.headers[name] ??= value
  if (authorization !== undefined) head.headers.authorization ??= authorization
  return head
}
