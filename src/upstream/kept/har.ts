/**
 * HAR files: what a browser or another proxy saw of a wiki.
 * Source: http://www.softwareishard.com/blog/har-12-spec/
 */
import type { WikiAnswer } from '../../wiki/answer.ts'
import { writeQuery } from '../../wiki/params.ts'
import {
  answerOf,
  headerIn,
  headersOf,
  type KeptFormat,
  type KeptReading,
  keptReading,
  type Pairs,
} from './exchange.ts'
import { at, list, text } from './member.ts'

export const har: KeptFormat = {
  expected: 'a HAR file (an object with "log" and "entries" in it)',
  read(value, now) {
    const entries = at(value, 'log', 'entries')
    return Array.isArray(entries) ? Promise.resolve(entries.map((one) => readEntry(one, now))) : undefined
  },
}

function readEntry(one: unknown, now: number): KeptReading {
  const request = at(one, 'request')
  const headers = requestHeaders(request)
  return keptReading(
    {
      address: text(at(request, 'url')),
      method: text(at(request, 'method')),
      body: requestBody(at(request, 'postData'), headers),
      headers,
      answer: responseOf(at(one, 'response')),
      moment: Date.parse(text(at(one, 'startedDateTime'))),
    },
    now,
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
  if (type.startsWith('multipart/') && (body === '' || /filename/i.test(body)))
    return 'its file or form was not kept byte for byte'
  headers['content-type'] ??= text(at(postData, 'mimeType'))
  return Buffer.from(body === '' ? writeQuery(pairs(at(postData, 'params'))) : body)
}

/** The answer, or why it is not whole. */
function responseOf(response: unknown): WikiAnswer | string {
  const content = at(response, 'content')
  const headers = pairs(at(response, 'headers'))
  const typed = headerIn(headers, 'content-type') !== ''
  const named: Pairs = typed ? headers : [...headers, ['content-type', text(at(content, 'mimeType'))]]
  return answerOf(at(response, 'status'), named, contentOf(content))
}

/** The body, which HAR keeps decoded. */
function contentOf(content: unknown): Uint8Array | string {
  const size = at(content, 'size')
  const encoding = at(content, 'encoding') === 'base64' ? 'base64' : 'utf8'
  const bytes = Buffer.from(text(at(content, 'text')), encoding)
  return typeof size === 'number' && size > bytes.length
    ? `its body has ${size} bytes, of which the file holds ${bytes.length}`
    : bytes
}
