/**
 * Cassettes of ExVCR (Elixir): a list of requests with their responses.
 * Source: https://github.com/parroty/exvcr, lib/exvcr/json.ex and lib/exvcr/adapter/ of 0.15 to 0.17.
 */
import type { WikiAnswer } from '../../../wiki/answers/wiki-answer.ts'
import {
  answerOf,
  decodedBody,
  headersOf,
  type KeptContext,
  type KeptFormat,
  type KeptReading,
  keptReading,
} from '../../exchange/imported-exchange.ts'
import { at, base64Of, bytesOf, headerPairs, text } from '../../exchange/members.ts'

export const exvcr: KeptFormat = {
  name: 'ExVCR',
  expected: 'a cassette of ExVCR (a list of "request" and "response" with "status_code")',
  entries: [],
  read(value, context) {
    if (!Array.isArray(value) || at(value[0], 'request', 'url') === undefined) return undefined
    return Promise.all(value.map((one) => readInteraction(one, context)))
  },
}

async function readInteraction(one: unknown, context: KeptContext): Promise<KeptReading> {
  const request = at(one, 'request')
  const address = text(at(request, 'url'))
  // A stub written by hand may match by a regular expression.
  if (/^~r/.test(address))
    return { kind: 'lacking', address, why: 'it stands for every address of a pattern' }
  return keptReading(
    {
      address,
      // Fixtures written by hand may leave it out, and then stand for any.
      method: text(at(request, 'method')) || 'get',
      headers: headersOf(headerPairs(at(request, 'headers'))),
      body: bytesOf(text(at(request, 'request_body')) || at(request, 'body')),
      answer: await responseOf(at(one, 'response')),
      moment: Number.NaN,
    },
    context,
  )
}

async function responseOf(response: unknown): Promise<WikiAnswer | string> {
  if (at(response, 'type') === 'error') return 'it was not answered'
  const headers = headerPairs(at(response, 'headers'))
  const kept = at(response, 'body')
  const bytes = at(response, 'binary') === true ? binaryTerm(text(kept)) : bytesOf(kept)
  const status = at(response, 'status_code')
  return answerOf(
    // httpc tells its whole line: ["HTTP/1.1", 200, "OK"].
    Array.isArray(status) ? status[1] : status,
    headers,
    typeof bytes === 'string' ? bytes : await decodedBody(headers, bytes),
  )
}

/** Bytes as Erlang writes a binary: 131, 109, four bytes of length. Source: Erlang, External Term Format, BINARY_EXT */
function binaryTerm(kept: string): Uint8Array | string {
  const term = base64Of(kept)
  if (typeof term === 'string') return term
  const bytes = Buffer.from(term)
  return bytes[0] === 131 &&
    bytes[1] === 109 &&
    bytes.length >= 6 &&
    bytes.readUInt32BE(2) === bytes.length - 6
    ? bytes.subarray(6)
    : 'its body is no binary of Erlang, as it says'
}
