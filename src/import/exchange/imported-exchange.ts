/** What other programs kept of a wiki: one request with its answer, whatever format it stands in. */
import { isUtf8 } from 'node:buffer'
import { readJson } from '../../json/read-json.ts'
import { decodeContent, isSupportedCoding } from '../../upstream/content-decoding.ts'
import { receivedHeaders } from '../../upstream/forwarded-headers.ts'
import { UpstreamError } from '../../upstream/upstream.ts'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import { completenessOf } from './body-completeness.ts'

/** One request with its answer. */
export interface ImportedExchange {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly answer: WikiAnswer
  /** When it was asked, in milliseconds. */
  readonly moment: number
  /** False where the recording does not tell when that was. */
  readonly isDated: boolean
  /** Which of those at one moment it was, where each stands in a file of its own. */
  readonly order: number
}

/** An exchange, or why its entry does not tell what was asked, or what the wiki said. */
export type ImportedEntry =
  | { readonly kind: 'exchange'; readonly exchange: ImportedExchange }
  | { readonly kind: 'unusable'; readonly address: string; readonly why: string }

/** Where and why a text holds no exchanges; line and column count from 1. */
export interface ImportFault {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** What a file does not say itself. */
export interface ImportContext {
  /** Stands for a moment that is not told. */
  readonly now: number
  /** The wiki's address, for recordings that name only paths. */
  readonly base?: string | undefined
  /** Bodies that lie in files of their own, by the name that the recording has for them. */
  readonly readBodyFile?: ((name: string) => Uint8Array | undefined) | undefined
  /** True where the last entry may be a part of itself: what stands behind all is not there. */
  readonly mayBeCut?: boolean
}

/** Reads what a format's files hold, already parsed. */
export interface FormatReader {
  readonly name: string
  /** The format, and what makes a file one of it. */
  readonly expected: string
  /** True where a file holds one exchange, so that a folder is what others have in a file. */
  readonly hasOneExchangePerFile?: boolean
  /** Names of the members that lead to the list of its entries: none where the file is that list; undefined where it is one entry. */
  readonly entries?: readonly string[]
  /** Undefined for what is of another format; a text says why it is of a version that is not known. */
  read(value: unknown, context: ImportContext): Promise<readonly ImportedEntry[]> | string | undefined
}

/** An entry as its format tells it; bodies are bytes, or why they are not known. */
export interface RawEntry {
  readonly address: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
  readonly answer: WikiAnswer | string
  /** NaN where it is not told. */
  readonly moment: number
  readonly order?: number
}

export function toImportedEntry(raw: RawEntry, { now }: ImportContext): ImportedEntry {
  const { address, moment } = raw
  const unusable = (why: string): ImportedEntry => ({ kind: 'unusable', address, why })
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return unusable('it has no http address')
  const url = new URL(address)
  const method = raw.method.toUpperCase()
  if (method !== 'GET' && method !== 'POST') return unusable(`its method is ${method || 'not told'}`)
  const body = method === 'POST' ? raw.body : new Uint8Array()
  if (typeof body === 'string') return unusable(body)
  const headers = { ...raw.headers, ...inferFormType(url, raw.headers, body) }
  if (body.length > 0 && !headers['content-type'])
    return unusable('the content type of its request was not kept')
  if (typeof raw.answer === 'string') return unusable(raw.answer)
  const answer = withJsonType(url, raw.answer)
  const time = [moment, Date.parse(answer.headers.get('date') ?? '')].find((one) => !Number.isNaN(one))
  const exchange = { url, method, headers, body, answer, order: raw.order ?? 0 } as const
  return { kind: 'exchange', exchange: { ...exchange, moment: time ?? now, isDated: time !== undefined } }
}

/** Where headers of requests are not kept: what reads as a form and was posted to an api.php was one. */
function inferFormType(
  { pathname }: URL,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Readonly<Record<string, string>> {
  if (headers['content-type'] || !pathname.endsWith('/api.php')) return {}
  const text = Buffer.from(body).toString('latin1')
  const [, boundary] = /^--([\w'()+,./:=?-]{1,70})\r\n/.exec(text) ?? []
  if (boundary !== undefined && text.trimEnd().endsWith(`\r\n--${boundary}--`))
    return { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  return /^[\w.~%+-]+=[^\s&]*(?:&[\w.~%+[\]-]+=[^\s&]*)*$/.test(text)
    ? { 'content-type': 'application/x-www-form-urlencoded' }
    : {}
}

/** Where headers of answers are not kept, as in what was written by hand: what an api.php says, and is JSON, was JSON. */
function withJsonType({ pathname }: URL, answer: WikiAnswer): WikiAnswer {
  if (answer.headers.has('content-type') || !pathname.endsWith('/api.php')) return answer
  const text = Buffer.from(answer.body).toString('utf8')
  if (!/^\s*[[{]/.test(text) || !readJson(text).ok) return answer
  return {
    ...answer,
    headers: new Map([...answer.headers, ['content-type', 'application/json; charset=utf-8']]),
  }
}

export type HeaderPairs = readonly (readonly [string, string])[]

/** Request headers by lower-case name, less the pseudo-headers of HTTP/2, which sends each cookie in a header of its own. */
export function headersByName(pairs: HeaderPairs): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [fieldName, value] of pairs) {
    if (fieldName === '' || fieldName.startsWith(':')) continue
    const name = fieldName.toLowerCase()
    const before = name === 'cookie' ? headers[name] : undefined
    headers[name] = before === undefined ? value : `${before}; ${value}`
  }
  return headers
}

/** The answer, or why it is not whole. @param body free of its content coding, or why it is not known */
export function toAnswer(
  status: unknown,
  pairs: HeaderPairs,
  body: Uint8Array | string,
): WikiAnswer | string {
  const code = typeof status === 'string' && /^\d{3}$/.test(status) ? Number(status) : status
  if (typeof code !== 'number' || !Number.isInteger(code) || code < 200 || code > 599)
    return 'it was not answered'
  if (code === 304) return 'the client had the answer, and the file does not'
  if (typeof body === 'string') return body
  const fields = pairs.map(([name, value]) => [name.toLowerCase(), value] as const)
  const headers = new Map<string, string[]>()
  for (const [name, value] of fields)
    if (!name.startsWith(':')) headers.set(name, [...(headers.get(name) ?? []), value])
  // Several cookies may stand in one header, a line each.
  const setCookies = fields.flatMap(([name, value]) => (name === 'set-cookie' ? value.split('\n') : []))
  return { status: code, headers: receivedHeaders(Object.fromEntries(headers)), setCookies, body }
}

/** The value of a response header, empty where there is none. */
export const headerValue = (pairs: HeaderPairs, wanted: string): string =>
  pairs.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''

/** Bytes of a decoded answer that are accepted at most. */
const maxBodyBytes = 256 * 1024 * 1024

/**
 * The body as it was before the server compressed it, or why it is not known. Some recorders keep what arrived, others
 * what their HTTP library made of it, and leave `Content-Encoding` as it was: what is text and no compressed data is
 * taken as decoded, what could be either is not taken.
 */
export async function decodeBody(pairs: HeaderPairs, bytes: Uint8Array): Promise<Uint8Array | string> {
  const coding = headerValue(pairs, 'content-encoding')
  const decoded = await decompressBody(bytes, coding)
  if (decoded === bytes) return checkWholeBody(pairs, bytes, Number(headerValue(pairs, 'content-length')))
  if (!isUtf8(bytes) || !isSupportedCoding(coding)) return decoded
  return typeof decoded === 'string'
    ? bytes
    : `its body may be content-encoding ${coding}, or decoded already`
}

/** The body, or why it is not whole. @param length as told: it may be that of a compressed body, so content counts more */
export function checkWholeBody(pairs: HeaderPairs, bytes: Uint8Array, length: number): Uint8Array | string {
  const type = headerValue(pairs, 'content-type')
  if (length > bytes.length && completenessOf(type, bytes) !== 'whole')
    return `its body has ${length} bytes, of which the file holds ${bytes.length}`
  const ends = /\b(?:xml|vnd\.php\.serialized)\b/i.test(type) && bytes.length > 0
  return ends && completenessOf(type, bytes) === 'broken'
    ? 'it does not end as its format does: a part of it is missing'
    : bytes
}

/** Bytes freed of their content coding, or why they are not of it. */
export async function decompressBody(bytes: Uint8Array, coding: string): Promise<Uint8Array | string> {
  try {
    return await decodeContent(bytes, coding, maxBodyBytes)
  } catch (error) {
    if (error instanceof UpstreamError) return error.message
    throw error
  }
}
