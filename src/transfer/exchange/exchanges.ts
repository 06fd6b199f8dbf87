/** Exchanges, one request with its answer each: as they come from the formats of other programs, and as writers get them. */
import { plainText } from '../../recorder/json/plain-json.ts'
import { readJson } from '../../recorder/json/read-json.ts'
import type { WikiAnswer } from '../../recorder/wiki/answers/wiki-answer.ts'
import { bundledLookup } from '../../recorder/wiki/modules/module-descriptions.ts'
import {
  mergeParams,
  parseUrlencoded
} from '../../recorder/wiki/parameters/request-params.ts'
import {
  type BytesOrWhy,
  decodeBody,
  type HeaderPairs,
  headerRecord,
  toAnswer
} from './imported-answer.ts'

export interface ImportedExchange {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly answer: WikiAnswer
  /** Time of the request, in milliseconds. */
  readonly moment: number
  /** False if the recording has no time. */
  readonly isDated: boolean
  /** Among exchanges of the same time, each in its own file. */
  readonly order: number
}

/** An entry without a whole request or answer. */
interface UnusableEntry {
  readonly kind: 'unusable'
  readonly address: string
  readonly why: string
}

export type ImportedEntry =
  | {
      readonly kind: 'exchange'
      readonly address: string
      readonly exchange: ImportedExchange
    }
  | UnusableEntry

/** What the file itself does not contain. */
export interface ImportContext {
  /** The time of exchanges without one. */
  readonly now: number
  /** The wiki's origin, for recordings with paths only. */
  readonly base?: string | undefined
  /** Reads a body in a file of its own, by the name in the recording. */
  readonly readBodyFile?: ((name: string) => Uint8Array | undefined) | undefined
}

/** Reads the parsed files of a format. */
export interface FormatReader {
  /** The format, and how a file of it is recognised, for messages. */
  readonly expected: string
  /** True if a file holds one exchange, and a folder the whole recording. */
  readonly hasOneExchangePerFile?: boolean
  /** Undefined for another format; a text says why a version is not supported. */
  read(
    value: unknown,
    context: ImportContext
  ): readonly (Promise<RawEntry> | RawEntry)[] | string | undefined
}

/** An entry as its format has it; bodies are bytes, or why they are not known. */
export type RawEntry = UnusableEntry | RawExchange

interface RawExchange {
  readonly address: string
  readonly method: unknown
  readonly headers: HeaderPairs
  readonly body: BytesOrWhy
  readonly status: unknown
  readonly answerHeaders: HeaderPairs
  readonly answerBody: BytesOrWhy
  /** True if the answer's body is decoded, whatever its headers say. */
  readonly isDecoded?: boolean
  readonly moment?: number
  readonly order?: number
}

export const isApiUrl = ({ pathname }: URL): boolean => pathname.endsWith('/api.php')

export async function toImportedEntry(
  raw: RawEntry,
  { now }: ImportContext
): Promise<ImportedEntry> {
  if ('kind' in raw) return raw
  const { address, moment = Number.NaN, answerHeaders, answerBody } = raw
  const unusable = (why: string): ImportedEntry => ({ kind: 'unusable', address, why })
  if (!/^https?:/i.test(address) || !URL.canParse(address))
    return unusable('it has no http address')
  const url = new URL(address)
  const method = plainText(raw.method).toUpperCase()
  if (method !== 'GET' && method !== 'POST')
    return unusable(`its method is ${method || 'unknown'}`)
  const body = method === 'POST' ? raw.body : new Uint8Array()
  if (typeof body === 'string') return unusable(body)
  const sent = headerRecord(raw.headers)
  const headers = { ...sent, ...inferFormType(url, sent, body) }
  if (body.length > 0 && !headers['content-type'])
    return unusable('the content type of its request was not recorded')
  const decoded =
    raw.isDecoded || typeof answerBody === 'string'
      ? answerBody
      : await decodeBody(answerHeaders, answerBody)
  const received = toAnswer(raw.status, answerHeaders, decoded)
  if (typeof received === 'string') return unusable(received)
  const answer = withJsonType(url, received)
  const time = [moment, Date.parse(answer.headers.get('date') ?? '')].find(
    (one) => !Number.isNaN(one)
  )
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(
    headers['content-type'] ?? ''
  )
  const exchange = {
    url,
    method,
    headers,
    body:
      isForm && isApiUrl(url)
        ? Buffer.from(
            withFilteredSecrets(
              url,
              Buffer.from(body).toString('latin1'),
              Buffer.from(answer.body).toString('utf8')
            ),
            'latin1'
          )
        : body,
    answer,
    order: raw.order ?? 0,
    moment: time ?? now,
    isDated: time !== undefined
  } as const
  return { kind: 'exchange', address: url.href, exchange }
}

/** For recorders that drop request headers: what reads as a form and was posted to an api.php was one. */
function inferFormType(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array
) {
  if (headers['content-type'] || !isApiUrl(url)) return {}
  const text = Buffer.from(body).toString('latin1')
  const [, boundary] = /^--([\w'()+,./:=?-]{1,70})\r\n/.exec(text) ?? []
  if (boundary !== undefined && text.trimEnd().endsWith(`\r\n--${boundary}--`))
    return { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  return /^[\w.~%+-]+=[^\s&]*(?:&[\w.~%+[\]-]+=[^\s&]*)*$/.test(text)
    ? { 'content-type': 'application/x-www-form-urlencoded' }
    : {}
}

/** For recordings without response headers, e.g. written by hand: JSON of an api.php is JSON. */
function withJsonType(url: URL, answer: WikiAnswer) {
  if (answer.headers.has('content-type') || !isApiUrl(url)) return answer
  const text = Buffer.from(answer.body).toString('utf8')
  if (!/^\s*[[{]/.test(text) || !readJson(text).ok) return answer
  const type = ['content-type', 'application/json; charset=utf-8'] as const
  return { ...answer, headers: new Map([...answer.headers, type]) }
}

export interface ExportedExchange {
  readonly url: URL
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
}

/** Writes one text; or texts by file name, if each exchange has a file. */
export interface FormatWriter {
  readonly name: string
  readonly hasOneExchangePerFile?: boolean
  /** @param day of the recording, as `2026-01-31` */
  write(
    exchanges: readonly ExportedExchange[],
    day: string,
    version: string
  ): string | ReadonlyMap<string, string>
}

export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** In their place: of a token the form counts. */
const filteredPassword = 'filtered-out-by-the-recorder'
const filteredToken = `${'f17e4ed0'.repeat(5)}%2B%5C`

/** The form with what is missing. @param answer the text of the wiki's answer */
function withFilteredSecrets(url: URL, form: string, answer: string) {
  const params = mergeParams(parseUrlencoded(form), parseUrlencoded(url.search.slice(1)))
  const needed = neededSecrets(params.get('action') ?? '', answer)
  const missing = needed.filter((name) => !params.has(name))
  return [form, ...missing.map(pairFor)].join('&')
}

const pairFor = (name: string) =>
  `${name}=${name === 'lgpassword' ? filteredPassword : filteredToken}`

function neededSecrets(action: string, answer: string) {
  if (action === 'login' && /"NeedToken"/.test(answer)) return ['lgpassword']
  if (action === 'login') return /"Success"/.test(answer) ? ['lgpassword', 'lgtoken'] : []
  if (/^\s*\{\s*"errors?"|<error /.test(answer)) return []
  const { parameters } = bundledLookup(undefined)(action) ?? {}
  return parameters?.get('token')?.tokenType === undefined ? [] : ['token']
}
