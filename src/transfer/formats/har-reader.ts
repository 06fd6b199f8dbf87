/**
 * HAR files: what a browser or another proxy saw of a wiki.
 * Source: http://www.softwareishard.com/blog/har-12-spec/
 */
import { isUtf8 } from 'node:buffer'
import { plainItems, plainText, tryParsePlain } from '../../recorder/json/plain-json.ts'
import { writeQuery } from '../../recorder/wiki/parameters/request-params.ts'
import type { FormatReader, RawEntry } from '../exchange/exchanges.ts'
import {
  type BytesOrWhy,
  checkWholeBody,
  decodeBody,
  decompressBody,
  type HeaderPairs,
  headerRecord,
  headerValue,
} from '../exchange/imported-answer.ts'
import { decodeBase64, member } from '../exchange/json-values.ts'

export const harReader: FormatReader = {
  expected: 'a HAR file (an object with "log" and "entries" in it)',
  read(value) {
    const entries = member(value, 'log', 'entries')
    return Array.isArray(entries) ? sortByTime(entries).map(readEntry) : undefined
  },
}

/** By time, since files may be grouped otherwise; Polly numbers equal requests (`_order`). */
function sortByTime(entries: readonly unknown[]): readonly unknown[] {
  const momentOf = (one: unknown): number =>
    Date.parse(plainText(member(one, 'startedDateTime')))
  if (entries.some((one) => Number.isNaN(momentOf(one)))) return entries
  return entries.toSorted((a, b) => {
    const first = member(a, '_order')
    const second = member(b, '_order')
    const isTwin =
      typeof member(a, '_id') === 'string' && member(a, '_id') === member(b, '_id')
    return isTwin && typeof first === 'number' && typeof second === 'number'
      ? first - second
      : momentOf(a) - momentOf(b)
  })
}

async function readEntry(one: unknown): Promise<RawEntry> {
  const request = member(one, 'request')
  const response = member(one, 'response')
  const headers = requestHeaders(request)
  const content = member(response, 'content')
  const received = nameValuePairs(member(response, 'headers'))
  const isTyped = headerValue(received, 'content-type') !== ''
  const type = ['content-type', plainText(member(content, 'mimeType'))] as const
  const answerHeaders: HeaderPairs = isTyped ? received : [...received, type]
  return {
    address: plainText(member(request, 'url')),
    method: plainText(member(request, 'method')),
    body: requestBody(member(request, 'postData'), headers),
    headers: Object.entries(headers),
    status: member(response, 'status'),
    answerHeaders,
    answerBody: await contentOf(content, answerHeaders),
    isDecoded: true,
    moment: Date.parse(plainText(member(one, 'startedDateTime'))),
  }
}

/** Pairs of a list such as `headers` or `cookies`. */
const nameValuePairs = (value: unknown): HeaderPairs =>
  plainItems(value).map((one) => [
    plainText(member(one, 'name')),
    plainText(member(one, 'value')),
  ])

/** The headers, with the cookies if they are only in their own list. */
function requestHeaders(request: unknown): Record<string, string> {
  const headers = headerRecord(nameValuePairs(member(request, 'headers')))
  const cookies = nameValuePairs(member(request, 'cookies')).map((pair) => pair.join('='))
  return headers['cookie'] === undefined && cookies.length > 0
    ? { ...headers, cookie: cookies.join('; ') }
    : headers
}

function requestBody(postData: unknown, headers: Record<string, string>): BytesOrWhy {
  const type = (
    headers['content-type'] ?? plainText(member(postData, 'mimeType'))
  ).toLowerCase()
  const body = plainText(member(postData, 'text'))
  if (!body.isWellFormed()) return 'its form contains half a character'
  const whole = matchingFormBytes(body, Number(headers['content-length']))
  if (
    whole === undefined &&
    type.startsWith('multipart/') &&
    (body === '' || /filename/i.test(body))
  )
    return 'its file or form was not recorded byte for byte'
  headers['content-type'] ??= plainText(member(postData, 'mimeType'))
  return (
    whole ??
    Buffer.from(
      body === '' ? writeQuery(nameValuePairs(member(postData, 'params'))) : body,
    )
  )
}

/**
 * The bytes of a form, if they have the length that was sent: browsers omit uploaded files, proxies do not. mitmproxy
 * decodes as Latin-1 if no charset is named.
 */
function matchingFormBytes(body: string, length: number): Uint8Array | undefined {
  if (body === '' || body.includes('\ufffd')) return undefined
  const isLatin = !/[^\0-\u00ff]/.test(body)
  return [Buffer.from(body), ...(isLatin ? [Buffer.from(body, 'latin1')] : [])].find(
    (bytes) => bytes.length === length,
  )
}

/** The body, which HAR keeps decoded, and Polly as it arrived. */
async function contentOf(content: unknown, headers: HeaderPairs): Promise<BytesOrWhy> {
  const bodyText = plainText(member(content, 'text'))
  const chunks = await decodePollyChunks(bodyText, headers)
  if (chunks !== undefined) return chunks
  if (member(content, '_isBinary') === true && /^(?:[0-9a-f]{2})*$/i.test(bodyText))
    return decodeBody(headers, Buffer.from(bodyText, 'hex'))
  const size = Number(member(content, 'size')) || 0
  // mitmproxy's `size` is what arrived, `compression` what decoding added.
  const lengths = [size, size + (Number(member(content, 'compression')) || 0)]
  const bytes =
    member(content, 'encoding') === 'base64'
      ? Buffer.from(bodyText, 'base64')
      : bytesOfText(bodyText, headers, lengths)
  return typeof bytes === 'string' ? bytes : checkWholeBody(headers, bytes, size)
}

/**
 * mitmproxy decodes as Latin-1 if no charset is named, e.g. SVG, which the length reveals. Where the bytes are no
 * UTF-8, tools differ in what they count.
 */
function bytesOfText(
  body: string,
  headers: HeaderPairs,
  lengths: readonly number[],
): BytesOrWhy {
  if (!body.isWellFormed()) return 'its body contains half a character'
  const bytes = Buffer.from(body)
  const namesCharset = /charset=/i.test(headerValue(headers, 'content-type'))
  if (namesCharset || lengths.includes(bytes.length) || /[^\0-\u00ff]/.test(body))
    return bytes
  const latin = Buffer.from(body, 'latin1')
  if (!lengths.includes(latin.length)) return bytes
  return isUtf8(latin)
    ? latin
    : 'its charset was not recorded, and its length is not that of its text'
}

/** The decoded body, or why it is not known; undefined if the text is no list of chunks. */
async function decodePollyChunks(
  content: string,
  headers: HeaderPairs,
): Promise<BytesOrWhy | undefined> {
  const coding = headerValue(headers, 'content-encoding')
  const chunks =
    coding === '' || !content.startsWith('[') ? undefined : parseChunks(content)
  if (chunks === undefined) return undefined
  const isHex = chunks.every((one) => /^(?:[0-9a-f]{2})*$/i.test(one))
  const spellings = isHex ? [chunks.map((one) => Buffer.from(one, 'hex'))] : []
  const decoded = chunks.map(decodeBase64).filter((one) => typeof one !== 'string')
  if (decoded.length === chunks.length)
    spellings.push(decoded.map((one) => Buffer.from(one)))
  let why = `its body is a list of texts, and none of them content-encoding ${coding}`
  for (const parts of spellings) {
    const body = await decompressBody(Buffer.concat(parts), coding)
    if (typeof body !== 'string') return body
    why = body
  }
  return why
}

/** Undefined for what may be the wiki's own JSON. */
function parseChunks(content: string): readonly string[] | undefined {
  const list = plainItems(tryParsePlain(content))
  const chunks = list.filter((one) => typeof one === 'string' && /^[\w+/=-]*$/.test(one))
  return list.length > 0 && chunks.length === list.length
    ? chunks.map(plainText)
    : undefined
}
