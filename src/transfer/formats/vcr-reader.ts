/**
 * The layout that Ruby's VCR, vcrpy and their followers share (R's vcr, betamax, go-vcr): an interaction is a request and
 * a response.
 * Sources: https://vcrpy.readthedocs.io/en/latest/usage.html and vcr/serialize.py, vcr/stubs/ of 4.2.1;
 * https://benoittgt.github.io/vcr/ and lib/vcr/structs.rb of 5.0; https://docs.ropensci.org/vcr/ 1.2;
 * https://betamax.readthedocs.io/en/latest/serializers.html; https://github.com/dnaeon/go-vcr, cassette/ of 2.0 and 3.0;
 * https://github.com/parroty/exvcr, lib/exvcr/json.ex and lib/exvcr/adapter/ of 0.15 to 0.17.
 */

import { plainText } from '../../recorder/json/plain-json.ts'
import { wordSet } from '../../recorder/text/words.ts'
import type { FormatReader } from '../exchange/exchanges.ts'
import {
  completenessOf,
  decompressBody,
  type HeaderPairs,
  headerValue
} from '../exchange/imported-answer.ts'
import {
  decodeBase64,
  fieldsOf,
  headerPairs,
  member,
  recordedBytes,
  UncertainText
} from '../exchange/json-values.ts'

export const vcrReader: FormatReader = {
  expected: 'a cassette of Ruby\'s VCR ("http_interactions")',
  read(value) {
    const interactions = member(value, 'http_interactions')
    return Array.isArray(interactions) ? interactions.map(readInteraction) : undefined
  }
}

export const vcrpyReader: FormatReader = {
  expected: 'a vcrpy cassette ("version: 1" and "interactions")',
  read(value) {
    const interactions = member(value, 'interactions')
    if (!Array.isArray(interactions)) return undefined
    const version = member(value, 'version') ?? 1
    // go-vcr names the address `url`, and has its own version numbers.
    const known = interactions.some((one) => member(one, 'request', 'url') !== undefined)
      ? [0, 1, 2]
      : [1]
    return known.includes(Number(version))
      ? interactions.map(readInteraction)
      : `it is a vcrpy cassette of version ${JSON.stringify(version)}; expected version 1`
  }
}

async function readInteraction(one: unknown) {
  const { request, response, recorded_at: moment } = fieldsOf(one)
  const { uri, url, method, headers, body } = fieldsOf(request)
  const answerHeaders = headerPairs(fieldsOf(response)['headers'])
  return {
    address: plainText(uri) || plainText(url),
    method,
    headers: headerPairs(headers),
    body: bodyOf(body),
    status: statusOf(response),
    answerHeaders,
    answerBody: isOldR(one)
      ? decodeBase64(member(response, 'body', 'string'))
      : await answerBodyOf(response, answerHeaders),
    moment: Date.parse(inUtc(plainText(moment)))
  }
}

/** Before 1.0, R's vcr wrote base64 in place of a text with this encoding. */
const isOldR = (one: unknown) =>
  plainText(member(one, 'recorded_with')).startsWith('vcr/0.') &&
  member(one, 'response', 'body', 'encoding') === 'ASCII-8BIT'

/** A time without a zone is in UTC. */
const inUtc = (moment: string) =>
  /^\d{4}(?:-\d\d){2} \d\d(?::\d\d){2}$/.test(moment) ? `${moment}Z` : moment

async function answerBodyOf(response: unknown, headers: HeaderPairs) {
  const { body, content: httpx } = fieldsOf(response)
  const damage = replacementDamage(member(body, 'string'), headers)
  if (damage !== undefined) return damage
  const packed = plainText(member(body, 'raw_gzip'))
  if (packed !== '') return decompress(packed)
  return httpx === undefined
    ? responseBody(body)
    : httpxContent(httpx, headers, statusOf(response))
}

/** R's vcr compresses longer bodies by `memCompress(type = "gzip")`, which writes zlib's format. */
async function decompress(packed: string) {
  const bytes = decodeBase64(packed)
  return typeof bytes === 'string'
    ? bytes
    : decompressBody(bytes, bytes[0] === 0x1f ? 'gzip' : 'deflate')
}

/** betamax replaces bytes that are no text by U+FFFD. */
function replacementDamage(body: unknown, headers: HeaderPairs) {
  if (typeof body !== 'string' || !body.includes('\ufffd')) return undefined
  const isText = /^text\/|\b(?:json|xml|javascript|php\.serialized)\b/i.test(
    headerValue(headers, 'content-type')
  )
  return isText ? undefined : 'its body was binary, but is recorded as text'
}

/** `status` is an object, a number, or the whole status line; then another member is the number. */
function statusOf(response: unknown) {
  const { status, status_code: number, code } = fieldsOf(response)
  const parts = fieldsOf(status)
  return parts['code'] ?? parts['status_code'] ?? number ?? code ?? status
}

const responseBody = (body: unknown) =>
  body === undefined || body === null || member(body, 'string') === null || isEmpty(body)
    ? 'its body was not recorded'
    : bodyOf(body)

const isEmpty = (body: unknown) =>
  typeof body === 'object' &&
  Object.keys(body ?? {}).length === 0 &&
  !(body instanceof Uint8Array)

/** A body is a text, or an object that names its encoding. */
function bodyOf(body: unknown) {
  const isValue = body instanceof Uint8Array || body instanceof UncertainText
  if (typeof body !== 'object' || body === null || isValue) return recordedBytes(body)
  const {
    base64_string: base64,
    string: value,
    file,
    on_disk: onDisk,
    ...rest
  } = fieldsOf(body)
  if (typeof base64 === 'string') return decodeBase64(base64)
  const encoding = plainText(rest['encoding']) || 'UTF-8'
  if (file === true || onDisk !== undefined) return 'its body is in a separate file'
  if (value === undefined && Object.keys(body).length > 0) return recordedBytes(body)
  // VCR converts a text to UTF-8, and names its former encoding.
  return value instanceof Uint8Array || utf8Names.has(encoding.toUpperCase())
    ? recordedBytes(value)
    : `its body was in ${encoding}, but is recorded in UTF-8`
}

const utf8Names = wordSet('UTF-8 UTF8 US-ASCII ASCII ASCII-8BIT')

/** Up to version 5 vcrpy dropped each byte of httpx's bodies that was not UTF-8; a whole answer of the API has none. */
function httpxContent(content: unknown, headers: HeaderPairs, status: unknown) {
  const bytes = recordedBytes(content)
  const type = headerValue(headers, 'content-type')
  const leadsOn =
    content === '' && typeof status === 'number' && status >= 300 && status < 400
  return leadsOn || typeof bytes === 'string' || completenessOf(type, bytes) === 'whole'
    ? bytes
    : 'vcrpy may have dropped bytes of its body, as it did for httpx before version 6'
}

/** ExVCR (Elixir) writes a list of requests with their responses. */
export const exvcrReader: FormatReader = {
  expected: 'a cassette of ExVCR (a list of "request" and "response" with "status_code")',
  read(value) {
    if (!Array.isArray(value) || member(value[0], 'request', 'url') === undefined)
      return undefined
    return value.map(readExvcr)
  }
}

function readExvcr(one: unknown) {
  const { request, response } = fieldsOf(one)
  const { url, method, headers, request_body: sent, body } = fieldsOf(request)
  const { status_code: status, headers: received } = fieldsOf(response)
  return {
    address: plainText(url),
    // Fixtures written by hand may have none, and then match any.
    method: plainText(method) || 'get',
    headers: headerPairs(headers),
    body: recordedBytes(plainText(sent) || body),
    // httpc keeps the whole status line: ["HTTP/1.1", 200, "OK"].
    status: Array.isArray(status) ? status[1] : status,
    answerHeaders: headerPairs(received),
    answerBody: exvcrBody(response)
  }
}

function exvcrBody(response: unknown) {
  const { type, body, binary } = fieldsOf(response)
  if (type === 'error') return 'it was not answered'
  return binary === true ? readBinaryTerm(plainText(body)) : recordedBytes(body)
}

/** Bytes as Erlang writes a binary: 131, 109, four bytes of length. Source: Erlang, External Term Format, BINARY_EXT */
function readBinaryTerm(base64: string) {
  const term = decodeBase64(base64)
  if (typeof term === 'string') return term
  const bytes = Buffer.from(term)
  const isBinary = bytes.length >= 6 && bytes.readUInt16BE(0) === 131 * 256 + 109
  return isBinary && bytes.readUInt32BE(2) === bytes.length - 6
    ? bytes.subarray(6)
    : 'its body is not an Erlang binary, as it claims'
}
