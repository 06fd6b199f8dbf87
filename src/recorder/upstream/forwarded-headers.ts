/** Which headers pass through wikitape, in either direction. Source: RFC 9110, 7.6.1 (connection-specific fields). */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { wordSet } from '../text/words.ts'
import { failureCode, UpstreamError } from './upstream.ts'

type HeaderFields = Readonly<Record<string, string | readonly string[] | undefined>>

const hopByHopHeaders: ReadonlySet<string> = wordSet(`
  connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade
`)

/** With a write they forbid it; with a read they ask for what the client has not cached. */
export const writeConditions: ReadonlySet<string> = wordSet(
  'if-match if-modified-since if-none-match if-unmodified-since'
)

/** Set anew for each upstream request; or they ask for a part only. */
const replacedHeaders: ReadonlySet<string> = wordSet(
  'host content-length accept-encoding expect if-range range'
)

/** The wiki's body is decoded; cookies are kept by themselves. */
const unwrappedHeaders: ReadonlySet<string> = wordSet(
  'set-cookie content-encoding content-length'
)

export function forwardedHeaders(
  headers: HeaderFields,
  bodyBytes: number,
  isPost: boolean
): Record<string, string | string[]> {
  const copied: Record<string, string | string[]> = {}
  for (const [name, value] of endToEndHeaders(headers, replacedHeaders))
    if (!name.startsWith('x-cassette') && (isPost || !writeConditions.has(name)))
      copied[name] = typeof value === 'string' ? value : [...value]
  copied['accept-encoding'] = 'gzip'
  if (isPost) copied['content-length'] = String(bodyBytes)
  return copied
}

/** The wiki's headers less those of the connection and of the encoding, which is decoded; repeated ones joined. */
export function receivedHeaders(headers: HeaderFields): Map<string, string> {
  const fields = endToEndHeaders(headers, unwrappedHeaders)
  return new Map(
    fields.map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value.join(', ')
    ])
  )
}

function endToEndHeaders(headers: HeaderFields, dropped: ReadonlySet<string>) {
  const ofConnection = new Set([
    ...hopByHopHeaders,
    ...listTokens(headers['connection']),
    ...dropped
  ])
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || ofConnection.has(name) ? [] : [[name, value] as const]
  )
}

const listTokens = (value: string | readonly string[] | undefined) =>
  value === undefined
    ? []
    : String(value)
        .split(',')
        .map((name) => name.trim().toLowerCase())

/** The transfer codings of a body that nothing here decodes, e.g. `gzip`; undefined where there is none. Source: RFC 9112, 6.1 */
export function unsupportedTransferCoding(headers: HeaderFields): string | undefined {
  const unsupported = listTokens(headers['transfer-encoding']).filter(
    (coding) => coding !== 'chunked' && coding !== 'identity'
  )
  return unsupported.length === 0 ? undefined : unsupported.join(', ')
}

type OutputLimit = { readonly maxOutputLength: number }
type ContentDecoder = (body: Uint8Array, options: OutputLimit) => Promise<Buffer>

/** Some servers send raw deflate data rather than the zlib format of RFC 9110. */
const inflateBody: ContentDecoder = (body, options) =>
  promisify(inflate)(body, options).catch(() => promisify(inflateRaw)(body, options))
const gunzipBody: ContentDecoder = promisify<Uint8Array, OutputLimit, Buffer>(gunzip)
const decoders: ReadonlyMap<string, ContentDecoder> = new Map<string, ContentDecoder>([
  ['gzip', gunzipBody],
  ['x-gzip', gunzipBody],
  ['br', promisify<Uint8Array, OutputLimit, Buffer>(brotliDecompress)],
  ['deflate', inflateBody]
])

export const isSupportedCoding = (coding: string): boolean =>
  decoders.has(coding.trim().toLowerCase())

/** @param coding as in `Content-Encoding` @param maxBytes of the decoded body @throws UpstreamError */
export async function decodeContent(
  body: Uint8Array,
  coding: string,
  maxBytes: number
): Promise<Uint8Array> {
  const name = coding.trim().toLowerCase()
  if (name === 'identity' || name === '' || body.length === 0) return body
  const decoder = decoders.get(name)
  if (!decoder)
    throw new UpstreamError(
      'undecodable',
      `the answer has the unknown content-encoding "${name}"; expected gzip, br or deflate`
    )
  try {
    return await decoder(body, { maxOutputLength: maxBytes })
  } catch (error) {
    if (failureCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLargeError(maxBytes)
    throw new UpstreamError(
      'undecodable',
      `the answer says content-encoding ${name} but cannot be decoded`,
      error
    )
  }
}

export const tooLargeError = (maxBytes: number): UpstreamError =>
  new UpstreamError('too-large', `the answer is larger than ${maxBytes} bytes`)
