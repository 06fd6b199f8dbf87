/** Bodies are kept decoded and encoded again as each client asks. Source: RFC 9110, 12.5.3. */
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  deflate,
  deflateSync,
  gzip,
  gzipSync,
} from 'node:zlib'

export type Coding = 'gzip' | 'br' | 'deflate' | 'identity'

/** Smaller bodies are not worth the work. */
const minBytes = 1024
/** Larger ones, of which none is recorded, would lie in memory twice; MediaWiki's own results end at 8 MB. */
const maxBytes = 32 * 1024 * 1024
const codingsByPreference = ['gzip', 'br', 'deflate'] as const

/** The coding for a client, by its `Accept-Encoding`; identity where it offers nothing. */
export function chooseCoding(accept: string | undefined, bytes: number): Coding {
  if (accept === undefined || bytes < minBytes || bytes > maxBytes) return 'identity'
  const weights = new Map(accept.split(',').map((part) => readWeight(part)))
  const weight = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0
  const best = Math.max(...codingsByPreference.map(weight))
  return best > 0 ? (codingsByPreference.find((coding) => weight(coding) === best) ?? 'identity') : 'identity'
}

function readWeight(part: string): readonly [string, number] {
  const [name = '', ...params] = part.split(';').map((one) => one.trim().toLowerCase())
  const q = Number(params.find((one) => one.startsWith('q='))?.slice(2) ?? 1)
  return [name, Number.isNaN(q) ? 0 : q]
}

export function encodeBody(body: Buffer, coding: Coding): Buffer {
  switch (coding) {
    case 'gzip':
      return gzipSync(body)
    case 'deflate':
      return deflateSync(body)
    case 'br':
      return brotliCompressSync(body, brotli)
    case 'identity':
      return body
  }
}

/** The same for a server, which has others waiting: what is large is compressed by another thread. */
export function encodeInBackground(body: Buffer, coding: Coding): Promise<Buffer> | Buffer {
  if (body.length < backgroundFromBytes) return encodeBody(body, coding)
  switch (coding) {
    case 'gzip':
      return promisify(gzip)(body)
    case 'deflate':
      return promisify(deflate)(body)
    case 'br':
      return promisify(brotliCompress)(body, brotli)
    case 'identity':
      return body
  }
}

/** Bytes that take longer to compress than a turn to another thread costs. */
const backgroundFromBytes = 262_144
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
