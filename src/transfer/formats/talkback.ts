/**
 * Tapes of talkback: one exchange a file.
 * Sources: https://github.com/ijpiantanida/talkback; tape.ts and tape-renderer.ts of 4.2.0.
 */

import { isUtf8 } from 'node:buffer'
import JSON5 from 'json5'
import type { PlainObject } from '../../recorder/json/plain-json.ts'
import { isPlainObject, plainText } from '../../recorder/json/plain-json.ts'
import type { Spelling } from '../../recorder/json/write-json.ts'
import type {
  ExportedExchange,
  FormatReader,
  FormatWriter
} from '../exchange/exchanges.ts'
import {
  type HeaderPairs,
  headerLists,
  headerValue,
  isCoded
} from '../exchange/imported-answer.ts'
import {
  bytesOfJson,
  bytesOfText,
  decodeBase64,
  expectedSpelling,
  fieldsOf,
  headerPairs,
  isJsonType
} from '../exchange/json-values.ts'

export const talkbackReader: FormatReader = {
  expected: 'a tape of talkback ("meta", "req" and "res")',
  hasOneExchangePerFile: true,
  read(value) {
    const { meta, req, res } = fieldsOf(value)
    return isPlainObject(meta) && isPlainObject(req) && isPlainObject(res)
      ? [readTape(meta, req, res)]
      : undefined
  }
}

function readTape(meta: PlainObject, req: PlainObject, res: PlainObject) {
  const address = plainText(meta['host']) + plainText(req['url'])
  const headers = headerPairs(req['headers'])
  const type = headerValue(headers, 'content-type')
  const body = requestBody(meta, req['body'], type)
  const answerHeaders = headerPairs(res['headers'])
  const spelling = expectedSpelling(address, body, type)
  return {
    address,
    method: req['method'],
    headers,
    body,
    status: res['status'],
    answerHeaders,
    ...responseBody(meta, res['body'], { headers: answerHeaders, spelling }),
    moment: Date.parse(plainText(meta['createdAt']))
  }
}

/** The bytes of JSON are not kept. */
function requestBody(meta: PlainObject, body: unknown, type: string) {
  if (!meta['reqHumanReadable']) return decodeBase64(body)
  return typeof body === 'string' && !isJsonType(type)
    ? Buffer.from(body)
    : 'talkback recorded the values of its request, not the bytes'
}

function responseBody(
  meta: PlainObject,
  body: unknown,
  {
    headers,
    spelling
  }: { readonly headers: HeaderPairs; readonly spelling: Spelling | undefined }
) {
  const coded = isCoded(headers)
  if (!meta['resHumanReadable'] || (coded && !meta['resUncompressed']))
    return { answerBody: decodeBase64(body) }
  const length = coded ? '' : headerValue(headers, 'content-length')
  const recorded = { length, recorder: 'talkback' }
  const answerBody = isJsonType(headerValue(headers, 'content-type'))
    ? bytesOfJson(body, spelling, recorded)
    : bytesOfText(body, recorded)
  return { answerBody, isDecoded: true }
}

export const talkbackWriter: FormatWriter = {
  name: 'talkback',
  hasOneExchangePerFile: true,
  write: (exchanges, day) =>
    new Map(
      exchanges.map((one, at) => [
        `${String(at + 1).padStart(5, '0')}.json5`,
        `${JSON5.stringify(tape(one, day), null, 4)}\n`
      ])
    )
}

/** JSON is written as a text, which talkback serves unchanged; of values it would make other bytes. */
function tape(one: ExportedExchange, day: string) {
  const isText = isUtf8(one.body)
  return {
    meta: {
      createdAt: `${day}T00:00:00.000Z`,
      host: one.url.origin,
      ...(isText ? { resHumanReadable: true } : {})
    },
    req: {
      headers: {},
      url: one.url.pathname + one.url.search,
      method: 'GET',
      body: ''
    },
    res: {
      status: one.status,
      headers: {
        ...headerLists(one.headers),
        'content-length': [String(one.body.length)]
      },
      body: one.body.toString(isText ? 'utf8' : 'base64')
    }
  }
}
