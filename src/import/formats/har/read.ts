/**
 * HAR files: what a browser or another proxy saw of a wiki.
 * Source: http://www.softwareishard.com/blog/har-12-spec/
 */
import { isUtf8 } from 'node:buffer'
import type { WikiAnswer } from '../../../wiki/answers/wiki-answer.ts'
import { writeQuery } from '../../../wiki/parameters/request-params.ts'
import {
  answerOf,
  decodedBody,
  headerIn,
  headersOf,
  type KeptContext,
  type KeptFormat,
  type KeptReading,
  keptReading,
  type Pairs,
  wholeBody,
} from '../../exchange/imported-exchange.ts'
import { at, list, text } from '../../exchange/members.ts'
import { pollyChunks } from './polly-chunks.ts'

export const har: KeptFormat = {
  name: 'HAR',
  expected: 'a HAR file (an object with "log" and "entries" in it)',
  entries: ['log', 'entries'],
  read(value, context) {
    const entries = at(value, 'log', 'entries')
    return Array.isArray(entries)
      ? Promise.all(inOrder(entries).map((one) => readEntry(one, context)))
      : undefined
  },
}

/** By the moments of the requests, which files may be grouped against; Polly counts equal requests (`_order`). */
function inOrder(entries: readonly unknown[]): readonly unknown[] {
  const momentOf = (one: unknown): number => Date.parse(text(at(one, 'startedDateTime')))
  if (entries.some((one) => Number.isNaN(momentOf(one)))) return entries
  return entries.toSorted((a, b) => {
    const [first, second] = [at(a, '_order'), at(b, '_order')]
    const isTwin = typeof at(a, '_id') === 'string' && at(a, '_id') === at(b, '_id')
    return isTwin && typeof first === 'number' && typeof second === 'number'
      ? first - second
      : momentOf(a) - momentOf(b)
  })
}

async function readEntry(one: unknown, context: KeptContext): Promise<KeptReading> {
  const request = at(one, 'request')
  const headers = requestHeaders(request)
  return keptReading(
    {
      address: text(at(request, 'url')),
      method: text(at(request, 'method')),
      body: requestBody(at(request, 'postData'), headers),
      headers,
      answer: await responseOf(at(one, 'response')),
      moment: Date.parse(text(at(one, 'startedDateTime'))),
    },
    context,
  )
}

/** Pairs of a list such as `headers` or `cookies`. */
const pairs = (value: unknown): Pairs =>
  list(value).map((one) => [text(at(one, 'name')), text(at(one, 'value'))])

/** With the cookies, where they stand only in a list of their own. */
function requestHeaders(request: unknown): Record<string, string> {
  const headers = headersOf(pairs(at(request, 'headers')))
  const cookies = pairs(at(request, 'cookies')).map((pair) => pair.join('='))
  return headers['cookie'] === undefined && cookies.length > 0
    ? { ...headers, cookie: cookies.join('; ') }
    : headers
}

/** The bytes of a body, or why they are not known. */
function requestBody(postData: unknown, headers: Record<string, string>): Uint8Array | string {
  const type = (headers['content-type'] ?? text(at(postData, 'mimeType'))).toLowerCase()
  const body = text(at(postData, 'text'))
  if (!body.isWellFormed()) return 'its form holds half a character'
  const whole = wholeForm(body, Number(headers['content-length']))
  if (whole === undefined && type.startsWith('multipart/') && (body === '' || /filename/i.test(body)))
    return 'its file or form was not kept byte for byte'
  headers['content-type'] ??= text(at(postData, 'mimeType'))
  return whole ?? Buffer.from(body === '' ? writeQuery(pairs(at(postData, 'params'))) : body)
}

/**
 * The bytes that a text stands for, where it has the length that was sent: browsers leave out files of uploads,
 * proxies do not. mitmproxy reads as Latin-1 what names no charset.
 */
function wholeForm(body: string, length: number): Uint8Array | undefined {
  if (body === '' || body.includes('\ufffd')) return undefined
  const isLatin = !/[^\0-\u00ff]/.test(body)
  return [Buffer.from(body), ...(isLatin ? [Buffer.from(body, 'latin1')] : [])].find(
    (bytes) => bytes.length === length,
  )
}

/** The answer, or why it is not whole. */
async function responseOf(response: unknown): Promise<WikiAnswer | string> {
  const content = at(response, 'content')
  const headers = pairs(at(response, 'headers'))
  const typed = headerIn(headers, 'content-type') !== ''
  const named: Pairs = typed ? headers : [...headers, ['content-type', text(at(content, 'mimeType'))]]
  return answerOf(at(response, 'status'), named, await contentOf(content, named))
}

/** The body, which HAR keeps decoded, and Polly as it came. */
async function contentOf(content: unknown, headers: Pairs): Promise<Uint8Array | string> {
  const kept = text(at(content, 'text'))
  const chunks = await pollyChunks(kept, headers)
  if (chunks !== undefined) return chunks
  if (at(content, '_isBinary') === true && /^(?:[0-9a-f]{2})*$/i.test(kept))
    return decodedBody(headers, Buffer.from(kept, 'hex'))
  const size = Number(at(content, 'size')) || 0
  // mitmproxy counts what arrived as the size, and what decoding added as the rest.
  const lengths = [size, size + (Number(at(content, 'compression')) || 0)]
  const bytes =
    at(content, 'encoding') === 'base64' ? Buffer.from(kept, 'base64') : bytesOfText(kept, headers, lengths)
  return typeof bytes === 'string' ? bytes : wholeBody(headers, bytes, size)
}

/**
 * mitmproxy reads as Latin-1 what names no charset, so that a picture in SVG has other letters than the wiki sent. The
 * length tells; where the letters are no UTF-8 that was misread, tools differ in what they count.
 */
function bytesOfText(
  kept: string,
  headers: Pairs,
  lengths: readonly number[],
): Uint8Array<ArrayBuffer> | string {
  if (!kept.isWellFormed()) return 'its body holds half a character'
  const bytes = Buffer.from(kept)
  const namesCharset = /charset=/i.test(headerIn(headers, 'content-type'))
  if (namesCharset || lengths.includes(bytes.length) || /[^\0-\u00ff]/.test(kept)) return bytes
  const latin = Buffer.from(kept, 'latin1')
  if (!lengths.includes(latin.length)) return bytes
  return isUtf8(latin) ? latin : 'its charset was not kept, and its length is not that of its text'
}
