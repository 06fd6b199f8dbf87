/** Decodes the content coding of bodies. Source: RFC 9110, 8.4.1 */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { failureCode, UpstreamError } from './upstream.ts'

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
  ['deflate', inflateBody],
])

export const isSupportedCoding = (coding: string): boolean => decoders.has(coding.trim().toLowerCase())

/** @param coding as in `Content-Encoding` @param maxBytes of the decoded body @throws UpstreamError */
export async function decodeContent(body: Uint8Array, coding: string, maxBytes: number): Promise<Uint8Array> {
  const name = coding.trim().toLowerCase()
  if (name === 'identity' || name === '' || body.length === 0) return body
  const decoder = decoders.get(name)
  if (decoder === undefined)
    throw new UpstreamError(
      'undecodable',
      `the answer has the unknown content-encoding "${name}"; expected gzip, br or deflate`,
    )
  try {
    return await decoder(body, { maxOutputLength: maxBytes })
  } catch (error) {
    if (failureCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLargeError(maxBytes)
    throw new UpstreamError(
      'undecodable',
      `the answer says content-encoding ${name} but cannot be decoded`,
      error,
    )
  }
}

export const tooLargeError = (maxBytes: number): UpstreamError =>
  new UpstreamError('too-large', `the answer is larger than ${maxBytes} bytes`)
