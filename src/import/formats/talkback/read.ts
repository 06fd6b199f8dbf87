/**
 * Tapes of talkback: one exchange a file.
 * Sources: https://github.com/ijpiantanida/talkback; tape.ts and tape-renderer.ts of 4.2.0.
 */
import type { Spelling } from '../../../json/write-json.ts'
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
import { isJson, jsonText, readableText, rebuilt, spellingOf } from '../../exchange/json-values.ts'
import { at, base64Of, headerPairs, text } from '../../exchange/members.ts'

export const talkback: KeptFormat = {
  name: 'talkback',
  expected: 'a tape of talkback ("meta", "req" and "res")',
  scattered: true,
  read(value, context) {
    const [meta, req, res] = [at(value, 'meta'), at(value, 'req'), at(value, 'res')]
    return [meta, req, res].every((one) => typeof one === 'object' && one !== null)
      ? readTape(meta, req, res, context).then((one) => [one])
      : undefined
  },
}

async function readTape(
  meta: unknown,
  req: unknown,
  res: unknown,
  context: KeptContext,
): Promise<KeptReading> {
  const address = text(at(meta, 'host')) + text(at(req, 'url'))
  const headers = headersOf(headerPairs(at(req, 'headers')))
  const body = requestBody(meta, req, headers)
  const spelling = typeof body === 'string' ? undefined : spellingOf(address, headers, body)
  return keptReading(
    {
      address,
      method: text(at(req, 'method')),
      headers,
      body,
      answer: await responseOf(meta, res, spelling),
      moment: Date.parse(text(at(meta, 'createdAt'))),
    },
    context,
  )
}

/** A body that is kept in base64, or why it is not known. */
const encodedBody = (body: unknown): Uint8Array | string =>
  typeof body === 'string' ? base64Of(body) : 'its body is no text'

/** The bytes of a request, or why they are not known: those of JSON are not kept. */
function requestBody(meta: unknown, req: unknown, headers: Record<string, string>): Uint8Array | string {
  const body = at(req, 'body')
  if (!at(meta, 'reqHumanReadable')) return encodedBody(body)
  return typeof body === 'string' && !isJson(headers['content-type'] ?? '')
    ? Buffer.from(body)
    : 'talkback kept the values of its request, not the bytes'
}

async function responseOf(
  meta: unknown,
  res: unknown,
  spelling: Spelling | undefined,
): Promise<WikiAnswer | string> {
  const headers = headerPairs(at(res, 'headers'))
  return answerOf(at(res, 'status'), headers, await responseBody(meta, res, headers, spelling))
}

/** The decoded body, or why it is not known. */
async function responseBody(
  meta: unknown,
  res: unknown,
  headers: Pairs,
  spelling: Spelling | undefined,
): Promise<Uint8Array | string> {
  const body = at(res, 'body')
  const coded = !['', 'identity'].includes(headerIn(headers, 'content-encoding'))
  if (!at(meta, 'resHumanReadable') || (coded && !at(meta, 'resUncompressed'))) {
    const bytes = encodedBody(body)
    return typeof bytes === 'string' ? bytes : decodedBody(headers, bytes)
  }
  const length = coded ? '' : headerIn(headers, 'content-length')
  const candidate = isJson(headerIn(headers, 'content-type'))
    ? jsonText(body, spelling, length !== '')
    : readableText(body, length !== '')
  return rebuilt(candidate, length, 'talkback')
}
