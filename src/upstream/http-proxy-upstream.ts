/**
 * The live wiki through http-proxy 1.18.1, with a cure for each of its known faults
 * (docs/decisions/0003-http-proxy-behind-a-port.md; one test each in test/upstream/).
 */
import './extend-cure.ts'
import http, { IncomingMessage, ServerResponse } from 'node:http'
import https from 'node:https'
import { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import httpProxy from 'http-proxy'
import type { WikiAnswer } from '../wiki/answer.ts'
import { forwardedHeaders, receivedHeaders } from './headers.ts'
import { type Upstream, UpstreamError, type UpstreamFault, type UpstreamRequest } from './upstream.ts'

export interface UpstreamOptions {
  /** Milliseconds without a byte before the wiki counts as gone. */
  readonly timeout: number
  /** Bytes of a decoded answer that are accepted at most. */
  readonly maxBytes: number
  /** Sent where the client sends no `Authorization` of its own: the credentials of the api-url. */
  readonly authorization?: string | undefined
}

interface Pending {
  readonly exact: UpstreamRequest
  readonly body: PassThrough
  abort: () => void
  readonly answered: (response: IncomingMessage) => void
}

/** @param origin scheme, host and port of the wiki, e.g. `http://127.0.0.1:8143` */
export function httpProxyUpstream(origin: string, options: UpstreamOptions): Upstream {
  const agent = new (origin.startsWith('https:') ? https : http).Agent({ keepAlive: true, maxSockets: 16 })
  const proxy = httpProxy.createProxyServer({
    target: origin,
    agent,
    changeOrigin: true,
    selfHandleResponse: true,
    proxyTimeout: options.timeout,
  })
  const pending = new Map<IncomingMessage, Pending>()
  // http-proxy collapses `//` in paths, so the exact target is set; the body flows only after that, hence in order.
  proxy.on('proxyReq', (outgoing, request) => {
    const one = pending.get(request)
    if (one === undefined) return
    outgoing.path = one.exact.target
    one.abort = () => outgoing.destroy()
    one.body.end(one.exact.body)
  })
  proxy.on('proxyRes', (response, request) => pending.get(request)?.answered(response))

  const ask = async (request: UpstreamRequest, signal?: AbortSignal): Promise<WikiAnswer> => {
    const head = syntheticRequest(request, options.authorization)
    try {
      const response = await new Promise<IncomingMessage>((answered, failed) => {
        const one: Pending = { exact: request, body: new PassThrough(), abort: () => undefined, answered }
        pending.set(head, one)
        signal?.addEventListener('abort', () => {
          // http-proxy itself lets the upstream request run on when the client leaves.
          one.abort()
          failed(new UpstreamError('aborted', 'the client left before the wiki had answered'))
        })
        proxy.web(head, new ServerResponse(head), { buffer: one.body }, (error) =>
          failed(explain(error, origin, options)),
        )
      })
      return await receive(response, origin, options)
    } finally {
      pending.delete(head)
    }
  }
  return { ask, close: () => agent.destroy() }
}

/** http-proxy wants an incoming request; the port has only values. The socket is never connected. */
function syntheticRequest(request: UpstreamRequest, authorization: string | undefined): IncomingMessage {
  const head = new IncomingMessage(new Socket())
  head.method = request.method
  head.url = '/'
  Object.assign(
    head.headers,
    forwardedHeaders(request.headers, request.body.length, request.method === 'POST'),
  )
  if (authorization !== undefined) head.headers.authorization ??= authorization
  return head
}

async function receive(
  response: IncomingMessage,
  origin: string,
  options: UpstreamOptions,
): Promise<WikiAnswer> {
  const encoded = await readWhole(response, origin, options)
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  return {
    status: response.statusCode ?? 502,
    headers: receivedHeaders(response.headers),
    setCookies: response.headers['set-cookie'] ?? [],
    body: await decode(encoded, encoding, options),
  }
}

async function readWhole(
  response: IncomingMessage,
  origin: string,
  options: UpstreamOptions,
): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > options.maxBytes) throw tooLarge(options)
      parts.push(part)
    }
  } catch (error) {
    throw error instanceof UpstreamError
      ? error
      : new UpstreamError(
          'reset',
          `${origin} broke off its answer after ${bytes} bytes: its content-length or chunks promised more`,
          error,
        )
  }
  return Buffer.concat(parts)
}

const tooLarge = (options: UpstreamOptions): UpstreamError =>
  new UpstreamError('too-large', `the answer is larger than ${options.maxBytes} bytes`)

type Decoder = (body: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(gunzip)],
  ['x-gzip', promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(gunzip)],
  ['br', promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(brotliDecompress)],
  // Servers send raw deflate data as well as the zlib format that RFC 9110 means.
  [
    'deflate',
    (body, options) => promisify(inflate)(body, options).catch(() => promisify(inflateRaw)(body, options)),
  ],
])

async function decode(body: Buffer, encoding: string, options: UpstreamOptions): Promise<Buffer> {
  if (encoding === 'identity' || encoding === '' || body.length === 0) return body
  const decoder = decoders.get(encoding)
  if (decoder === undefined)
    throw new UpstreamError('undecodable', `the answer has the unknown content-encoding "${encoding}"`)
  try {
    return await decoder(body, { maxOutputLength: options.maxBytes })
  } catch (error) {
    throw new UpstreamError(
      'undecodable',
      `the answer says content-encoding ${encoding} but cannot be decoded`,
      error,
    )
  }
}

const faults: ReadonlyMap<string, UpstreamFault> = new Map([
  ['ECONNRESET', 'reset'],
  ['EPIPE', 'reset'],
])

function explain(
  error: Error & { readonly code?: string },
  origin: string,
  options: UpstreamOptions,
): UpstreamError {
  const code = error.code ?? error.message
  const fault = faults.get(code) ?? 'unreachable'
  const text =
    fault === 'reset'
      ? `${origin} closed the connection without an answer (${code}); no answer within ${options.timeout / 1000} s looks the same`
      : `${origin} cannot be reached (${code})`
  return new UpstreamError(fault, text, error)
}
