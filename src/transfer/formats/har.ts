/**
 * HAR files, read and written: what a browser or another proxy saw of a wiki.
 * Source: http://www.softwareishard.com/blog/har-12-spec/
 */
import { isUtf8 } from 'node:buffer'
import { plainItems, plainText, tryParsePlain } from '../../recorder/json/plain-json.ts'
import { writeQuery } from '../../recorder/wiki/parameters/request-params.ts'
import {
  type ExportedExchange,
  type FormatReader,
  type FormatWriter,
  jsonText
} from '../exchange/exchanges.ts'
import {
  checkWholeBody,
  decodeBody,
  decompressBody,
  type HeaderPairs,
  headerRecord,
  headerValue
} from '../exchange/imported-answer.ts'
import { decodeBase64, fieldsOf, member } from '../exchange/json-values.ts'

export const harReader: FormatReader = {
  expected: 'a HAR file (an object with "log" and "entries" in it)',
  read(value) {
    const entries = member(value, 'log', 'entries')
    return Array.isArray(entries) ? sortByTime(entries).map(readEntry) : undefined
  }
}

/** By time, since files may be grouped otherwise; Polly numbers equal requests (`_order`). */
function sortByTime(entries: readonly unknown[]) {
  const momentOf = (one: unknown) =>
    Date.parse(plainText(fieldsOf(one)['startedDateTime']))
  if (entries.some((one) => Number.isNaN(momentOf(one)))) return entries
  return entries.toSorted((a, b) => {
    const { _id: id, _order: first } = fieldsOf(a)
    const { _id: otherId, _order: second } = fieldsOf(b)
    const isTwin = typeof id === 'string' && id === otherId
    return isTwin && typeof first === 'number' && typeof second === 'number'
      ? first - second
      : momentOf(a) - momentOf(b)
  })
}

async function readEntry(one: unknown) {
  const { request, response, startedDateTime } = fieldsOf(one)
  const { url, method, postData } = fieldsOf(request)
  const { status, content, headers: answered } = fieldsOf(response)
  const headers = requestHeaders(request)
  const received = nameValuePairs(answered)
  const isTyped = headerValue(received, 'content-type') !== ''
  const type = ['content-type', plainText(fieldsOf(content)['mimeType'])] as const
  const answerHeaders: HeaderPairs = isTyped ? received : [...received, type]
  return {
    address: plainText(url),
    method,
    // It adds the type to the headers.
    body: requestBody(postData, headers),
    headers: Object.entries(headers),
    status,
    answerHeaders,
    answerBody: await contentOf(content, answerHeaders),
    isDecoded: true,
    moment: Date.parse(plainText(startedDateTime))
  }
}

/** Pairs of a list such as `headers` or `cookies`. */
const nameValuePairs = (list: unknown): HeaderPairs =>
  plainItems(list)
    .map(fieldsOf)
    .map(({ name, value }) => [plainText(name), plainText(value)])

/** The headers, with the cookies if they are only in their own list. */
function requestHeaders(request: unknown) {
  const fields = fieldsOf(request)
  const headers = headerRecord(nameValuePairs(fields['headers']))
  const cookies = nameValuePairs(fields['cookies']).map((pair) => pair.join('='))
  if (cookies.length > 0) headers['cookie'] ??= cookies.join('; ')
  return headers
}

function requestBody(postData: unknown, headers: Record<string, string>) {
  const { mimeType, params, text } = fieldsOf(postData)
  const type = headers['content-type'] ?? plainText(mimeType)
  const body = plainText(text)
  if (!body.isWellFormed()) return 'its form contains half a character'
  // Browsers omit uploaded files, proxies do not.
  const whole =
    body === '' || body.includes('\ufffd')
      ? undefined
      : bytesOfLength(body, [Number(headers['content-length'])])
  const isMultipart = /^multipart\//i.test(type)
  if (!whole && isMultipart && (body === '' || /filename/i.test(body)))
    return 'its file or form was not recorded byte for byte'
  headers['content-type'] = type
  return whole ?? Buffer.from(body === '' ? writeQuery(nameValuePairs(params)) : body)
}

/** The bytes of a text, if they have such a length: mitmproxy decodes as Latin-1 if no charset is named, e.g. SVG. */
function bytesOfLength(text: string, lengths: readonly number[]) {
  const isLatin = !/[^\0-\u00ff]/.test(text)
  return [Buffer.from(text), ...(isLatin ? [Buffer.from(text, 'latin1')] : [])].find(
    (bytes) => lengths.includes(bytes.length)
  )
}

/** The body, which HAR keeps decoded, and Polly as it arrived. */
async function contentOf(content: unknown, headers: HeaderPairs) {
  const fields = fieldsOf(content)
  const bodyText = plainText(fields['text'])
  const chunks = await decodePollyChunks(bodyText, headers)
  if (chunks !== undefined) return chunks
  if (fields['_isBinary'] === true && hexDigits.test(bodyText))
    return decodeBody(headers, Buffer.from(bodyText, 'hex'))
  const size = Number(fields['size']) || 0
  // mitmproxy's `size` is what arrived, `compression` what decoding added.
  const lengths = [size, size + (Number(fields['compression']) || 0)]
  const bytes =
    fields['encoding'] === 'base64'
      ? Buffer.from(bodyText, 'base64')
      : contentBytes(bodyText, headers, lengths)
  return typeof bytes === 'string' ? bytes : checkWholeBody(headers, bytes, size)
}

const hexDigits = /^(?:[0-9a-f]{2})*$/i

/** If the bytes are no UTF-8, tools differ in what they count. */
function contentBytes(body: string, headers: HeaderPairs, lengths: readonly number[]) {
  if (!body.isWellFormed()) return 'its body contains half a character'
  const namesCharset = /charset=/i.test(headerValue(headers, 'content-type'))
  const bytes =
    (namesCharset ? undefined : bytesOfLength(body, lengths)) ?? Buffer.from(body)
  return isUtf8(bytes)
    ? bytes
    : 'its charset was not recorded, and its length is not that of its text'
}

/** The decoded body, or why it is not known; undefined if the text is no list of chunks. */
async function decodePollyChunks(content: string, headers: HeaderPairs) {
  const coding = headerValue(headers, 'content-encoding')
  const chunks =
    coding === '' || !content.startsWith('[') ? undefined : parseChunks(content)
  if (!chunks) return undefined
  const isHex = chunks.every((one) => hexDigits.test(one))
  const decoded = chunks.map(decodeBase64).filter((one) => typeof one !== 'string')
  const spellings = [
    ...(isHex ? [chunks.map((one) => Buffer.from(one, 'hex'))] : []),
    ...(decoded.length === chunks.length ? [decoded] : [])
  ]
  let why = `its body is a list of texts, and none of them content-encoding ${coding}`
  for (const parts of spellings) {
    const body = await decompressBody(Buffer.concat(parts), coding)
    if (typeof body !== 'string') return body
    why = body
  }
  return why
}

/** Undefined for what may be the wiki's own JSON. */
function parseChunks(content: string) {
  const list = plainItems(tryParsePlain(content))
  const chunks = list.filter((one) => typeof one === 'string' && /^[\w+/=-]*$/.test(one))
  return list.length > 0 && chunks.length === list.length
    ? chunks.map(plainText)
    : undefined
}

export const harWriter: FormatWriter = {
  name: 'har',
  write: (exchanges, day, version) =>
    jsonText({
      log: {
        version: '1.2',
        creator: { name: 'wikitape', version },
        entries: exchanges.map((one) => harEntry(one, day))
      }
    })
}

const pairs = (all: Iterable<readonly [string, string]>) =>
  [...all].map(([name, value]) => ({ name, value }))

const harEntry = (one: ExportedExchange, day: string) => ({
  startedDateTime: `${day}T00:00:00.000Z`,
  time: 0,
  request: {
    method: 'GET',
    url: one.url.href,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: [],
    queryString: pairs(one.url.searchParams),
    headersSize: -1,
    bodySize: 0
  },
  response: {
    status: one.status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(one.headers),
    content: {
      size: one.body.length,
      mimeType: headerValue(one.headers, 'content-type'),
      ...harText(one.body)
    },
    redirectURL: headerValue(one.headers, 'location'),
    headersSize: -1,
    bodySize: one.body.length
  },
  cache: {},
  timings: { send: 0, wait: 0, receive: 0 }
})

const harText = (body: Buffer) =>
  isUtf8(body)
    ? { text: body.toString('utf8') }
    : { text: body.toString('base64'), encoding: 'base64' }
