/**
 * Cassettes of ExVCR (Elixir): a list of requests with their responses.
 * Source: https://github.com/parroty/exvcr, lib/exvcr/json.ex and lib/exvcr/adapter/ of 0.15 to 0.17.
 */
import { plainText } from '../../json/plain-json.ts'
import type { FormatReader, RawEntry } from '../exchange/exchanges.ts'
import { bodyBytes, decodeBase64, headerPairs, member } from '../exchange/json-values.ts'

export const exvcrReader: FormatReader = {
  expected: 'a cassette of ExVCR (a list of "request" and "response" with "status_code")',
  read(value) {
    if (!Array.isArray(value) || member(value[0], 'request', 'url') === undefined) return undefined
    return value.map(readInteraction)
  },
}

function readInteraction(one: unknown): RawEntry {
  const [request, response] = [member(one, 'request'), member(one, 'response')]
  const status = member(response, 'status_code')
  return {
    address: plainText(member(request, 'url')),
    // Fixtures written by hand may have none, and then match any.
    method: plainText(member(request, 'method')) || 'get',
    headers: headerPairs(member(request, 'headers')),
    body: bodyBytes(plainText(member(request, 'request_body')) || member(request, 'body')),
    // httpc keeps the whole status line: ["HTTP/1.1", 200, "OK"].
    status: Array.isArray(status) ? status[1] : status,
    answerHeaders: headerPairs(member(response, 'headers')),
    answerBody: responseBody(response),
  }
}

function responseBody(response: unknown): Uint8Array | string {
  if (member(response, 'type') === 'error') return 'it was not answered'
  const rawBody = member(response, 'body')
  return member(response, 'binary') === true ? readBinaryTerm(plainText(rawBody)) : bodyBytes(rawBody)
}

/** Bytes as Erlang writes a binary: 131, 109, four bytes of length. Source: Erlang, External Term Format, BINARY_EXT */
function readBinaryTerm(base64: string): Uint8Array | string {
  const term = decodeBase64(base64)
  if (typeof term === 'string') return term
  const bytes = Buffer.from(term)
  const isBinary = bytes.length >= 6 && bytes.readUInt16BE(0) === 131 * 256 + 109
  return isBinary && bytes.readUInt32BE(2) === bytes.length - 6
    ? bytes.subarray(6)
    : 'its body is not an Erlang binary, as it claims'
}
