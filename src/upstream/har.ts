/**
 * HAR files: what a browser or another proxy saw of a wiki.
 * Source: http://www.softwareishard.com/blog/har-12-spec/
 */
import type { WikiAnswer } from '../wiki/answer.ts'
import { writeQuery } from '../wiki/params.ts'
import { receivedHeaders } from './headers.ts'

/** One request with its answer. */
export interface HarEntry {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly answer: WikiAnswer
  /** When it was asked, in milliseconds. */
  readonly moment: number
}

/** An entry, or why it does not tell what the wiki said. */
export type HarReading =
  | { readonly kind: 'entry'; readonly entry: HarEntry }
  | { readonly kind: 'lacking'; readonly url: string; readonly why: string }

/** Undefined for what is no HAR. @param now stands for a moment that is not told */
export function readHar(value: unknown, now: number): readonly HarReading[] | undefined {
  const log = at(value, 'log')
  const entries = at(log, 'entries')
  return Array.isArray(entries) ? entries.map((one) => readEntry(one, now)) : undefined
}

/** A member of what may be an object. */
const at = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function readEntry(one: unknown, now: number): HarReading {
  const [request, response] = [at(one, 'request'), at(one, 'response')]
  const address = text(at(request, 'url'))
  const lacking = (why: string): HarReading => ({ kind: 'lacking', url: address, why })
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return lacking('it has no http address')
  const method = text(at(request, 'method')).toUpperCase()
  if (method !== 'GET' && method !== 'POST') return lacking(`its method is ${method || 'not told'}`)
  const headers = headersOf(request)
  const body = method === 'POST' ? requestBody(at(request, 'postData'), headers) : new Uint8Array()
  if (typeof body === 'string') return lacking(body)
  const answer = answerOf(response)
  if (typeof answer === 'string') return lacking(answer)
  const moment = Date.parse(text(at(one, 'startedDateTime')))
  const entry = { url: new URL(address), method, headers, body, answer } as const
  return { kind: 'entry', entry: { ...entry, moment: Number.isNaN(moment) ? now : moment } }
}

/** Pairs of a list such as `headers` or `cookies`. */
const pairs = (value: unknown): readonly (readonly [string, string])[] =>
  list(value).map((one) => [text(at(one, 'name')), text(at(one, 'value'))])

/** Less the pseudo-headers of HTTP/2; with the cookies, where they stand only in a list of their own. */
function headersOf(request: unknown): Record<string, string> {
  const named = pairs(at(request, 'headers')).filter(([name]) => name !== '' && !name.startsWith(':'))
  const headers = Object.fromEntries(named.map(([name, value]) => [name.toLowerCase(), value]))
  const cookies = pairs(at(request, 'cookies')).map((pair) => pair.join('='))
  return headers['cookie'] === undefined && cookies.length > 0
    ? { ...headers, cookie: cookies.join('; ') }
    : headers
}

/** The bytes of a body, or why they are not known. */
function requestBody(postData: unknown, headers: Record<string, string>): Uint8Array | string {
  const type = (headers['content-type'] ?? text(at(postData, 'mimeType'))).toLowerCase()
  const body = text(at(postData, 'text'))
  if (type.startsWith('multipart/') && (body === '' || /filename/i.test(body)))
    return 'its file or form was not kept byte for byte'
  headers['content-type'] ??= text(at(postData, 'mimeType'))
  return Buffer.from(body === '' ? writeQuery(pairs(at(postData, 'params'))) : body)
}

/** The answer, or why it is not whole. */
function answerOf(response: unknown): WikiAnswer | string {
  const status = at(response, 'status')
  if (typeof status !== 'number' || status < 200 || status > 599) return 'it was not answered'
  if (status === 304) return 'the browser had the answer, and the file does not'
  const content = at(response, 'content')
  const [body, size] = [text(at(content, 'text')), at(content, 'size')]
  const bytes = Buffer.from(body, at(content, 'encoding') === 'base64' ? 'base64' : 'utf8')
  if (typeof size === 'number' && size > bytes.length)
    return `its body has ${size} bytes, of which the file holds ${bytes.length}`
  const named = pairs(at(response, 'headers')).map(([name, value]) => [name.toLowerCase(), value] as const)
  const headers = new Map(named.filter(([name]) => name !== 'set-cookie' && !name.startsWith(':')))
  if (!headers.has('content-type')) headers.set('content-type', text(at(content, 'mimeType')))
  // Several cookies may stand in one header, a line each.
  const setCookies = named.flatMap(([name, value]) => (name === 'set-cookie' ? value.split('\n') : []))
  return { status, headers: receivedHeaders(Object.fromEntries(headers)), setCookies, body: bytes }
}
