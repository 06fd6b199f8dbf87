/**
 * Fixtures of nock (`nock.recorder` with `output_objects`, `nockBack`): a list of scopes with their replies.
 * Source: https://github.com/nock/nock, lib/recorder.js of 9 to 14.
 */
import type { WikiAnswer } from '../../../wiki/answers/wiki-answer.ts'
import {
  answerOf,
  decodedBody,
  headerIn,
  headersOf,
  type KeptContext,
  type KeptFormat,
  type KeptReading,
  keptReading,
  type Pairs,
} from '../../exchange/imported-exchange.ts'
import { isJson, jsonText, rebuilt, spellingOf } from '../../exchange/json-values.ts'
import { at, bytesOf, headerPairs, list, text } from '../../exchange/members.ts'

export const nock: KeptFormat = {
  name: 'nock',
  expected: 'fixtures of nock (a list of "scope", "path" and "response")',
  entries: [],
  read(value, context) {
    if (!Array.isArray(value) || at(value[0], 'scope') === undefined) return undefined
    return Promise.all(value.map((one) => readScope(one, context)))
  },
}

async function readScope(one: unknown, context: KeptContext): Promise<KeptReading> {
  const address = text(at(one, 'scope')) + text(at(one, 'path'))
  const headers = headersOf(headerPairs(at(one, 'reqheaders')))
  const body = requestBody(at(one, 'body'))
  const answer = typeof body === 'string' ? body : await responseOf(one, address, headers, body)
  return keptReading(
    { address, method: text(at(one, 'method')), headers, body, answer, moment: Number.NaN },
    context,
  )
}

/** nock reads JSON and, where it must, forms; a form that is sent as text stays as it was. */
function requestBody(body: unknown): Uint8Array | string {
  return typeof body === 'object' && body !== null
    ? 'nock kept the values of its request, not the bytes'
    : bytesOf(body)
}

async function responseOf(
  one: unknown,
  address: string,
  requestHeaders: Readonly<Record<string, string>>,
  requestBody: Uint8Array,
): Promise<WikiAnswer | string> {
  const raw = at(one, 'rawHeaders') ?? at(one, 'headers')
  const headers = Array.isArray(raw) ? inPairs(raw) : headerPairs(raw)
  const form = { ...requestHeaders, 'content-type': 'application/x-www-form-urlencoded' }
  const bytes = bytesIn(one, headers, () => spellingOf(address, form, requestBody))
  const body = typeof bytes === 'string' ? bytes : await decodedBody(headers, bytes)
  return answerOf(at(one, 'status'), headers, body)
}

/** Names and values in turns. */
const inPairs = (raw: readonly unknown[]): Pairs =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[text(name), text(raw[index + 1])] as const] : []))

/** The bytes as they came, or why they are not known: compressed ones in hex, chunk by chunk, JSON as values. */
function bytesIn(
  one: unknown,
  headers: Pairs,
  spelling: () => ReturnType<typeof spellingOf>,
): Uint8Array | string {
  const kept = at(one, 'response')
  const chunks = typeof kept === 'string' ? [kept] : list(kept).map(text)
  const isHex = chunks.length > 0 && chunks.every((chunk) => /^(?:[0-9a-f]{2})+$/i.test(chunk))
  const coded = !['', 'identity'].includes(headerIn(headers, 'content-encoding'))
  if (isHex && (coded || at(one, 'responseIsBinary') === true)) return Buffer.from(chunks.join(''), 'hex')
  if (coded) return 'its body is compressed, and not kept in hex'
  const length = headerIn(headers, 'content-length')
  if (kept === undefined || (kept === '' && !isJson(headerIn(headers, 'content-type'))))
    return new Uint8Array()
  if (typeof kept === 'string' && !isJson(headerIn(headers, 'content-type'))) return bytesOf(kept)
  return rebuilt(jsonText(kept, spelling(), length !== ''), length, 'nock')
}
