/**
 * Tapes of talkback: one exchange a file.
 * Sources: https://github.com/ijpiantanida/talkback; tape.ts and tape-renderer.ts of 4.2.0.
 */
import { readJson } from '../../json/read.ts'
import { type Spelling, writeCompact } from '../../json/write.ts'
import type { WikiAnswer } from '../../wiki/answer.ts'
import { envelopeOf } from '../../wiki/envelope.ts'
import { mergeParams, parseUrlencoded } from '../../wiki/params.ts'
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
import { at, base64Of, headerPairs, text } from './member.ts'

export const talkback: KeptFormat = {
  expected: 'a tape of talkback ("meta", "req" and "res")',
  read(value, now) {
    const [meta, req, res] = [at(value, 'meta'), at(value, 'req'), at(value, 'res')]
    return [meta, req, res].every((one) => typeof one === 'object' && one !== null)
      ? readTape(meta, req, res, now).then((one) => [one])
      : undefined
  },
}

async function readTape(meta: unknown, req: unknown, res: unknown, now: number): Promise<KeptReading> {
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
    now,
  )
}

/** A body that is kept in base64, or why it is not known. */
const encodedBody = (body: unknown): Uint8Array | string =>
  typeof body === 'string' ? base64Of(body) : 'its body is no text'

const isJson = (type: string): boolean =>
  /^application\/(?:json|graphql|x-amz-json-1\.[01]|[^;\s]+\+json)\s*(?:;|$)/i.test(type)

/** The bytes of a request, or why they are not known: those of JSON are not kept. */
function requestBody(meta: unknown, req: unknown, headers: Record<string, string>): Uint8Array | string {
  const body = at(req, 'body')
  if (!at(meta, 'reqHumanReadable')) return encodedBody(body)
  return typeof body === 'string' && !isJson(headers['content-type'] ?? '')
    ? Buffer.from(body)
    : 'talkback kept the values of its request, not the bytes'
}

/** How the wiki spells JSON for this request; undefined where it is not asked for bare JSON of api.php. */
function spellingOf(
  address: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Spelling | undefined {
  if (!URL.canParse(address)) return undefined
  const { pathname, search } = new URL(address)
  const form = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
    ? Buffer.from(body).toString('latin1')
    : ''
  const envelope = envelopeOf(mergeParams(parseUrlencoded(form), parseUrlencoded(search.slice(1))))
  return pathname.endsWith('/api.php') && envelope.kind === 'bare' ? envelope.spelling : undefined
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
  if (candidate.why !== undefined) return candidate.why
  const bytes = Buffer.from(candidate.text)
  return length === '' || Number(length) === bytes.length
    ? bytes
    : `its body had ${length} bytes, and has ${bytes.length} as talkback kept it`
}

/** What the body may have been. */
type Candidate = { readonly text: string; readonly why?: undefined } | { readonly why: string }

/** talkback decodes as UTF-8, with U+FFFD for what is none. @param measured true where its length will be checked */
function readableText(body: unknown, measured: boolean): Candidate {
  if (typeof body !== 'string') return { why: 'its body is no text' }
  return !measured && body.includes('\ufffd')
    ? { why: 'its body may not have been UTF-8, of which talkback keeps no bytes' }
    : { text: body }
}

/**
 * talkback keeps the values of JSON. The bytes follow where MediaWiki's spelling is known, no members can have changed
 * places, and every number is spelled in one way only, or the length confirms them.
 */
function jsonText(body: unknown, spelling: Spelling | undefined, measured: boolean): Candidate {
  if (body === undefined) return { why: 'its body was not kept' }
  if (typeof body === 'string')
    return measured ? { text: body } : { why: 'its JSON is kept as a text that may be a part of it' }
  if (spelling === undefined) return { why: 'talkback kept the values of its JSON, not the bytes' }
  const why = lossIn(body, measured, 0)
  if (why !== undefined) return { why }
  const reading = readJson(JSON.stringify(body))
  return reading.ok ? { text: writeCompact(reading.tree, spelling) } : { why: reading.fault.message }
}

/** Levels of JSON that are looked into: PHP writes 512 at most. */
const deepest = 600

/** Why a value, which went through JSON.parse, does not tell how it was written. */
function lossIn(value: unknown, measured: boolean, depth: number): string | undefined {
  if (depth > deepest) return 'its JSON is nested too deeply'
  if (typeof value === 'number' && !isSpelledOnce(value, measured))
    return `its JSON has the number ${value}, which may have been spelled in another way`
  if (typeof value !== 'object' || value === null) return undefined
  const names = Array.isArray(value) ? [] : Object.keys(value)
  const moved = names.length > 1 ? names.find((name) => isArrayIndex(name)) : undefined
  if (moved !== undefined)
    return `its JSON has members by number ("${moved}"), whose order talkback does not keep; formatversion=2 has lists there`
  for (const inner of Object.values(value)) {
    const why = lossIn(inner, measured, depth + 1)
    if (why !== undefined) return why
  }
  return undefined
}

/**
 * True where PHP and JavaScript write a number alike. PHP has written fractions with more digits than they need, but
 * never with fewer, so that the length of the whole tells; beyond these bounds it writes exponents.
 */
const isSpelledOnce = (value: number, measured: boolean): boolean =>
  Math.abs(value) < 1e15 && (Number.isInteger(value) || (measured && Math.abs(value) >= 1e-4))

/** Names that JavaScript puts in front, in numeric order. Source: ECMAScript, OrdinaryOwnPropertyKeys */
const isArrayIndex = (name: string): boolean =>
  /^(?:0|[1-9]\d{0,9})$/.test(name) && Number(name) < 2 ** 32 - 1
