/** Content codings of replies, as each client accepts them. Source: RFC 9110, 12.5.3. */
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'

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
  return best > 0 ? (codingsByPreference.find((coding) => weight(coding) === best) ?? 'identity') : 'identity'
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
  br: (body: Buffer) => brotliCompressSync(body, brotli),
}
