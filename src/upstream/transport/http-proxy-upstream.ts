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
import { agentFor, proxyAuthorization, type Route } from '../connection/agent.ts'
import { explain, refusedByProxy, type Way } from '../connection/connection-errors.ts'
import { tooLongToSend } from '../connection/intercepted-http.ts'
import { Tunnels } from '../connection/tunnel-agent.ts'
import { decodeContent, tooLarge } from '../content-decoding.ts'
import { codeOf } from '../failure-code.ts'
import { foreignTransferCoding, forwardedHeaders, receivedHeaders } from '../forwarded-headers.ts'
import { type Leaving, type Upstream, UpstreamError, type UpstreamRequest } from '../upstream.ts'

export interface UpstreamOptions extends Route {
  /** Milliseconds without a byte before the wiki counts as gone. */
  readonly timeout: number
  /** Milliseconds that one answer may take in all, however steadily it trickles; ten times the silence unless given. */
  readonly patience?: number
  /** Bytes of a decoded answer that are accepted at most. */
  readonly maxBytes: number
  /** Sent where the client sends no `Authorization` of its own: the credentials of the api-url. */
  readonly authorization?: string | undefined
  /** Sent where the request has none of the name (lower-case). */
  readonly headers?: ReadonlyMap<string, string> | undefined
}

interface Pending {
  readonly exact: UpstreamRequest
  readonly answered: (response: IncomingMessage) => void
  readonly failed: (error: Error) => void
  /** Once the request has a connection. */
  outgoing: ClientRequest | undefined
  /** Why this side broke the request off. */
  broken: 'aborted' | 'timeout' | 'too-slow' | undefined
}

/** What http-proxy wants of a client. The socket is never connected; one does for all requests. */
const nowhere = new Socket()
/** http-proxy would have a body flow out of a stream, which takes turns; it is at hand, and sent when its request is. */
class SentApart extends Stream {
  override pipe<T>(to: T): T {
    return to
  }
}
const sentApart = new SentApart()
/** Settings of http-proxy that no wiki changes. */
const always = { changeOrigin: true, toProxy: true, selfHandleResponse: true } as const

/** @param origin scheme, host and port of the wiki, e.g. `http://127.0.0.1:8143` */
export function httpProxyUpstream(origin: string, options: UpstreamOptions): Upstream {
  const agent = agentFor(origin, options)
  const way = { ...options, origin }
  const forwarded = origin.startsWith('http:') ? options.proxy : undefined
  const refusals = refusedTunnels(agent)
  const proxy = httpProxy.createProxyServer({
    // A tunnel takes what is believed from the request, not from its agent.
    target: { ...partsOf(origin), ...(options.ca === undefined ? {} : { ca: options.ca.join('\n') }) },
    agent,
    ...always,
    proxyTimeout: options.timeout,
    secure: options.insecure !== true,
  })
  const pending = new Map<IncomingMessage, Pending>()
  const unused = new ServerResponse(new IncomingMessage(nowhere))
  // http-proxy collapses `//` in paths, so the exact target is set; the body goes out only after that, hence in order.
  proxy.on('proxyReq', (outgoing, request) => {
    const one = pending.get(request)
    // The client may have left while its request waited for a free connection.
    if (one === undefined || one.broken !== undefined) return void outgoing.destroy()
    one.outgoing = outgoing
    outgoing.path = one.exact.target
    if (forwarded !== undefined) addressThrough(forwarded, origin, outgoing)
    const unsendable = whyUnsendable(outgoing, refusals.get(outgoing), way)
    if (unsendable !== undefined) {
      one.failed(unsendable)
      return void outgoing.destroy()
    }
    watch(outgoing, one, way)
    outgoing.end(one.exact.body.length === 0 ? undefined : one.exact.body)
  })
  proxy.on('proxyRes', (response, request) => pending.get(request)?.answered(response))

  const attempt = async (request: UpstreamRequest, signal?: Leaving): Promise<WikiAnswer | 'stale'> => {
    const head = syntheticRequest(request, options)
    const { promise, resolve, reject } = withResolvers<IncomingMessage>()
    const one: Pending = {
      exact: request,
      answered: resolve,
      failed: reject,
      outgoing: undefined,
      broken: undefined,
    }
    // http-proxy itself lets the upstream request run on when the client leaves.
    const breakOff = (why: NonNullable<Pending['broken']>): void => {
      one.broken ??= why
      one.outgoing?.destroy()
      reject(new Error(why))
    }
    const leave = (): void => breakOff('aborted')
    const { patience = 10 * options.timeout } = options
    const clock = setTimeout(() => breakOff('too-slow'), patience)
    pending.set(head, one)
    signal?.addEventListener('abort', leave)
    try {
      if (agent instanceof Tunnels) await Promise.race([tunnelled(agent, way, breakOff), promise])
      if (signal?.aborted === true) leave()
      else proxy.web(head, unused, { buffer: sentApart }, reject)
      const response = await promise
      if (forwarded !== undefined && response.statusCode === 407) throw refusedByProxy(407, way)
      return await receive(response, origin, options)
    } catch (error) {
      if (one.broken === undefined && isStale(error, one)) return 'stale'
      throw explain(error, one.broken, way)
    } finally {
      clearTimeout(clock)
      signal?.removeEventListener('abort', leave)
      pending.delete(head)
    }
  }
  const ask = async (request: UpstreamRequest, signal?: Leaving): Promise<WikiAnswer> => {
    for (;;) {
      const answer = await attempt(request, signal)
      if (answer !== 'stale') return answer
    }
  }
  return { ask, close: () => agent.destroy() }
}

/** @param refused status with which a proxy refused to open a tunnel for it */
function whyUnsendable(
  outgoing: ClientRequest,
  refused: number | undefined,
  way: Way,
): UpstreamError | undefined {
  if (refused !== undefined) return refusedByProxy(refused, way)
  const tooLong = tooLongToSend(outgoing)
  return tooLong === undefined
    ? undefined
    : new UpstreamError('unreachable', `${way.origin} cannot be asked: ${tooLong}`)
}

/** Opens the tunnel that a request will take. @throws UpstreamError where the proxy refuses */
async function tunnelled(tunnels: Tunnels, way: Way, breakOff: (why: 'timeout') => void): Promise<void> {
  const silence = setTimeout(() => breakOff('timeout'), way.timeout)
  try {
    const opening = await tunnels.open(way.origin)
    if (opening.kind === 'refused') throw refusedByProxy(opening.status, way)
  } finally {
    clearTimeout(silence)
  }
}

/** In plain http the proxy has to be told for whom the request is. Source: RFC 9112, 3.2.2 */
function addressThrough(proxy: string, origin: string, outgoing: ClientRequest): void {
  outgoing.path = origin + outgoing.path
  const authorization = proxyAuthorization(proxy)
  if (authorization !== undefined) outgoing.setHeader('proxy-authorization', authorization)
}

function watch(outgoing: ClientRequest, one: Pending, { origin, timeout }: Way): void {
  outgoing.once('timeout', () => {
    one.broken ??= 'timeout'
  })
  // Nobody asked for another protocol; of itself such an answer would never end.
  outgoing.once('upgrade', (_, socket) => {
    socket.destroy()
    one.failed(new UpstreamError('undecodable', `${origin} wants to switch protocols (status 101)`))
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
function partsOf(origin: string): Partial<URL> {
  const { protocol, host, hostname, port } = new URL(origin)
  return { protocol, host, hostname: hostname.replace(/^\[|\]$/g, ''), port }
}

/** The wiki closed a kept connection just as it was used again: nothing was asked yet, so it is asked on another. */
const isStale = (error: unknown, { exact, outgoing }: Pending): boolean =>
  exact.method === 'GET' && outgoing?.reusedSocket === true && closings.has(codeOf(error))

/** Found closed when read, and when written to. */
const closings: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE'])

/** http-proxy wants an incoming request; the port has only values. */
function syntheticRequest(
  request: UpstreamRequest,
  { authorization, headers }: UpstreamOptions,
): IncomingMessage {
  const head = new IncomingMessage(nowhere)
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

async function receive(
  response: IncomingMessage,
  origin: string,
  options: UpstreamOptions,
): Promise<WikiAnswer> {
  const status = response.statusCode ?? 0
  if (status < 200 || status > 599) {
    response.destroy()
    throw new UpstreamError(
      'undecodable',
      `${origin} answers with status ${status}, which HTTP does not have`,
    )
  }
  const coding = foreignTransferCoding(response.headers)
  if (coding !== undefined) {
    response.destroy()
    throw new UpstreamError(
      'undecodable',
      `${origin} answers in the transfer coding ${coding}, which nobody asked for`,
    )
  }
  const encoded = await readWhole(response, origin, options)
  return {
    status,
    headers: receivedHeaders(response.headers),
    setCookies: response.headers['set-cookie'] ?? [],
    body: await decodeContent(encoded, response.headers['content-encoding'] ?? '', options.maxBytes),
  }
}

/** By events: to be iterated over costs a stream several turns more. */
function readWhole(
  response: IncomingMessage,
  origin: string,
  { maxBytes }: UpstreamOptions,
): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  const { promise, resolve, reject } = withResolvers<Buffer>()
  const brokenOff = (error?: Error): void =>
    reject(
      new UpstreamError(
        'reset',
        `${origin} broke off its answer after ${bytes} bytes: its content-length or chunks promised more`,
        error,
      ),
    )
  response.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes <= maxBytes) parts.push(part)
    else {
      reject(tooLarge(maxBytes))
      response.destroy()
    }
  })
  response.on('end', () => resolve(Buffer.concat(parts)))
  response.on('error', brokenOff)
  // Once it has ended this says nothing any more.
  response.on('close', () => {
    if (!response.readableEnded) brokenOff()
  })
  return promise
}
