/** The headers and the content coding of a reply, for the server and for nock; and wikitape's own errors. */
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { StoreError } from '../store/store-error.ts'
import { errorText } from '../text/error-text.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import type { Reply } from './incoming-request.ts'

/** Names and values in turn. @param bytes length of the encoded body */
export function replyHeaders(reply: Reply, coding: Coding, bytes: number): string[] {
  const headers: string[] = []
  for (const [name, value] of reply.headers) headers.push(name, value)
  if (coding !== 'identity') headers.push('content-encoding', coding)
  headers.push('vary', 'accept-encoding', 'content-length', String(bytes))
  headers.push('x-cassette-status', reply.cassetteStatus)
  if (reply.trouble !== undefined) headers.push('x-cassette-trouble', reply.trouble)
  if (reply.key !== undefined) headers.push('x-cassette-key', reply.key)
  if (reply.from) headers.push('x-cassette-synthesized-from', keyList(reply.from))
  if (reply.by !== undefined) headers.push('x-cassette-synthesized-by', reply.by)
  return headers
}

/** Clients limit the length of a header. */
const keyList = (keys: readonly string[]) =>
  keys.length > 50
    ? `${keys.slice(0, 50).join(' ')} and ${keys.length - 50} more`
    : keys.join(' ')

/** An error of wikitape's own, sent in the form of API errors: clients print `error.info`. */
export interface OwnError {
  readonly status: number
  readonly code: string
  readonly info: string
  /** Names and values in turn, besides those of every error. */
  readonly headers?: readonly string[]
}

export function ownErrorReply({ code, info, headers = [] }: OwnError): {
  readonly headers: string[]
  readonly body: Buffer
} {
  const body = Buffer.from(JSON.stringify({ error: { code, info } }))
  const type = 'application/json; charset=utf-8'
  return {
    headers: [
      'content-type',
      type,
      'content-length',
      String(body.length),
      'mediawiki-api-error',
      code,
      ...headers
    ],
    body
  }
}

export function describeFailure(error: unknown): OwnError {
  const info = errorText(error)
  if (error instanceof UpstreamError)
    return { status: 502, code: 'upstream-failed', info }
  if (error instanceof StoreError)
    return {
      status: error.fault === 'missing' ? 404 : 500,
      code: 'cassette-unusable',
      info
    }
  return { status: 500, code: 'wikitape-error', info }
}

export const methodNotAllowed = (method: string): OwnError => ({
  status: 405,
  code: 'method-not-allowed',
  info: `${method} is not a method of the Action API; use GET, HEAD or POST (or a path of rest.php)`
})

/* Content codings, as each client accepts them. Source: RFC 9110, 12.5.3. */

export type Coding = 'gzip' | 'br' | 'deflate' | 'identity'

const minBytes = 1024
/** Other clients wait while a body is compressed; MediaWiki's own results end at 8 MB. */
const maxBytes = 8 * 1024 * 1024
const codingsByPreference = ['gzip', 'br', 'deflate'] as const

/** The coding for a client, by its `Accept-Encoding`; identity where it offers nothing. */
export function chooseCoding(accept: string | undefined, bytes: number): Coding {
  if (accept === undefined || bytes < minBytes || bytes > maxBytes) return 'identity'
  const weights = new Map(accept.split(',').map((part) => readWeight(part)))
  const weight = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0
  const best = Math.max(...codingsByPreference.map(weight))
  return best > 0
    ? (codingsByPreference.find((coding) => weight(coding) === best) ?? 'identity')
    : 'identity'
}

function readWeight(part: string): readonly [string, number] {
  const [name = '', ...params] = part.split(';').map((one) => one.trim().toLowerCase())
  const q = Number(params.find((one) => one.startsWith('q='))?.slice(2) ?? 1)
  return [name, Number.isNaN(q) ? 0 : q]
}

export const encodeBody = (body: Buffer, coding: Coding): Buffer =>
  coding === 'identity' ? body : encoders[coding](body)

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const encoders = {
  gzip: (body: Buffer) => gzipSync(body),
  deflate: (body: Buffer) => deflateSync(body),
  br: (body: Buffer) => brotliCompressSync(body, brotli)
}

/**
 * A cookie of `$wgCookiePath = '/w/'` comes back only to paths below it; for a client that asks below a prefix, that is a
 * path below the prefix. What is for all paths stays so.
 */
export function withCookiePaths(reply: Reply, prefix: string): Reply {
  if (prefix === '' || !reply.headers.some(([name]) => name === 'set-cookie'))
    return reply
  const headers = reply.headers.map(([name, value]): readonly [string, string] =>
    name === 'set-cookie'
      ? [name, value.replace(cookiePath, `$1${prefix}`)]
      : [name, value]
  )
  return { ...reply, headers }
}

const cookiePath = /(;\s*path=)(?=\/[^;\s])/i

/** A redirect to the wiki itself leads here, so that neither a recorder nor a replay is left. @param upstream address of its api.php */
export function withOwnLocation(reply: Reply, upstream: string, prefix: string): Reply {
  if (!reply.headers.some(([name]) => name === 'location')) return reply
  const headers = reply.headers.map(([name, value]): readonly [string, string] =>
    name === 'location' ? [name, ownLocation(value, upstream, prefix)] : [name, value]
  )
  return { ...reply, headers }
}

function ownLocation(location: string, upstream: string, prefix: string) {
  const [, host, rest = ''] = /^(?:https?:)?\/\/([^/?#]*)(.*)$/i.exec(location) ?? []
  if (host === undefined) return location.startsWith('/') ? prefix + location : location
  const isOwn = URL.canParse(upstream) && new URL(upstream).host === host.toLowerCase()
  if (!isOwn) return location
  return prefix + (rest.startsWith('/') ? rest : `/${rest}`)
}
