/**
 * Cassettes of vcrpy, of Ruby's VCR and of those that took over its layout (R's vcr, betamax), and of go-vcr: an
 * interaction is a request and a response.
 * Sources: https://vcrpy.readthedocs.io/en/latest/usage.html and vcr/serialize.py, vcr/stubs/ of 4.2.1;
 * https://benoittgt.github.io/vcr/ and lib/vcr/structs.rb of 5.0; https://docs.ropensci.org/vcr/ 1.2;
 * https://betamax.readthedocs.io/en/latest/serializers.html; https://github.com/dnaeon/go-vcr, cassette/ of 2.0 and 3.0.
 */
import type { WikiAnswer } from '../../../wiki/answers/wiki-answer.ts'
import { completenessOf } from '../../exchange/body-completeness.ts'
import {
  decodeBody,
  decompressBody,
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
  asText,
  bodyBytes,
  decodeBase64,
  headerPairs,
  member,
  UncertainText,
} from '../../exchange/members.ts'

export const vcrpyReader: FormatReader = {
  name: 'vcrpy',
  expected: 'a vcrpy cassette ("version: 1" and "interactions")',
  entries: ['interactions'],
  read(value, context) {
    const interactions = member(value, 'interactions')
    if (!Array.isArray(interactions)) return undefined
    const version = member(value, 'version') ?? 1
    // go-vcr calls an address `url`, and numbers its formats itself.
    const known = interactions.some((one) => member(one, 'request', 'url') !== undefined) ? [0, 1, 2] : [1]
    return known.includes(Number(version))
      ? readInteractions(interactions, context, false)
      : `it is a vcrpy cassette of version ${JSON.stringify(version)}; expected version 1`
  },
}

export const vcrReader: FormatReader = {
  name: 'VCR',
  expected: 'a cassette of Ruby\'s VCR ("http_interactions")',
  entries: ['http_interactions'],
  read(value, context) {
    const interactions = member(value, 'http_interactions')
    return Array.isArray(interactions)
      ? readInteractions(interactions, context, context.mayBeCut === true)
      : undefined
  },
}

/** What both wrote before 2012 and 2014, a list of interactions, each an object of the program itself: why it is not read. */
export const whyTooOld = (value: unknown): string | undefined =>
  Array.isArray(value) && member(value[0], 'request') !== undefined
    ? 'it is a cassette as vcrpy wrote it before 1.0, or VCR before 2.0; migrate it first, with python3 -m vcr.migration FILE or rake vcr:migrate_cassettes'
    : undefined

/** @param mayBeCut true where the last one may lack what its recorder writes last: the moment */
const readInteractions = (
  interactions: readonly unknown[],
  context: ImportContext,
  mayBeCut: boolean,
): Promise<readonly ImportedEntry[]> =>
  Promise.all(
    interactions.map((one, index) => {
      const isLast = mayBeCut && index === interactions.length - 1
      return isCutOff(one, interactions[index - 1], isLast)
        ? ({ kind: 'unusable', address: addressOf(one), why: 'the recording is cut off in it' } as const)
        : readInteraction(one, context, isLast ? '' : asText(member(one, 'recorded_at')))
    }),
  )

/** The moment is written last, in each or in none. */
const isCutOff = (one: unknown, before: unknown, isLast: boolean): boolean =>
  member(one, 'recorded_at') === undefined && (isLast || member(before, 'recorded_at') !== undefined)

const addressOf = (one: unknown): string =>
  asText(member(one, 'request', 'uri')) || asText(member(one, 'request', 'url'))

async function readInteraction(
  one: unknown,
  context: ImportContext,
  recorded: string,
): Promise<ImportedEntry> {
  const request = member(one, 'request')
  return toImportedEntry(
    {
      address: addressOf(one),
      method: asText(member(request, 'method')),
      headers: headersByName(headerPairs(member(request, 'headers'))),
      body: bodyOf(member(request, 'body')),
      answer: await responseOf(member(one, 'response')),
      moment: Date.parse(inUtc(recorded)),
    },
    context,
  )
}

/** A moment without a zone is one in UTC. */
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
  const body = why ?? (typeof rawBody === 'string' ? rawBody : await decodeBody(headers, rawBody))
  return toAnswer(statusOf(response), headers, body)
}

/** R's vcr keeps longer bodies as `memCompress(type = "gzip")` makes them, which is zlib's format. */
async function decompress(packed: string): Promise<Uint8Array | string> {
  const bytes = decodeBase64(packed)
  return typeof bytes === 'string' ? bytes : decompressBody(bytes, bytes[0] === 0x1f ? 'gzip' : 'deflate')
}

/** betamax puts U+FFFD where bytes were no text. Undefined where nothing speaks for that. */
function replacementDamage(body: unknown, headers: HeaderPairs): string | undefined {
  if (typeof body !== 'string' || !body.includes('\ufffd')) return undefined
  const isText = /^text\/|\b(?:json|xml|javascript|php\.serialized)\b/i.test(
    headerValue(headers, 'content-type'),
  )
  return isText ? undefined : 'its body was no text, and is kept as one'
}

/** `status` is an object, a number, or the whole status line; then the number stands beside it. */
const statusOf = (response: unknown): unknown =>
  member(response, 'status', 'code') ??
  member(response, 'status', 'status_code') ??
  member(response, 'status_code') ??
  member(response, 'code') ??
  member(response, 'status')

/** Of a response, which has a body even where that is empty. */
const responseBody = (body: unknown): Uint8Array | string =>
  body === undefined || body === null || member(body, 'string') === null || isEmpty(body)
    ? 'its body was not kept'
    : bodyOf(body)

const isEmpty = (body: unknown): boolean =>
  typeof body === 'object' && Object.keys(body ?? {}).length === 0 && !(body instanceof Uint8Array)

/** A body: the text itself, or an object that says how it is kept. */
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
  // VCR keeps a text as UTF-8 whatever it was, and names what it was.
  return value instanceof Uint8Array || utf8Names.has(encoding.toUpperCase())
    ? bodyBytes(value)
    : `its body was in ${encoding}, and is kept in UTF-8`
}

const utf8Names: ReadonlySet<string> = new Set(['UTF-8', 'UTF8', 'US-ASCII', 'ASCII', 'ASCII-8BIT'])

/** Up to version 5 vcrpy kept what httpx received less every byte that was not UTF-8; a whole answer in a format of the API has none. */
function httpxContent(content: unknown, headers: HeaderPairs, status: unknown): Uint8Array | string {
  const bytes = bodyBytes(content)
  const type = headerValue(headers, 'content-type')
  const leadsOn = content === '' && typeof status === 'number' && status >= 300 && status < 400
  return leadsOn || typeof bytes === 'string' || completenessOf(type, bytes) === 'whole'
    ? bytes
    : 'vcrpy may have dropped bytes of its body, as it did for httpx before version 6'
}
