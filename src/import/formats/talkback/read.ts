/**
 * Tapes of talkback: one exchange a file.
 * Sources: https://github.com/ijpiantanida/talkback; tape.ts and tape-renderer.ts of 4.2.0.
 */
import type { Spelling } from '../../../json/write-json.ts'
import type { WikiAnswer } from '../../../wiki/answers/wiki-answer.ts'
import {
  decodeBody,
  type FormatReader,
  type HeaderPairs,
  headersByName,
  headerValue,
  type ImportContext,
  type ImportedEntry,
  toAnswer,
  toImportedEntry,
} from '../../exchange/imported-exchange.ts'
import {
  expectedSpelling,
  isJsonType,
  jsonCandidate,
  rebuildBody,
  textCandidate,
} from '../../exchange/json-values.ts'
import { asText, decodeBase64, headerPairs, member } from '../../exchange/members.ts'

export const talkbackReader: FormatReader = {
  name: 'talkback',
  expected: 'a tape of talkback ("meta", "req" and "res")',
  hasOneExchangePerFile: true,
  read(value, context) {
    const [meta, req, res] = [member(value, 'meta'), member(value, 'req'), member(value, 'res')]
    return [meta, req, res].every((one) => typeof one === 'object' && one !== null)
      ? readTape(meta, req, res, context).then((one) => [one])
      : undefined
  },
}

async function readTape(
  meta: unknown,
  req: unknown,
  res: unknown,
  context: ImportContext,
): Promise<ImportedEntry> {
  const address = asText(member(meta, 'host')) + asText(member(req, 'url'))
  const headers = headersByName(headerPairs(member(req, 'headers')))
  const body = requestBody(meta, req, headers)
  const spelling = typeof body === 'string' ? undefined : expectedSpelling(address, headers, body)
  return toImportedEntry(
    {
      address,
      method: asText(member(req, 'method')),
      headers,
      body,
      answer: await responseOf(meta, res, spelling),
      moment: Date.parse(asText(member(meta, 'createdAt'))),
    },
    context,
  )
}

/** A body that is kept in base64, or why it is not known. */
const decodeEncodedBody = (body: unknown): Uint8Array | string =>
  typeof body === 'string' ? decodeBase64(body) : 'its body is no text'

/** The bytes of a request, or why they are not known: those of JSON are not kept. */
function requestBody(meta: unknown, req: unknown, headers: Record<string, string>): Uint8Array | string {
  const body = member(req, 'body')
  if (!member(meta, 'reqHumanReadable')) return decodeEncodedBody(body)
  return typeof body === 'string' && !isJsonType(headers['content-type'] ?? '')
    ? Buffer.from(body)
    : 'talkback kept the values of its request, not the bytes'
}

async function responseOf(
  meta: unknown,
  res: unknown,
  spelling: Spelling | undefined,
): Promise<WikiAnswer | string> {
  const headers = headerPairs(member(res, 'headers'))
  return toAnswer(member(res, 'status'), headers, await responseBody(meta, res, headers, spelling))
}

/** The decoded body, or why it is not known. */
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
