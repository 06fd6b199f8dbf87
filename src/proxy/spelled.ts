/**
 * What a request says, however it is spelled: parameters in any order, in the URL or in a form, with escapes or without.
 * Two requests with one such text are understood alike (`wiki-request.ts`), but for the order of their parameters.
 */
import { hash } from 'node:crypto'
import type { RequestKey } from '../request/key.ts'
import { hasTooManyVariables, mergeParams, type Params, queryParams } from '../wiki/params.ts'
import type { Digest } from './digest-table.ts'
import { type Exchange, targetParts } from './exchange.ts'
import { emptyForm, parseForm } from './form.ts'

/** Of a GET as it was sent, to the last sign: 16 bytes. Undefined for a POST. */
export const sentDigest = ({ method, target }: Exchange): Digest | undefined =>
  method === 'GET' ? digestOf(target) : undefined

/** Of what is made ready for a recording before anybody asks: no target of a request holds a space. */
export const aheadDigest = (key: RequestKey): Digest => digestOf(`ahead ${key}`)

/**
 * @returns a digest of 16 bytes; undefined where it takes more than parameters to understand the request: files, a body that
 * nobody can read, what is not the API.
 */
export function spelledDigest(exchange: Exchange): Digest | undefined {
  const [path, query] = targetParts(exchange.target)
  const params = path.endsWith('/api.php') ? paramsOf(exchange, query) : undefined
  return params && digestOf(`${path}\n${sorted(params)}`)
}

/**
 * Bytes that are no UTF-8 stand as lone surrogates, which UTF-8 does not tell apart: then it is of UTF-16. Both begin with
 * one sign of ASCII and no NUL behind it, so that none of one is one of the other. A string of the digest costs less than a Buffer.
 */
function digestOf(text: string): Digest {
  const bytes = hash('sha256', isAscii.test(text) ? text : Buffer.from(text, 'utf16le'), 'binary')
  return [wordAt(bytes, 0), wordAt(bytes, 4), wordAt(bytes, 8), wordAt(bytes, 12)]
}

const isAscii = /^[\0-\x7f]*$/

const wordAt = (bytes: string, at: number): number =>
  (bytes.charCodeAt(at) |
    (bytes.charCodeAt(at + 1) << 8) |
    (bytes.charCodeAt(at + 2) << 16) |
    (bytes.charCodeAt(at + 3) << 24)) >>>
  0

function paramsOf({ method, headers, body }: Exchange, query: string): Params | undefined {
  const form = method === 'POST' ? parseForm(headers, body) : emptyForm
  if (form.unread !== undefined || form.multipart || hasTooManyVariables(query)) return undefined
  return mergeParams(form.params, queryParams(query))
}

/** No name holds a NUL (PHP ends it there); a value may hold anything, so its length stands in front. */
const sorted = (params: Params): string =>
  [...params]
    .map(([name, value]) => `${name}\0${value.length}\0${value}`)
    .sort()
    .join('')
