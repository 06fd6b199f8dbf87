/** One interaction as the text of one file, and back (docs/cassette-format.md). */

import {
  itemsOf,
  type JsonTree,
  jsonArray,
  jsonLiteral,
  jsonObject,
  jsonString,
  memberOf,
} from '../../json/json-tree.ts'
import { isPlainObject, type PlainObject, parsePlain, tryParsePlain } from '../../json/plain-json.ts'
import { type JsonFault, readJson } from '../../json/read-json.ts'
import { defaultLimits } from '../../json/tokenizer.ts'
import { type Spelling, writePretty } from '../../json/write-json.ts'
import { requestKey, sortCanonical } from '../../request/request-key.ts'
import { utf8Text } from '../../wiki/answers/wiki-answer.ts'
import { selectSessionCookies } from '../../wiki/cookies/session-cookies.ts'
import { findUnsendable } from '../header-values.ts'
import type { Interaction, RecordedBody, RecordedCookie, RecordedResponse } from '../interaction.ts'
import { lazyJsonBody } from '../recorded-body.ts'

/** Binary bodies beyond this many bytes lie in a file of their own beside the interaction's. */
export const maxInlineBytes = 65_536
/**
 * So do texts beyond this many characters: inside of JSON they cost a server that replays them ten times as much time
 * (docs/decisions/0077).
 */
export const maxInlineCharacters = 1_048_576

/** Where the file of a large body lies, told by the store. */
export interface BodyFileReader {
  read(name: string): Uint8Array | undefined
}

/** The text of an interaction's file; `beside` are the bodies that go into files of their own, by name. */
export interface EncodedInteraction {
  readonly text: string
  readonly bodyFiles: ReadonlyMap<string, Uint8Array>
}

/** @param stem name of the interaction's file without `.json`, for the names of files beside it */
export function encodeInteraction(interaction: Omit<Interaction, 'key'>, stem: string): EncodedInteraction {
  const responses = interaction.responses.map((response, at) =>
    encodeResponse(response, bodyFileName(stem, at)),
  )
  const tree = jsonObject([
    ...(interaction.sentValues.size === 0 ? [] : ([['asked', encodeMap(interaction.sentValues)]] as const)),
    ...encodeFalseAlarms(interaction.falseAlarms),
    ['request', encodeMap(interaction.request)],
    ['responses', jsonArray(responses)],
  ])
  return { text: `${writePretty(tree)}\n`, bodyFiles: encodeBodyFiles(interaction.responses, stem) }
}

const bodyFileName = (stem: string, at: number): string => `${stem}.${at}.bin`

/** The bodies that lie in files of their own, by name; `stem` as for `encodeInteraction`. */
export const encodeBodyFiles = (
  responses: readonly RecordedResponse[],
  stem: string,
): ReadonlyMap<string, Uint8Array> =>
  new Map(
    responses.flatMap(({ body }, at) => {
      if (body.kind === 'json' || !needsOwnFile(body)) return []
      return [[bodyFileName(stem, at), body.kind === 'text' ? Buffer.from(body.text) : body.bytes] as const]
    }),
  )

/** A text that UTF-8 cannot hold (half of a pair, by somebody's hand) stays in JSON, which can. */
const needsOwnFile = (body: Exclude<RecordedBody, { kind: 'json' }>): boolean =>
  body.kind === 'text'
    ? body.text.length > maxInlineCharacters && body.text.isWellFormed()
    : body.bytes.length > maxInlineBytes

/** The bodies that cannot be read in the text of the interaction's file: bytes, and texts that lie beside it. */
export const bodiesOutsideText = (responses: readonly RecordedResponse[]): readonly (string | Uint8Array)[] =>
  responses.flatMap(({ body }): readonly (string | Uint8Array)[] => {
    if (body.kind === 'binary') return [body.bytes]
    return body.kind === 'text' && needsOwnFile(body) ? [body.text] : []
  })

const encodeFalseAlarms = (falseAlarms: readonly string[] = []): readonly (readonly [string, JsonTree])[] =>
  falseAlarms.length === 0 ? [] : [['judged', jsonArray(falseAlarms.map(jsonString))]]

const encodeMap = (map: ReadonlyMap<string, string>): JsonTree =>
  jsonObject(
    [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, jsonString(value)] as const),
  )

function encodeResponse(response: RecordedResponse, name: string): JsonTree {
  const cookies = response.cookies.map(encodeCookie)
  const [kind, body] = encodeBody(response.body, name)
  const spelling = 'spelling' in response.body ? response.body.spelling : undefined
  const members: [string, JsonTree][] = [
    [kind, body],
    ['headers', encodeMap(response.headers)],
    ['status', jsonLiteral(response.status)],
  ]
  if (cookies.length > 0) members.push(['cookies', jsonArray(cookies)])
  if (spelling !== undefined) members.push(['spelling', jsonString(spelling)])
  return jsonObject(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function encodeBody(body: RecordedBody, name: string): readonly [string, JsonTree] {
  if (body.kind === 'json') return ['json', body.tree]
  const inOwnFile = needsOwnFile(body)
  if (body.kind === 'text')
    return inOwnFile
      ? ['textFile', jsonString(name)]
      : ['lines', jsonArray(splitLines(body.text).map(jsonString))]
  return inOwnFile
    ? ['file', jsonString(name)]
    : ['base64', jsonString(Buffer.from(body.bytes).toString('base64'))]
}

/** Lines with their line feeds, so that joining them gives the text back. */
const splitLines = (text: string): readonly string[] => text.split(/(?<=\n)/)

const encodeCookie = (cookie: RecordedCookie): JsonTree =>
  jsonObject([
    ...(cookie.attributes.length === 0
      ? []
      : ([['attributes', jsonArray(cookie.attributes.map(jsonString))]] as const)),
    ...(cookie.expiresIn === undefined ? [] : ([['expiresIn', jsonLiteral(cookie.expiresIn)]] as const)),
    ...(cookie.optedIn === true ? ([['kept', jsonLiteral(true)]] as const) : []),
    ['name', jsonString(cookie.name)],
    ...(cookie.session === true ? ([['session', jsonLiteral(true)]] as const) : []),
    ['value', jsonString(cookie.value)],
  ])

export type InteractionReading =
  | { readonly ok: true; readonly interaction: Interaction }
  | { readonly ok: false; readonly fault: JsonFault }

/** Reads the text of a file, whatever its layout; the key is derived from what it says, not from its name. */
export function decodeInteraction(text: string, files: BodyFileReader): InteractionReading {
  const parsed = parseOwnLayout(text) ?? parseAnyLayout(text)
  if ('fault' in parsed) return { ok: false, fault: parsed.fault }
  const { file, bodies } = parsed
  if (!isPlainObject(file) || !isPlainObject(file['request']))
    return invalidFile('expected an object under "request"')
  const { request, responses, asked: sentValues, judged: falseAlarms } = file
  const decoded: RecordedResponse[] = []
  for (const [at, one] of itemsOrNone(responses).entries()) {
    const response = decodeResponse(one, files, bodies.get(at))
    if (typeof response === 'string') return invalidFile(response)
    decoded.push(response)
  }
  const [first, ...more] = decoded
  if (first === undefined) return invalidFile('expected at least one response under "responses"')
  const canonical = sortCanonical(decodeMap(request))
  const digests = itemsOrNone(falseAlarms).filter((one) => typeof one === 'string')
  const interaction = {
    key: requestKey(canonical),
    request: canonical,
    sentValues: decodeMap(sentValues),
    responses: [first, ...more],
  } as const
  return {
    ok: true,
    interaction: digests.length === 0 ? interaction : { ...interaction, falseAlarms: digests },
  }
}

/** A file as plain values, and its JSON bodies by response: as text in the layout of the file, or as a tree. */
interface ParsedInteractionFile {
  readonly file: unknown
  readonly bodies: ReadonlyMap<number, string | JsonTree>
}

/** A JSON body in the layout of `encodeInteraction`: no line within it stands as far to the left as its last one. */
const bodyMemberPattern = /\n {6}"json": (\{\n[\s\S]*?\n {6}\}|\[\n[\s\S]*?\n {6}\]|[^\n]*?)(?=,?\n)/g
/** So short, a text in that layout holds no more values than `readJson` takes. */
const maxOwnLayout = 8 * defaultLimits.maxValues
/** Spaces before a line that is nested deeper than `readJson` takes. */
const tooDeepIndent = `\n${' '.repeat(2 * defaultLimits.maxDepth)}`
/** How a placeholder begins. U+0000 has no other spelling, so that a file without this text has no such string. */
const placeholderStart = '"\\u0000'

/** Undefined for a text in any other layout, or one that is no JSON: nothing is taken for a body that may be none. */
function parseOwnLayout(text: string): ParsedInteractionFile | undefined {
  if (text.length > maxOwnLayout || [tooDeepIndent, placeholderStart].some((one) => text.includes(one)))
    return undefined
  const found: string[] = []
  const rest = text.replace(bodyMemberPattern, (_, body: string) => {
    found.push(body)
    return `\n      "json": ${placeholderStart}${found.length - 1}"`
  })
  const file = tryParsePlain(rest)
  const responses = isPlainObject(file) ? itemsOrNone(file['responses']) : []
  const bodies = new Map<number, string>()
  for (const [at, response] of responses.entries()) {
    if (!isPlainObject(response) || !Object.hasOwn(response, 'json')) continue
    const body = found[bodies.size]
    const hasPlaceholder = response['json'] === `\0${bodies.size}`
    if (!hasPlaceholder || body === undefined || tryParsePlain(body) === undefined) return undefined
    bodies.set(at, body)
  }
  return file !== undefined && bodies.size === found.length ? { file, bodies } : undefined
}

function parseAnyLayout(text: string): ParsedInteractionFile | { readonly fault: JsonFault } {
  const reading = readJson(text)
  if (!reading.ok) return { fault: reading.fault }
  const bodies = itemsOf(memberOf(reading.tree, 'responses')).flatMap((response, at) => {
    const body = memberOf(response, 'json')
    return body === undefined ? [] : [[at, body] as const]
  })
  return { file: parsePlain(text), bodies: new Map(bodies) }
}

const itemsOrNone = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const invalidFile = (message: string): InteractionReading => ({
  ok: false,
  fault: { line: 1, column: 1, message },
})

/** Sorted, as it is in the file: `JSON.parse` moves integer-like names to the front. */
const decodeMap = (values: unknown): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(isPlainObject(values) ? values : {})
      .map(([name, value]) => [name, typeof value === 'string' ? value : ''] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** A response, or what is wrong with it. */
function decodeResponse(
  response: unknown,
  files: BodyFileReader,
  json: string | JsonTree | undefined,
): RecordedResponse | string {
  const values = isPlainObject(response) ? response : {}
  const { status } = values
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    return 'expected an HTTP status under "status" of each response'
  const body = decodeBody(values, files, json)
  if (typeof body === 'string') return body
  // What an edge once added to an older recording is read over: it says nothing of the wiki.
  const cookies = selectSessionCookies(itemsOrNone(values['cookies']).map(decodeCookie))
  const headers = decodeMap(values['headers'])
  const invalidText = findUnsendable(headers, cookies)
  return invalidText === undefined
    ? { status, headers, cookies, body }
    : `${JSON.stringify(invalidText.slice(0, 80))} cannot stand in a header: a sign of it would end or split the line`
}

function decodeBody(
  { spelling: spelled, lines, base64, file, textFile }: PlainObject,
  files: BodyFileReader,
  json: string | JsonTree | undefined,
): RecordedBody | string {
  const spelling = spelled === 'ascii' || spelled === 'utf8' ? spelled : undefined
  if (typeof json === 'string') return lazyJsonBody(json, spelling ?? 'utf8')
  if (json !== undefined) return { kind: 'json', tree: json, spelling: spelling ?? 'utf8' }
  if (lines !== undefined)
    return textBody(
      itemsOrNone(lines)
        .filter((line) => typeof line === 'string')
        .join(''),
      spelling,
    )
  if (typeof base64 === 'string') return { kind: 'binary', bytes: Buffer.from(base64, 'base64') }
  const name = textFile ?? file
  if (typeof name !== 'string')
    return 'expected "json", "lines", "base64", "file" or "textFile" in each response'
  const bytes = files.read(name)
  if (bytes === undefined) return `the file ${JSON.stringify(name)} that holds the body is missing`
  if (textFile === undefined) return { kind: 'binary', bytes }
  const text = utf8Text(bytes)
  return text === undefined ? `the file ${JSON.stringify(name)} is not UTF-8` : textBody(text, spelling)
}

const textBody = (text: string, spelling: Spelling | undefined): RecordedBody =>
  spelling === undefined ? { kind: 'text', text } : { kind: 'text', text, spelling }

function decodeCookie(cookie: unknown): RecordedCookie {
  const { name, value, attributes, expiresIn, kept: optedIn, session } = isPlainObject(cookie) ? cookie : {}
  return {
    ...(optedIn === true ? { optedIn } : {}),
    ...(session === true ? { session } : {}),
    name: typeof name === 'string' ? name : '',
    value: typeof value === 'string' ? value : '',
    attributes: itemsOrNone(attributes).map((one) => (typeof one === 'string' ? one : '')),
    expiresIn: typeof expiresIn === 'number' ? expiresIn : undefined,
  }
}
