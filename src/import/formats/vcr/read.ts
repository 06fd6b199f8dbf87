/**
 * Cassettes of vcrpy, of Ruby's VCR and of those that took over its layout (R's vcr, betamax), and of go-vcr: an
 * interaction is a request and a response.
 * Sources: https://vcrpy.readthedocs.io/en/latest/usage.html and vcr/serialize.py, vcr/stubs/ of 4.2.1;
 * https://benoittgt.github.io/vcr/ and lib/vcr/structs.rb of 5.0; https://docs.ropensci.org/vcr/ 1.2;
 * https://betamax.readthedocs.io/en/latest/serializers.html; https://github.com/dnaeon/go-vcr, cassette/ of 2.0 and 3.0.
 */
import type { WikiAnswer } from '../../../wiki/answers/wiki-answer.ts'
import { wholeness } from '../../exchange/body-completeness.ts'
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
  uncompressed,
} from '../../exchange/imported-exchange.ts'
import { at, base64Of, bytesOf, Doubt, headerPairs, text } from '../../exchange/members.ts'

export const vcrpy: KeptFormat = {
  name: 'vcrpy',
  expected: 'a vcrpy cassette ("version: 1" and "interactions")',
  entries: ['interactions'],
  read(value, context) {
    const interactions = at(value, 'interactions')
    if (!Array.isArray(interactions)) return undefined
    const version = at(value, 'version') ?? 1
    // go-vcr calls an address `url`, and numbers its formats itself.
    const known = interactions.some((one) => at(one, 'request', 'url') !== undefined) ? [0, 1, 2] : [1]
    return known.includes(Number(version))
      ? readAll(interactions, context, false)
      : `it is a vcrpy cassette of version ${JSON.stringify(version)}; expected version 1`
  },
}

export const vcr: KeptFormat = {
  name: 'VCR',
  expected: 'a cassette of Ruby\'s VCR ("http_interactions")',
  entries: ['http_interactions'],
  read(value, context) {
    const interactions = at(value, 'http_interactions')
    return Array.isArray(interactions) ? readAll(interactions, context, context.mayBeCut === true) : undefined
  },
}

/** What both wrote before 2012 and 2014, a list of interactions, each an object of the program itself: why it is not read. */
export const tooOld = (value: unknown): string | undefined =>
  Array.isArray(value) && at(value[0], 'request') !== undefined
    ? 'it is a cassette as vcrpy wrote it before 1.0, or VCR before 2.0; migrate it first, with python3 -m vcr.migration FILE or rake vcr:migrate_cassettes'
    : undefined

/** @param mayBeCut true where the last one may lack what its recorder writes last: the moment */
const readAll = (
  interactions: readonly unknown[],
  context: KeptContext,
  mayBeCut: boolean,
): Promise<readonly KeptReading[]> =>
  Promise.all(
    interactions.map((one, index) => {
      const isLast = mayBeCut && index === interactions.length - 1
      return isCutOff(one, interactions[index - 1], isLast)
        ? ({ kind: 'lacking', address: addressOf(one), why: 'the recording is cut off in it' } as const)
        : readInteraction(one, context, isLast ? '' : text(at(one, 'recorded_at')))
    }),
  )

/** The moment is written last, in each or in none. */
const isCutOff = (one: unknown, before: unknown, isLast: boolean): boolean =>
  at(one, 'recorded_at') === undefined && (isLast || at(before, 'recorded_at') !== undefined)

const addressOf = (one: unknown): string => text(at(one, 'request', 'uri')) || text(at(one, 'request', 'url'))

async function readInteraction(one: unknown, context: KeptContext, recorded: string): Promise<KeptReading> {
  const request = at(one, 'request')
  return keptReading(
    {
      address: addressOf(one),
      method: text(at(request, 'method')),
      headers: headersOf(headerPairs(at(request, 'headers'))),
      body: bodyOf(at(request, 'body')),
      answer: await responseOf(at(one, 'response')),
      moment: Date.parse(inUtc(recorded)),
    },
    context,
  )
}

/** A moment without a zone is one in UTC. */
const inUtc = (moment: string): string =>
  /^\d{4}(?:-\d\d){2} \d\d(?::\d\d){2}$/.test(moment) ? `${moment}Z` : moment

async function responseOf(response: unknown): Promise<WikiAnswer | string> {
  const headers = headerPairs(at(response, 'headers'))
  const [httpx, packed] = [at(response, 'content'), text(at(response, 'body', 'raw_gzip'))]
  const kept =
    packed !== ''
      ? await unpacked(packed)
      : httpx === undefined
        ? keptBody(at(response, 'body'))
        : httpxContent(httpx, headers, statusOf(response))
  const why = replaced(at(response, 'body', 'string'), headers)
  const body = why ?? (typeof kept === 'string' ? kept : await decodedBody(headers, kept))
  return answerOf(statusOf(response), headers, body)
}

/** R's vcr keeps longer bodies as `memCompress(type = "gzip")` makes them, which is zlib's format. */
async function unpacked(packed: string): Promise<Uint8Array | string> {
  const bytes = base64Of(packed)
  return typeof bytes === 'string' ? bytes : uncompressed(bytes, bytes[0] === 0x1f ? 'gzip' : 'deflate')
}

/** betamax puts U+FFFD where bytes were no text. Undefined where nothing speaks for that. */
function replaced(kept: unknown, headers: Pairs): string | undefined {
  if (typeof kept !== 'string' || !kept.includes('\ufffd')) return undefined
  const isText = /^text\/|\b(?:json|xml|javascript|php\.serialized)\b/i.test(
    headerIn(headers, 'content-type'),
  )
  return isText ? undefined : 'its body was no text, and is kept as one'
}

/** `status` is an object, a number, or the whole status line; then the number stands beside it. */
const statusOf = (response: unknown): unknown =>
  at(response, 'status', 'code') ??
  at(response, 'status', 'status_code') ??
  at(response, 'status_code') ??
  at(response, 'code') ??
  at(response, 'status')

/** Of a response, which has a body even where that is empty. */
const keptBody = (body: unknown): Uint8Array | string =>
  body === undefined || body === null || at(body, 'string') === null || isEmpty(body)
    ? 'its body was not kept'
    : bodyOf(body)

const isEmpty = (body: unknown): boolean =>
  typeof body === 'object' && Object.keys(body ?? {}).length === 0 && !(body instanceof Uint8Array)

/** A body: the text itself, or an object that says how it is kept. */
function bodyOf(body: unknown): Uint8Array | string {
  if (typeof body !== 'object' || body === null || body instanceof Uint8Array || body instanceof Doubt)
    return bytesOf(body)
  const base64 = at(body, 'base64_string')
  if (typeof base64 === 'string') return base64Of(base64)
  const [kept, encoding] = [at(body, 'string'), text(at(body, 'encoding')) || 'UTF-8']
  if (at(body, 'file') === true || at(body, 'on_disk') !== undefined)
    return 'its body lies in a file of its own'
  if (kept === undefined && Object.keys(body).length > 0) return bytesOf(body)
  // VCR keeps a text as UTF-8 whatever it was, and names what it was.
  return kept instanceof Uint8Array || utf8Like.has(encoding.toUpperCase())
    ? bytesOf(kept)
    : `its body was in ${encoding}, and is kept in UTF-8`
}

const utf8Like: ReadonlySet<string> = new Set(['UTF-8', 'UTF8', 'US-ASCII', 'ASCII', 'ASCII-8BIT'])

/** Up to version 5 vcrpy kept what httpx received less every byte that was not UTF-8; a whole answer in a format of the API has none. */
function httpxContent(content: unknown, headers: Pairs, status: unknown): Uint8Array | string {
  const bytes = bytesOf(content)
  const type = headerIn(headers, 'content-type')
  const leadsOn = content === '' && typeof status === 'number' && status >= 300 && status < 400
  return leadsOn || typeof bytes === 'string' || wholeness(type, bytes) === 'whole'
    ? bytes
    : 'vcrpy may have dropped bytes of its body, as it did for httpx before version 6'
}
