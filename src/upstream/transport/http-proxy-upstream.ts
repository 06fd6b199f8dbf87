/**
 * The live wiki through http-proxy 1.18.1, with a cure for each of its known faults
 * (docs/decisions/0003-http-proxy-behind-a-port.md; one test each in test/upstream/).
 */
import { withResolvers } from '../with-resolvers.ts'
import './util-extend-patch.ts'
import { type Agent, type ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Stream } from 'node:stream'
import httpProxy from 'http-proxy'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import { agentFor, proxyAuthorization, type UpstreamConnection } from '../connection/agent.ts'
import { type ConnectionTarget, proxyRefusal, toUpstreamError } from '../connection/connection-errors.ts'
import { whyHeadTooLong } from '../connection/intercepted-http.ts'
import { TunnelAgent } from '../connection/tunnel-agent.ts'
import { decodeContent, tooLargeError } from '../content-decoding.ts'
import { failureCode } from '../failure-code.ts'
import { forwardedHeaders, receivedHeaders, unsupportedTransferCoding } from '../forwarded-headers.ts'
import { type AbortListenable, type Upstream, UpstreamError, type UpstreamRequest } from '../upstream.ts'

export interface HttpProxyOptions extends UpstreamConnection {
  /** Milliseconds without a byte before the wiki counts as gone. */
  readonly timeout: number
  /** Milliseconds that one answer may take in all, however steadily it trickles; ten times the silence unless given. */
  readonly maxDuration?: number
  /** Bytes of a decoded answer that are accepted at most. */
  readonly maxBytes: number
  /** Sent where the client sends no `Authorization` of its own: the credentials of the api-url. */
  readonly authorization?: string | undefined
  /** Sent where the request has none of the name (lower-case). */
  readonly headers?: ReadonlyMap<string, string> | undefined
}

interface PendingRequest {
  readonly request: UpstreamRequest
  readonly onResponse: (response: IncomingMessage) => void
  readonly onError: (error: Error) => void
  /** Once the request has a connection. */
  outgoing: ClientRequest | undefined
  /** Why this side broke the request off. */
  abortReason: 'aborted' | 'timeout' | 'too-slow' | undefined
}

/** What http-proxy wants of a client. The socket is never connected; one does for all requests. */
const unconnectedSocket = new Socket()
/** http-proxy would have a body flow out of a stream, which takes turns; it is at hand, and sent when its request is. */
class DetachedBody extends Stream {
  override pipe<T>(to: T): T {
    return to
  }
}
const detachedBody = new DetachedBody()
/** Settings of http-proxy that no wiki changes. */
const fixedProxyOptions = { changeOrigin: true, toProxy: true, selfHandleResponse: true } as const

/** @param origin scheme, host and port of the wiki, e.g. `http://127.0.0.1:8143` */
export function httpProxyUpstream(origin: string, options: HttpProxyOptions): Upstream {
  const agent = agentFor(origin, options)
  const target = { ...options, origin }
  const httpProxyUrl = origin.startsWith('http:') ? options.proxy : undefined
  const refusals = refusedTunnels(agent)
  const proxy = httpProxy.createProxyServer({
    // A tunnel takes what is believed from the request, not from its agent.
    target: { ...splitOrigin(origin), ...(options.ca === undefined ? {} : { ca: options.ca.join('\n') }) },
    agent,
    ...fixedProxyOptions,
    proxyTimeout: options.timeout,
    secure: options.insecure !== true,
  })
  const pending = new Map<IncomingMessage, PendingRequest>()
  const unused = new ServerResponse(new IncomingMessage(unconnectedSocket))
  // http-proxy collapses `//` in paths, so the exact target is set; the body goes out only after that, hence in order.
  proxy.on('proxyReq', (outgoing, request) => {
    const entry = pending.get(request)
    // The client may have left while its request waited for a free connection.
    if (entry === undefined || entry.abortReason !== undefined) return void outgoing.destroy()
    entry.outgoing = outgoing
    outgoing.path = entry.request.target
    if (httpProxyUrl !== undefined) addressViaProxy(httpProxyUrl, origin, outgoing)
    const unsendable = whyUnsendable(outgoing, refusals.get(outgoing), target)
    if (unsendable !== undefined) {
      entry.onError(unsendable)
      return void outgoing.destroy()
    }
    watchRequest(outgoing, entry, target)
    outgoing.end(entry.request.body.length === 0 ? undefined : entry.request.body)
  })
  proxy.on('proxyRes', (response, request) => pending.get(request)?.onResponse(response))

  const attempt = async (
    request: UpstreamRequest,
    signal?: AbortListenable,
  ): Promise<WikiAnswer | 'stale'> => {
    const head = syntheticRequest(request, options)
    const { promise, resolve, reject } = withResolvers<IncomingMessage>()
    const entry: PendingRequest = {
      request: request,
      onResponse: resolve,
      onError: reject,
      outgoing: undefined,
      abortReason: undefined,
    }
    // http-proxy itself lets the upstream request run on when the client leaves.
    const abort = (why: NonNullable<PendingRequest['abortReason']>): void => {
      entry.abortReason ??= why
      entry.outgoing?.destroy()
      reject(new Error(why))
    }
    const onClientAbort = (): void => abort('aborted')
    const { maxDuration: patience = 10 * options.timeout } = options
    const timer = setTimeout(() => abort('too-slow'), patience)
    pending.set(head, entry)
    signal?.addEventListener('abort', onClientAbort)
    try {
      if (agent instanceof TunnelAgent) await Promise.race([openTunnel(agent, target, abort), promise])
      if (signal?.aborted === true) onClientAbort()
      else proxy.web(head, unused, { buffer: detachedBody }, reject)
      const response = await promise
      if (httpProxyUrl !== undefined && response.statusCode === 407) throw proxyRefusal(407, target)
      return await readAnswer(response, origin, options)
    } catch (error) {
      if (entry.abortReason === undefined && isStale(error, entry)) return 'stale'
      throw toUpstreamError(error, entry.abortReason, target)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onClientAbort)
      pending.delete(head)
    }
  }
  const ask = async (request: UpstreamRequest, signal?: AbortListenable): Promise<WikiAnswer> => {
    for (;;) {
      const answer = await attempt(request, signal)
      if (answer !== 'stale') return answer
    }
  }
  return { ask, close: () => agent.destroy() }
}

/** @param refusedStatus status with which a proxy refused to open a tunnel for it */
function whyUnsendable(
  outgoing: ClientRequest,
  refusedStatus: number | undefined,
  target: ConnectionTarget,
): UpstreamError | undefined {
  if (refusedStatus !== undefined) return proxyRefusal(refusedStatus, target)
  const tooLong = whyHeadTooLong(outgoing)
  return tooLong === undefined
    ? undefined
    : new UpstreamError('unreachable', `${target.origin} cannot be asked: ${tooLong}`)
}

/** Opens the tunnel that a request will take. @throws UpstreamError where the proxy refuses */
async function openTunnel(
  tunnels: TunnelAgent,
  target: ConnectionTarget,
  abort: (why: 'timeout') => void,
): Promise<void> {
  const timer = setTimeout(() => abort('timeout'), target.timeout)
  try {
    const opening = await tunnels.openTunnel(target.origin)
    if (opening.kind === 'refused') throw proxyRefusal(opening.status, target)
  } finally {
    clearTimeout(timer)
  }
}

/** In plain http the proxy has to be told for whom the request is. Source: RFC 9112, 3.2.2 */
function addressViaProxy(proxy: string, origin: string, outgoing: ClientRequest): void {
  outgoing.path = origin + outgoing.path
  const authorization = proxyAuthorization(proxy)
  if (authorization !== undefined) outgoing.setHeader('proxy-authorization', authorization)
}

function watchRequest(
  outgoing: ClientRequest,
  entry: PendingRequest,
  { origin, timeout }: ConnectionTarget,
): void {
  outgoing.once('timeout', () => {
    entry.abortReason ??= 'timeout'
  })
  // Nobody asked for another protocol; of itself such an answer would never end.
  outgoing.once('upgrade', (_, socket) => {
    socket.destroy()
    entry.onError(new UpstreamError('undecodable', `${origin} wants to switch protocols (status 101)`))
  })
  // Of itself the silence is timed only from when the connection stands.
  outgoing.socket?.setTimeout(timeout)
}

/** Requests that a proxy opens no tunnel for, with the status that it gave. */
function refusedTunnels(agent: Agent): WeakMap<ClientRequest, number> {
  const refused = new WeakMap<ClientRequest, number>()
  agent.on('proxyConnect', ({ statusCode }: IncomingMessage, request: ClientRequest) => {
    if (statusCode !== undefined && statusCode !== 200) refused.set(request, statusCode)
  })
  return refused
}

/** With a target in parts, and `toProxy`, http-proxy has nothing to hand to the deprecated `url.parse` (DEP0169). */
function splitOrigin(origin: string): Partial<URL> {
  const { protocol, host, hostname, port } = new URL(origin)
  return { protocol, host, hostname: hostname.replace(/^\[|\]$/g, ''), port }
}

/** The wiki closed a kept connection just as it was used again: nothing was asked yet, so it is asked on another. */
const isStale = (error: unknown, { request: exact, outgoing }: PendingRequest): boolean =>
  exact.method === 'GET' && outgoing?.reusedSocket === true && closedConnectionCodes.has(failureCode(error))

/** Found closed when read, and when written to. */
const closedConnectionCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE'])

/** http-proxy wants an incoming request; the port has only values. */
function syntheticRequest(
  request: UpstreamRequest,
  { authorization, headers }: HttpProxyOptions,
): IncomingMessage {
  const head = new IncomingMessage(unconnectedSocket)
  head.method = request.method
  head.url = '/'
  Object.assign(
    head.headers,
    forwardedHeaders(request.headers, request.body.length, request.method === 'POST'),
  )
  if (request.anonymous === true) return head
  for (const [name, value] of headers ?? []) head.headers[name] ??= value
  if (authorization !== undefined) head.headers.authorization ??= authorization
  return head
}

async function readAnswer(
  response: IncomingMessage,
  origin: string,
  options: HttpProxyOptions,
): Promise<WikiAnswer> {
  const status = response.statusCode ?? 0
  if (status < 200 || status > 599) {
    response.destroy()
    throw new UpstreamError(
      'undecodable',
      `${origin} answers with status ${status}, which HTTP does not have`,
    )
  }
  const coding = unsupportedTransferCoding(response.headers)
  if (coding !== undefined) {
    response.destroy()
    throw new UpstreamError(
      'undecodable',
      `${origin} answers in the transfer coding ${coding}, which nobody asked for`,
    )
  }
  const encoded = await readBody(response, origin, options)
  return {
    status,
    headers: receivedHeaders(response.headers),
    setCookies: response.headers['set-cookie'] ?? [],
    body: await decodeContent(encoded, response.headers['content-encoding'] ?? '', options.maxBytes),
  }
}

/** By events: to be iterated over costs a stream several turns more. */
function readBody(
  response: IncomingMessage,
  origin: string,
  { maxBytes }: HttpProxyOptions,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  const { promise, resolve, reject } = withResolvers<Buffer>()
  const onBrokenOff = (error?: Error): void =>
    reject(
      new UpstreamError(
        'reset',
        `${origin} broke off its answer after ${bytes} bytes: its content-length or chunks promised more`,
        error,
      ),
    )
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= maxBytes) chunks.push(chunk)
    else {
      reject(tooLargeError(maxBytes))
      response.destroy()
    }
  })
  response.on('end', () => resolve(Buffer.concat(chunks)))
  response.on('error', onBrokenOff)
  // Once it has ended this says nothing any more.
  response.on('close', () => {
    if (!response.readableEnded) onBrokenOff()
  })
  return promise
}
