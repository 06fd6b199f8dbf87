/**
 * Fixtures of nock (`nock.recorder` with `output_objects`, `nockBack`; `nock.load`): a list of scopes with their replies.
 * Source: https://github.com/nock/nock#recording; lib/recorder.js of 9 to 14.
 */

import { isUtf8 } from 'node:buffer'
import type { PlainObject } from '../../recorder/json/plain-json.ts'
import { plainItems, plainText, tryParsePlain } from '../../recorder/json/plain-json.ts'
import type { Spelling } from '../../recorder/json/write-json.ts'
import {
  type ExportedExchange,
  type FormatReader,
  type FormatWriter,
  jsonText
} from '../exchange/exchanges.ts'
import { type HeaderPairs, headerValue, isCoded } from '../exchange/imported-answer.ts'
import {
  bytesOfJson,
  expectedSpelling,
  fieldsOf,
  headerPairs,
  isJsonType,
  member,
  recordedBytes
} from '../exchange/json-values.ts'

export const nockReader: FormatReader = {
  expected: 'fixtures of nock (a list of "scope", "path" and "response")',
  read(value) {
    if (!Array.isArray(value) || member(value[0], 'scope') === undefined) return undefined
    return value.map(readScope)
  }
}

function readScope(one: unknown) {
  const { scope, path, method, reqheaders, body: sent, status, ...rest } = fieldsOf(one)
  const address = plainText(scope) + plainText(path)
  // nock parses JSON and, if it must, forms; a form that is sent as text is kept.
  const isParsed = typeof sent === 'object' && sent !== null
  const body = isParsed
    ? 'nock recorded the values of its request, not the bytes'
    : recordedBytes(sent)
  const raw = rest['rawHeaders'] ?? rest['headers']
  const answerHeaders = Array.isArray(raw) ? pairUp(raw) : headerPairs(raw)
  return {
    address,
    method,
    headers: headerPairs(reqheaders),
    body,
    status,
    answerHeaders,
    answerBody: responseBytes(rest, answerHeaders, expectedSpelling(address, body))
  }
}

/** A list in which names and values alternate. */
const pairUp = (raw: readonly unknown[]) =>
  raw.flatMap((name, index) =>
    index % 2 === 0 ? [[plainText(name), plainText(raw[index + 1])] as const] : []
  )

/** nock keeps compressed bodies in hex, chunk by chunk, and JSON as values. */
function responseBytes(
  { response: rawBody, responseIsBinary }: PlainObject,
  headers: HeaderPairs,
  spelling: Spelling | undefined
) {
  const chunks =
    typeof rawBody === 'string' ? [rawBody] : plainItems(rawBody).map(plainText)
  const isHex =
    chunks.length > 0 && chunks.every((chunk) => /^(?:[0-9a-f]{2})+$/i.test(chunk))
  const coded = isCoded(headers)
  if (isHex && (coded || responseIsBinary === true))
    return Buffer.from(chunks.join(''), 'hex')
  if (coded) return 'its body is compressed, but not recorded in hex'
  const recorded = { length: headerValue(headers, 'content-length'), recorder: 'nock' }
  const isText =
    typeof rawBody === 'string' && !isJsonType(headerValue(headers, 'content-type'))
  if (rawBody === undefined || isText) return recordedBytes(rawBody)
  return bytesOfJson(rawBody, spelling, recorded)
}

export const nockWriter: FormatWriter = {
  name: 'nock',
  write: (exchanges) => jsonText(exchanges.map(nockDefinition))
}

const nockDefinition = (one: ExportedExchange) => ({
  scope: one.url.origin,
  method: 'GET',
  path: one.url.pathname + one.url.search,
  body: '',
  status: one.status,
  ...nockResponse(one.body),
  rawHeaders: one.headers.flat()
})

/** nock parses JSON and writes it again; if that would change a byte, the body is given in hex. */
const nockResponse = (body: Buffer) =>
  isUtf8(body) && survivesParsing(body.toString('utf8'))
    ? { response: body.toString('utf8') }
    : { response: body.toString('hex'), responseIsBinary: true }

function survivesParsing(text: string) {
  const value = tryParsePlain(text)
  return value === undefined || JSON.stringify(value) === text
}
