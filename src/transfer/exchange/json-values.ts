/**
 * Members of parsed values, and bodies of which a recorder kept the values of JSON, not the text: JSON.parse moves numeric
 * member names and loses the spelling of numbers (docs/decisions/0011-json-that-talkback-kept.md).
 */
import {
  isPlainObject,
  type PlainObject,
  plainText
} from '../../recorder/json/plain-json.ts'
import { readJson } from '../../recorder/json/read-json.ts'
import { type Spelling, writeCompact } from '../../recorder/json/write-json.ts'
import { envelopeOf } from '../../recorder/wiki/answers/envelope.ts'
import {
  mergeParams,
  parseUrlencoded
} from '../../recorder/wiki/parameters/request-params.ts'
import type { BytesOrWhy, HeaderPairs } from './imported-answer.ts'

export const isJsonType = (type: string): boolean =>
  /^application\/(?:json|graphql|x-amz-json-1\.[01]|[^;\s]+\+json)\s*(?:;|$)/i.test(type)

/** MediaWiki's spelling of JSON for a request; undefined if it is not for bare JSON of api.php. */
export function expectedSpelling(
  address: string,
  body: BytesOrWhy,
  contentType: string = 'application/x-www-form-urlencoded'
): Spelling | undefined {
  if (typeof body === 'string' || !URL.canParse(address)) return undefined
  const { pathname, search } = new URL(address)
  const form = /^application\/x-www-form-urlencoded\b/i.test(contentType)
    ? Buffer.from(body).toString('latin1')
    : ''
  const envelope = envelopeOf(
    mergeParams(parseUrlencoded(form), parseUrlencoded(search.slice(1)))
  )
  return pathname.endsWith('/api.php') && envelope.kind === 'bare'
    ? envelope.spelling
    : undefined
}

/** The length of a body as its recorder wrote it; empty if it did not. */
interface RecordedLength {
  readonly length: string
  readonly recorder: string
}

/** The bytes of a text, or why they are not known: recorders decode as UTF-8, with U+FFFD for invalid bytes. */
export function bytesOfText(body: unknown, recorded: RecordedLength): BytesOrWhy {
  if (typeof body !== 'string') return 'its body is not text'
  return recorded.length === '' && body.includes('\ufffd')
    ? 'its body may not have been UTF-8, and its bytes were not recorded'
    : requireLength(Buffer.from(body), recorded)
}

/**
 * The bytes of JSON, or why they are not known. They follow if MediaWiki's spelling is known, no members can have changed
 * places, and every number has one spelling only, or the length confirms it.
 */
export const bytesOfJson = (
  body: unknown,
  spelling: Spelling | undefined,
  recorded: RecordedLength
): BytesOrWhy =>
  requireLength(writtenJson(body, spelling, recorded.length !== ''), recorded)

function writtenJson(
  body: unknown,
  spelling: Spelling | undefined,
  isLengthKnown: boolean
) {
  if (body === undefined) return 'its body was not recorded'
  if (typeof body === 'string')
    return isLengthKnown || readJson(body).ok
      ? Buffer.from(body)
      : 'its JSON is recorded as text that is incomplete'
  if (spelling === undefined) return 'the values of its JSON were recorded, not the bytes'
  const why = findLoss(body, isLengthKnown, 0)
  if (why !== undefined) return why
  const reading = readJson(JSON.stringify(body))
  return reading.ok
    ? Buffer.from(writeCompact(reading.tree, spelling))
    : reading.fault.message
}

/** The bytes, or why they are not those that were sent. */
const requireLength = (bytes: BytesOrWhy, { length, recorder }: RecordedLength) =>
  length === '' || typeof bytes === 'string' || Number(length) === bytes.length
    ? bytes
    : `its body had ${length} bytes, and has ${bytes.length} as ${recorder} recorded it`

const maxJsonDepth = 600

/** Why the text of a parsed value is not known. */
function findLoss(
  value: unknown,
  isLengthKnown: boolean,
  depth: number
): string | undefined {
  if (depth > maxJsonDepth) return 'its JSON is nested too deeply'
  if (typeof value === 'number' && !hasOneSpelling(value, isLengthKnown))
    return `its JSON has the number ${value}, which may have been spelled in another way`
  if (typeof value !== 'object' || value === null) return undefined
  const names = Array.isArray(value) ? [] : Object.keys(value)
  const moved = names.length > 1 ? names.find((name) => isArrayIndex(name)) : undefined
  if (moved !== undefined)
    return `its JSON has members by number ("${moved}"), whose order was not recorded; formatversion=2 has lists there`
  for (const inner of Object.values(value)) {
    const why = findLoss(inner, isLengthKnown, depth + 1)
    if (why !== undefined) return why
  }
  return undefined
}

/**
 * True if PHP and JavaScript write a number alike. PHP has written fractions with too many digits, but never with
 * too few, so that the length decides; beyond these bounds it writes exponents.
 */
const hasOneSpelling = (value: number, isLengthKnown: boolean) =>
  Math.abs(value) < 1e15 &&
  (Number.isInteger(value) || (isLengthKnown && Math.abs(value) >= 1e-4))

/** Names that JavaScript moves to the front, in numeric order. Source: ECMAScript, OrdinaryOwnPropertyKeys */
const isArrayIndex = (name: string) =>
  /^(?:0|[1-9]\d{0,9})$/.test(name) && Number(name) < 2 ** 32 - 1

/** The members of a parsed object; none of anything else. */
export const fieldsOf = (value: unknown): PlainObject =>
  isPlainObject(value) ? value : {}

export const member = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => fieldsOf(inner)[name], value)

/** In place of a text that is not known for certain. */
export class UncertainText {
  readonly why: string
  constructor(why: string) {
    this.why = why
  }
}

/** The bytes of a body kept as text or bytes, or why they are not known. */
export function recordedBytes(value: unknown): BytesOrWhy {
  if (value === undefined || value === null) return new Uint8Array()
  if (value instanceof Uint8Array) return value
  if (value instanceof UncertainText) return value.why
  if (typeof value !== 'string') return 'its body is neither text nor bytes'
  return value.isWellFormed() ? Buffer.from(value) : 'its body contains half a character'
}

/** The bytes of a text in base64, or why they are not known. Source: RFC 4648, 4 */
export function decodeBase64(value: unknown): BytesOrWhy {
  if (typeof value !== 'string') return 'its body is not text'
  const digits = value.replace(/\s+/g, '')
  return digits.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(digits)
    ? Buffer.from(digits, 'base64')
    : 'its body is not in base64 as it says'
}

/** Pairs out of an object whose members are texts or lists of texts. */
export const headerPairs = (value: unknown): HeaderPairs =>
  Object.entries(fieldsOf(value)).flatMap(([name, one]) =>
    [one]
      .flat()
      .map((each) => [name, typeof each === 'number' ? `${each}` : plainText(each)])
  )
