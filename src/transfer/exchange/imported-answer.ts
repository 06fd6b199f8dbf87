/** Headers and answers as recorders keep them: encoded, decoded or cut off. */
import { isUtf8 } from 'node:buffer'
import { readJson } from '../../recorder/json/read-json.ts'
import { groupBy } from '../../recorder/text/group-by.ts'
import {
  decodeContent,
  isSupportedCoding,
  receivedHeaders
} from '../../recorder/upstream/forwarded-headers.ts'
import { UpstreamError } from '../../recorder/upstream/upstream.ts'
import { mapPhpStrings } from '../../recorder/wiki/answers/php-serialized.ts'
import type { WikiAnswer } from '../../recorder/wiki/answers/wiki-answer.ts'

/** The bytes of a body, or why they are not known. */
export type BytesOrWhy = Uint8Array | string
export type HeaderPairs = readonly (readonly [string, string])[]

/** Request headers by lower-case name, without HTTP/2's pseudo-headers; its several `cookie` headers joined. */
export function headerRecord(pairs: HeaderPairs): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [fieldName, value] of pairs) {
    if (fieldName === '' || fieldName.startsWith(':')) continue
    const name = fieldName.toLowerCase()
    const before = name === 'cookie' ? headers[name] : undefined
    headers[name] = before === undefined ? value : `${before}; ${value}`
  }
  return headers
}

/** The answer, or why it is not whole. @param body decoded, or why it is not known */
export function toAnswer(
  status: unknown,
  pairs: HeaderPairs,
  body: BytesOrWhy
): WikiAnswer | string {
  const code =
    typeof status === 'string' && /^\d{3}$/.test(status) ? Number(status) : status
  if (typeof code !== 'number' || !Number.isInteger(code) || code < 200 || code > 599)
    return 'it was not answered'
  if (code === 304) return 'its answer is not in the file'
  if (typeof body === 'string') return body
  const fields = pairs.map(([name, value]) => [name.toLowerCase(), value] as const)
  const headers = headerLists(fields.filter(([name]) => !name.startsWith(':')))
  // One header may hold several cookies, a line each.
  const setCookies = fields.flatMap(([name, value]) =>
    name === 'set-cookie' ? value.split('\n') : []
  )
  return {
    status: code,
    headers: receivedHeaders(headers),
    setCookies,
    body
  }
}

/** Headers by name, each with its values. */
export function headerLists(
  headers: HeaderPairs
): Readonly<Record<string, readonly string[]>> {
  const lists = [...groupBy(headers, ([name]) => name)]
  return Object.fromEntries(
    lists.map(([name, pairs]) => [name, pairs.map(([, value]) => value)])
  )
}

/** Empty if there is none. */
export const headerValue = (pairs: HeaderPairs, wanted: string): string =>
  pairs.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''

export const isCoded = (pairs: HeaderPairs): boolean =>
  !['', 'identity'].includes(headerValue(pairs, 'content-encoding'))

const maxBodyBytes = 256 * 1024 * 1024

/**
 * The decoded body, or why it is not known. Some recorders keep what arrived, others what their HTTP library decoded,
 * with `Content-Encoding` unchanged: text that is no compressed data counts as decoded, what could be either is refused.
 */
export async function decodeBody(
  pairs: HeaderPairs,
  bytes: Uint8Array
): Promise<BytesOrWhy> {
  const coding = headerValue(pairs, 'content-encoding')
  const decoded = await decompressBody(bytes, coding)
  if (decoded === bytes)
    return checkWholeBody(pairs, bytes, Number(headerValue(pairs, 'content-length')))
  if (!isUtf8(bytes) || !isSupportedCoding(coding)) return decoded
  return typeof decoded === 'string'
    ? bytes
    : `its body may be content-encoding ${coding}, or decoded already`
}

/** The body, or why it is not whole. @param length may be that of the compressed body, so content counts more */
export function checkWholeBody(
  pairs: HeaderPairs,
  bytes: Uint8Array,
  length: number
): BytesOrWhy {
  const type = headerValue(pairs, 'content-type')
  if (length > bytes.length && completenessOf(type, bytes) !== 'whole')
    return `its body has ${length} bytes, but the file has ${bytes.length}`
  const ends = /\b(?:xml|vnd\.php\.serialized)\b/i.test(type) && bytes.length > 0
  return ends && completenessOf(type, bytes) === 'broken'
    ? 'it does not end as its format does: a part of it is missing'
    : bytes
}

export async function decompressBody(
  bytes: Uint8Array,
  coding: string
): Promise<BytesOrWhy> {
  try {
    return await decodeContent(bytes, coding, maxBodyBytes)
  } catch (error) {
    if (error instanceof UpstreamError) return error.message
    throw error
  }
}

/** `unknown` for formats without an end. @param type the value of `Content-Type` */
export function completenessOf(
  type: string,
  bytes: Uint8Array
): 'whole' | 'broken' | 'unknown' {
  const isWhole = endChecks.find(([media]) => media.test(type))?.[1]
  if (!isWhole) return 'unknown'
  return isWhole(Buffer.from(bytes).toString('utf8').trim()) ? 'whole' : 'broken'
}

type EndCheck = (text: string) => boolean

const isWholeXml: EndCheck = (text) => {
  const root =
    /^(?:\ufeff|<\?[^>]{0,1000}\?>|<!(?:--[\s\S]{0,10000}?--|[^>]{0,1000})>|\s){0,20}<([\w:.-]{1,100})/.exec(
      text
    )?.[1]
  return (
    root !== undefined &&
    (text.endsWith(`</${root}>`) ||
      (/\/>$/.test(text) && text.lastIndexOf('<') === text.indexOf(`<${root}`)))
  )
}

const endChecks: readonly (readonly [RegExp, EndCheck])[] = [
  [/^application\/(?:\w[\w.-]*\+)?json\b/i, (text) => readJson(text).ok],
  [/^(?:text|application|image)\/(?:\w[\w.-]*\+)?xml\b/i, isWholeXml],
  [
    /^application\/vnd\.php\.serialized\b/i,
    (text) => mapPhpStrings(text, (value) => value) !== undefined
  ],
  [/^text\/html\b/i, (text) => /<\/html>$/i.test(text)],
  [
    /^text\/javascript\b/i,
    (text) => /^(?:\/\*\*\/)?[\w.$[\]'"]{1,200}\([\s\S]*\);?$/.test(text)
  ]
]
