/**
 * Tapes of talkback: one exchange a file.
 * Sources: https://github.com/ijpiantanida/talkback; tape.ts and tape-renderer.ts of 4.2.0.
 */

import { plainText } from '../../../json/plain-json.ts'
import type { Spelling } from '../../../json/write-json.ts'
import {
  decodeBody,
  type HeaderPairs,
  headersByName,
  headerValue,
  toAnswer,
} from '../../exchange/imported-answer.ts'
import type { FormatReader, RawEntry } from '../../exchange/imported-exchange.ts'
import {
  expectedSpelling,
  isJsonType,
  jsonCandidate,
  rebuildBody,
  textCandidate,
} from '../../exchange/json-values.ts'
import { decodeBase64, headerPairs, member } from '../../exchange/members.ts'

export const talkbackReader: FormatReader = {
  expected: 'a tape of talkback ("meta", "req" and "res")',
  hasOneExchangePerFile: true,
  read(value) {
    const [meta, req, res] = [member(value, 'meta'), member(value, 'req'), member(value, 'res')]
    return [meta, req, res].every((one) => typeof one === 'object' && one !== null)
      ? [readTape(meta, req, res)]
      : undefined
  },
}

async function readTape(meta: unknown, req: unknown, res: unknown): Promise<RawEntry> {
  const address = plainText(member(meta, 'host')) + plainText(member(req, 'url'))
  const headers = headersByName(headerPairs(member(req, 'headers')))
  const body = requestBody(meta, req, headers)
  const spelling =
    typeof body === 'string' ? undefined : expectedSpelling(address, body, headers['content-type'] ?? '')
  const responseHeaders = headerPairs(member(res, 'headers'))
  const decoded = await responseBody(meta, res, responseHeaders, spelling)
  return {
    address,
    method: plainText(member(req, 'method')),
    headers,
    body,
    answer: toAnswer(member(res, 'status'), responseHeaders, decoded),
    moment: Date.parse(plainText(member(meta, 'createdAt'))),
  }
}

const decodeEncodedBody = (body: unknown): Uint8Array | string =>
  typeof body === 'string' ? decodeBase64(body) : 'its body is not text'

/** The bytes of JSON are not kept. */
function requestBody(meta: unknown, req: unknown, headers: Record<string, string>): Uint8Array | string {
  const body = member(req, 'body')
  if (!member(meta, 'reqHumanReadable')) return decodeEncodedBody(body)
  return typeof body === 'string' && !isJsonType(headers['content-type'] ?? '')
    ? Buffer.from(body)
    : 'talkback recorded the values of its request, not the bytes'
}

async function responseBody(
  meta: unknown,
  res: unknown,
  headers: HeaderPairs,
  spelling: Spelling | undefined,
): Promise<Uint8Array | string> {
  const body = member(res, 'body')
  const coded = !['', 'identity'].includes(headerValue(headers, 'content-encoding'))
  if (!member(meta, 'resHumanReadable') || (coded && !member(meta, 'resUncompressed'))) {
    const bytes = decodeEncodedBody(body)
    return typeof bytes === 'string' ? bytes : decodeBody(headers, bytes)
  }
  const length = coded ? '' : headerValue(headers, 'content-length')
  const candidate = isJsonType(headerValue(headers, 'content-type'))
    ? jsonCandidate(body, spelling, length !== '')
    : textCandidate(body, length !== '')
  return rebuildBody(candidate, length, 'talkback')
}
