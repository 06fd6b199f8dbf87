/** HAR files. Source: http://www.softwareishard.com/blog/har-12-spec/ */
import { isUtf8 } from 'node:buffer'
import {
  type ExportedExchange,
  type FormatWriter,
  jsonText
} from '../exchange/exchanges.ts'
import { headerValue } from '../exchange/imported-answer.ts'

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
