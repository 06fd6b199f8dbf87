/**
 * Cassettes of vcrpy and of Ruby's VCR, which are alike: an interaction is a request and a response.
 * Sources: https://vcrpy.readthedocs.io/en/latest/usage.html and vcr/serialize.py, vcr/stubs/ of 4.2.1;
 * https://benoittgt.github.io/vcr/ and lib/vcr/structs.rb of 5.0.
 */
import type { WikiAnswer } from '../../wiki/answer.ts'
import {
  answerOf,
  decodedBody,
  headerIn,
  headersOf,
  type KeptFormat,
  type KeptReading,
  keptReading,
  type Pairs,
} from './exchange.ts'
import { at, base64Of, bytesOf, Doubt, headerPairs, text } from './member.ts'

export const vcrpy: KeptFormat = {
  expected: 'a vcrpy cassette ("version: 1" and "interactions")',
  read(value, now) {
    const interactions = at(value, 'interactions')
    if (!Array.isArray(interactions)) return undefined
    const version = at(value, 'version') ?? 1
    return version === 1
      ? readAll(interactions, now)
      : `it is a vcrpy cassette of version ${JSON.stringify(version)}; expected version 1`
  },
}

export const vcr: KeptFormat = {
  expected: 'a cassette of Ruby\'s VCR ("http_interactions")',
  read(value, now) {
    const interactions = at(value, 'http_interactions')
    return Array.isArray(interactions) ? readAll(interactions, now) : undefined
  },
}

/** What both wrote before 2012 and 2014: a list of interactions, each an object of the program itself. */
export const beforeVersions: KeptFormat = {
  expected: '',
  read: (value) =>
    Array.isArray(value) && at(value[0], 'request') !== undefined
      ? 'it is a cassette as vcrpy wrote it before 1.0, or VCR before 2.0; migrate it first, with python3 -m vcr.migration FILE or rake vcr:migrate_cassettes'
      : undefined,
}

const readAll = (interactions: readonly unknown[], now: number): Promise<readonly KeptReading[]> =>
  Promise.all(interactions.map((one) => readInteraction(one, now)))

async function readInteraction(one: unknown, now: number): Promise<KeptReading> {
  const request = at(one, 'request')
  return keptReading(
    {
      address: text(at(request, 'uri')),
      method: text(at(request, 'method')),
      headers: headersOf(headerPairs(at(request, 'headers'))),
      body: bodyOf(at(request, 'body')),
      answer: await responseOf(at(one, 'response')),
      moment: Date.parse(text(at(one, 'recorded_at'))),
    },
    now,
  )
}

async function responseOf(response: unknown): Promise<WikiAnswer | string> {
  const headers = headerPairs(at(response, 'headers'))
  const httpx = at(response, 'content')
  const kept = httpx === undefined ? bodyOf(at(response, 'body')) : httpxContent(httpx, headers)
  const body = typeof kept === 'string' ? kept : await decodedBody(headers, kept)
  return answerOf(at(response, 'status', 'code') ?? at(response, 'status_code'), headers, body)
}

/** A body: the text itself, or an object that says how it is kept. */
function bodyOf(body: unknown): Uint8Array | string {
  if (typeof body !== 'object' || body === null || body instanceof Uint8Array || body instanceof Doubt)
    return bytesOf(body)
  const base64 = at(body, 'base64_string')
  if (typeof base64 === 'string') return base64Of(base64)
  const [kept, encoding] = [at(body, 'string'), at(body, 'encoding') ?? 'UTF-8']
  if (kept === undefined && Object.keys(body).length > 0) return bytesOf(body)
  // VCR keeps a text as UTF-8 whatever it was, and names what it was.
  return kept instanceof Uint8Array || utf8Like.has(String(encoding))
    ? bytesOf(kept)
    : `its body was in ${String(encoding)}, and is kept in UTF-8`
}

const utf8Like: ReadonlySet<string> = new Set(['UTF-8', 'US-ASCII', 'ASCII-8BIT'])

/** Up to version 5 vcrpy kept what httpx received less every byte that was not UTF-8; JSON has none. */
function httpxContent(content: unknown, headers: Pairs): Uint8Array | string {
  return /^application\/json\b/i.test(headerIn(headers, 'content-type'))
    ? bytesOf(content)
    : 'vcrpy may have dropped bytes of its body, as it did for httpx before version 6'
}
