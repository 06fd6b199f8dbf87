/** An interaction out of the text of its file, in any layout (docs/cassette-format.md). */
import { itemsOf, type JsonTree, memberOf } from '../../json/json-tree.ts'
import {
  isPlainObject,
  type PlainObject,
  parsePlain,
  plainItems,
  plainText,
  plainTexts,
  tryParsePlain,
} from '../../json/plain-json.ts'
import { type JsonFault, readJson } from '../../json/read-json.ts'
import { defaultLimits } from '../../json/tokenizer.ts'
import type { Spelling } from '../../json/write-json.ts'
import { requestKey } from '../../request/request-key.ts'
import { utf8Text } from '../../wiki/answers/wiki-answer.ts'
import { selectSessionCookies } from '../../wiki/cookies/session-cookies.ts'
import {
  findUnsendable,
  type Interaction,
  type RecordedBody,
  type RecordedCookie,
  type RecordedResponse,
} from '../interaction.ts'
import { lazyJsonBody } from '../recorded-body.ts'

export interface BodyFileReader {
  /** Undefined where there is no such file. */
  read(name: string): Uint8Array | undefined
}

export type InteractionReading =
  | { readonly ok: true; readonly interaction: Interaction }
  | { readonly ok: false; readonly fault: JsonFault }

/** Reads the text of a file, whatever its layout; the key is derived from what it says, not from its name. */
export function decodeInteraction(text: string, files: BodyFileReader): InteractionReading {
  const parsed = parseInteractionFile(text)
  if ('fault' in parsed) return { ok: false, fault: parsed.fault }
  const { file, bodies } = parsed
  if (!isPlainObject(file) || !isPlainObject(file['request']))
    return invalidFile('expected an object under "request"')
  const { request, responses, judged } = file
  const decoded: RecordedResponse[] = []
  for (const [at, one] of plainItems(responses).entries()) {
    const response = decodeResponse(one, files, bodies.get(at))
    if (typeof response === 'string') return invalidFile(response)
    decoded.push(response)
  }
  const [first, ...more] = decoded
  if (first === undefined) return invalidFile('expected at least one response under "responses"')
  const canonical = decodeMap(request)
  const falseAlarms = plainTexts(judged)
  const interaction: Interaction = {
    key: requestKey(canonical),
    request: canonical,
    sentValues: decodeMap(file['asked']),
    ...(falseAlarms.length === 0 ? {} : { falseAlarms }),
    responses: [first, ...more],
  }
  return { ok: true, interaction }
}

const invalidFile = (message: string): InteractionReading => ({
  ok: false,
  fault: { line: 1, column: 1, message },
})

/** Sorted, as it is in the file: `JSON.parse` moves integer-like names to the front. */
const decodeMap = (values: unknown): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(isPlainObject(values) ? values : {})
      .map(([name, value]) => [name, plainText(value)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** A response, or what is wrong with it. */
function decodeResponse(
  response: unknown,
  files: BodyFileReader,
  json: string | JsonTree | undefined,
): RecordedResponse | string {
  const values = isPlainObject(response) ? response : {}
  const { status, seconds } = values
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    return 'expected an HTTP status under "status" of each response'
  const body = decodeBody(values, files, json)
  if (typeof body === 'string') return body
  // Older recordings may hold cookies of a CDN, which say nothing of the wiki.
  const cookies = selectSessionCookies(plainItems(values['cookies']).map(decodeCookie))
  const headers = decodeMap(values['headers'])
  const invalidText = findUnsendable(headers, cookies)
  return invalidText === undefined
    ? { status, headers, cookies, body, ...(typeof seconds === 'number' ? { seconds } : {}) }
    : `${JSON.stringify(invalidText.slice(0, 80))} is not valid in an HTTP header`
}

function decodeBody(
  { spelling: spelled, lines, base64, file, textFile }: PlainObject,
  files: BodyFileReader,
  json: string | JsonTree | undefined,
): RecordedBody | string {
  const spelling = spelled === 'ascii' || spelled === 'utf8' ? spelled : undefined
  if (typeof json === 'string') return lazyJsonBody(json, spelling ?? 'utf8')
  if (json !== undefined) return { kind: 'json', tree: json, spelling: spelling ?? 'utf8' }
  if (lines !== undefined) return textBody(plainTexts(lines).join(''), spelling)
  if (typeof base64 === 'string') return { kind: 'binary', bytes: Buffer.from(base64, 'base64') }
  const name = textFile ?? file
  if (typeof name !== 'string')
    return 'expected "json", "lines", "base64", "file" or "textFile" in each response'
  const bytes = files.read(name)
  if (bytes === undefined) return `the file ${JSON.stringify(name)} with the body was not found`
  if (textFile === undefined) return { kind: 'binary', bytes }
  const text = utf8Text(bytes)
  return text === undefined ? `the file ${JSON.stringify(name)} is not UTF-8` : textBody(text, spelling)
}

const textBody = (text: string, spelling: Spelling | undefined): RecordedBody =>
  spelling === undefined ? { kind: 'text', text } : { kind: 'text', text, spelling }

function decodeCookie(cookie: unknown): RecordedCookie {
  const fields: PlainObject = isPlainObject(cookie) ? cookie : {}
  const { name, value, attributes, expiresIn, session } = fields
  return {
    ...(fields['kept'] === true ? { optedIn: true } : {}),
    ...(session === true ? { session } : {}),
    name: plainText(name),
    value: plainText(value),
    attributes: plainItems(attributes).map(plainText),
    expiresIn: typeof expiresIn === 'number' ? expiresIn : undefined,
  }
}

interface ParsedInteractionFile {
  readonly file: unknown
  /** By index of the response: text in the layout of the file, or a tree. */
  readonly bodies: ReadonlyMap<number, string | JsonTree>
}

/*
 * The file as plain values, its JSON bodies apart: a body in wikitape's own layout is only checked, and becomes a tree when
 * it is needed.
 */

/** A JSON body in the layout of `encodeInteraction`: no line within it stands as far to the left as its last one. */
const bodyMemberPattern = /\n {6}"json": (\{\n[\s\S]*?\n {6}\}|\[\n[\s\S]*?\n {6}\]|[^\n]*?)(?=,?\n)/g
/** A text in that layout that is no longer than this holds no more values than `readJson` takes. */
const maxOwnLayout = 8 * defaultLimits.maxValues
/** Spaces before a line that is nested deeper than `readJson` takes. */
const tooDeepIndent = `\n${' '.repeat(2 * defaultLimits.maxDepth)}`
/** How a placeholder begins. U+0000 has no other spelling, so that a file without this text has no such string. */
const placeholderStart = '"\\u0000'

/** Undefined for a text in any other layout, or one that is not JSON. */
function parseOwnLayout(text: string): ParsedInteractionFile | undefined {
  if (text.length > maxOwnLayout || [tooDeepIndent, placeholderStart].some((one) => text.includes(one)))
    return undefined
  const found: string[] = []
  const rest = text.replace(bodyMemberPattern, (_, body: string) => {
    found.push(body)
    return `\n      "json": ${placeholderStart}${found.length - 1}"`
  })
  const file = tryParsePlain(rest)
  const responses = isPlainObject(file) ? plainItems(file['responses']) : []
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

export const parseInteractionFile = (text: string): ParsedInteractionFile | { readonly fault: JsonFault } =>
  parseOwnLayout(text) ?? parseAnyLayout(text)
