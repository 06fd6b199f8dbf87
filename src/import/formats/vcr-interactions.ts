/**
 * The layout that Ruby's VCR, vcrpy and their followers share (R's vcr, betamax, go-vcr): an interaction is a request and
 * a response.
 * Sources: https://vcrpy.readthedocs.io/en/latest/usage.html and vcr/serialize.py, vcr/stubs/ of 4.2.1;
 * https://benoittgt.github.io/vcr/ and lib/vcr/structs.rb of 5.0; https://docs.ropensci.org/vcr/ 1.2;
 * https://betamax.readthedocs.io/en/latest/serializers.html; https://github.com/dnaeon/go-vcr, cassette/ of 2.0 and 3.0.
 */
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import { completenessOf } from '../exchange/body-completeness.ts'
import {
  decodedAnswer,
  decompressBody,
  type HeaderPairs,
  headersByName,
  headerValue,
} from '../exchange/imported-answer.ts'
import type { RawEntry } from '../exchange/imported-exchange.ts'
import { asText, bodyBytes, decodeBase64, headerPairs, member, UncertainText } from '../exchange/members.ts'

/** @param mayBeCut true where the last one may lack its end, which is the time */
export const readInteractions = (
  interactions: readonly unknown[],
  mayBeCut: boolean,
): readonly (Promise<RawEntry> | RawEntry)[] =>
  interactions.map((one, index) => {
    const isLast = mayBeCut && index === interactions.length - 1
    return isCutOff(one, interactions[index - 1], isLast)
      ? { kind: 'unusable', address: addressOf(one), why: 'the recording is cut off in it' }
      : readInteraction(one, isLast ? '' : asText(member(one, 'recorded_at')))
  })

/** The time is written last, in each or in none. */
const isCutOff = (one: unknown, before: unknown, isLast: boolean): boolean =>
  member(one, 'recorded_at') === undefined && (isLast || member(before, 'recorded_at') !== undefined)

const addressOf = (one: unknown): string =>
  asText(member(one, 'request', 'uri')) || asText(member(one, 'request', 'url'))

async function readInteraction(one: unknown, recorded: string): Promise<RawEntry> {
  const request = member(one, 'request')
  return {
    address: addressOf(one),
    method: asText(member(request, 'method')),
    headers: headersByName(headerPairs(member(request, 'headers'))),
    body: bodyOf(member(request, 'body')),
    answer: await responseOf(member(one, 'response')),
    moment: Date.parse(inUtc(recorded)),
  }
}

/** A time without a zone is in UTC. */
const inUtc = (moment: string): string =>
  /^\d{4}(?:-\d\d){2} \d\d(?::\d\d){2}$/.test(moment) ? `${moment}Z` : moment

async function responseOf(response: unknown): Promise<WikiAnswer | string> {
  const headers = headerPairs(member(response, 'headers'))
  const [httpx, packed] = [member(response, 'content'), asText(member(response, 'body', 'raw_gzip'))]
  const rawBody =
    packed !== ''
      ? await decompress(packed)
      : httpx === undefined
        ? responseBody(member(response, 'body'))
        : httpxContent(httpx, headers, statusOf(response))
  const why = replacementDamage(member(response, 'body', 'string'), headers)
  return decodedAnswer(statusOf(response), headers, why ?? rawBody)
}

/** R's vcr compresses longer bodies by `memCompress(type = "gzip")`, which writes zlib's format. */
async function decompress(packed: string): Promise<Uint8Array | string> {
  const bytes = decodeBase64(packed)
  return typeof bytes === 'string' ? bytes : decompressBody(bytes, bytes[0] === 0x1f ? 'gzip' : 'deflate')
}

/** betamax replaces bytes that are no text by U+FFFD. */
function replacementDamage(body: unknown, headers: HeaderPairs): string | undefined {
  if (typeof body !== 'string' || !body.includes('\ufffd')) return undefined
  const isText = /^text\/|\b(?:json|xml|javascript|php\.serialized)\b/i.test(
    headerValue(headers, 'content-type'),
  )
  return isText ? undefined : 'its body was no text, and is kept as one'
}

/** `status` is an object, a number, or the whole status line; then another member is the number. */
const statusOf = (response: unknown): unknown =>
  member(response, 'status', 'code') ??
  member(response, 'status', 'status_code') ??
  member(response, 'status_code') ??
  member(response, 'code') ??
  member(response, 'status')

const responseBody = (body: unknown): Uint8Array | string =>
  body === undefined || body === null || member(body, 'string') === null || isEmpty(body)
    ? 'its body was not kept'
    : bodyOf(body)

const isEmpty = (body: unknown): boolean =>
  typeof body === 'object' && Object.keys(body ?? {}).length === 0 && !(body instanceof Uint8Array)

/** A body is a text, or an object that names its encoding. */
function bodyOf(body: unknown): Uint8Array | string {
  if (
    typeof body !== 'object' ||
    body === null ||
    body instanceof Uint8Array ||
    body instanceof UncertainText
  )
    return bodyBytes(body)
  const base64 = member(body, 'base64_string')
  if (typeof base64 === 'string') return decodeBase64(base64)
  const [value, encoding] = [member(body, 'string'), asText(member(body, 'encoding')) || 'UTF-8']
  if (member(body, 'file') === true || member(body, 'on_disk') !== undefined)
    return 'its body lies in a file of its own'
  if (value === undefined && Object.keys(body).length > 0) return bodyBytes(body)
  // VCR converts a text to UTF-8, and names its former encoding.
  return value instanceof Uint8Array || utf8Names.has(encoding.toUpperCase())
    ? bodyBytes(value)
    : `its body was in ${encoding}, and is kept in UTF-8`
}

const utf8Names: ReadonlySet<string> = new Set(['UTF-8', 'UTF8', 'US-ASCII', 'ASCII', 'ASCII-8BIT'])

/** Up to version 5 vcrpy dropped each byte of httpx's bodies that was not UTF-8; a whole answer of the API has none. */
function httpxContent(content: unknown, headers: HeaderPairs, status: unknown): Uint8Array | string {
  const bytes = bodyBytes(content)
  const type = headerValue(headers, 'content-type')
  const leadsOn = content === '' && typeof status === 'number' && status >= 300 && status < 400
  return leadsOn || typeof bytes === 'string' || completenessOf(type, bytes) === 'whole'
    ? bytes
    : 'vcrpy may have dropped bytes of its body, as it did for httpx before version 6'
}
