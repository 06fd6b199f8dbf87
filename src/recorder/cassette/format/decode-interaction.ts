/** An interaction out of the text of its file, in any layout (docs/cassette-format.md). */
import { compactJson } from '../../json/compact-json.ts'
import { itemsOf, type JsonTree, memberOf } from '../../json/json-tree.ts'
import {
  isPlainObject,
  type PlainObject,
  parsePlain,
  plainItems,
  plainText,
  plainTexts,
  tryParsePlain
} from '../../json/plain-json.ts'
import { type JsonFault, readJson } from '../../json/read-json.ts'
import type { Spelling } from '../../json/write-json.ts'
import { keyedRequest } from '../../request/request-key.ts'
import { utf8Text } from '../../wiki/answers/wiki-answer.ts'
import { selectSessionCookies } from '../../wiki/cookies/session-cookies.ts'
import {
  findUnsendable,
  type Interaction,
  lazyJsonBody,
  type RecordedBody,
  type RecordedCookie,
  type RecordedResponse
} from '../interaction.ts'
import {
  bodyNames,
  fileShapes,
  findMisfit,
  notesIn,
  responseShapes
} from './interaction-shapes.ts'

/** Reads a body file; undefined where there is none of that name. */
type ReadBodyFile = (name: string) => Uint8Array | undefined

type InteractionReading =
  | { readonly ok: true; readonly interaction: Interaction }
  | { readonly ok: false; readonly fault: JsonFault }

/** The key is derived from what the file says, not from its name. @param source a text, or valid UTF-8 */
export function decodeInteraction(
  source: string | Buffer,
  readFile: ReadBodyFile
): InteractionReading {
  const parsed = parseInteractionFile(
    typeof source === 'string' ? Buffer.from(source) : source
  )
  if ('fault' in parsed) return { ok: false, fault: parsed.fault }
  const { file, bodies } = parsed
  if (!isPlainObject(file) || !isPlainObject(file['request']))
    return invalidFile('expected an object under "request"')
  const { request, responses } = file
  const misfit = findMisfit(file, fileShapes)
  if (misfit !== undefined) return invalidFile(misfit)
  for (const name of ['request', 'asked', 'chosenBy']) {
    const wrong = otherThanText(file[name])
    if (wrong !== undefined)
      return invalidFile(`expected a text for "${wrong}" under "${name}"`)
  }
  const decoded: RecordedResponse[] = []
  for (const [at, one] of plainItems(responses).entries()) {
    const response = decodeResponse(one, readFile, bodies.get(at))
    if (typeof response === 'string') return invalidFile(response)
    decoded.push(response)
  }
  const [first, ...more] = decoded
  if (!first) return invalidFile('expected at least one response under "responses"')
  const { key, canonical } = keyedRequest(decodeMap(request))
  const turns = plainTexts(file['turns'])
  const interaction: Interaction = {
    key,
    request: canonical,
    sentValues: decodeMap(file['asked']),
    ...(turns.length === 0 ? {} : { turns }),
    ...(isPlainObject(file['chosenBy']) ? { chosenBy: decodeMap(file['chosenBy']) } : {}),
    ...notesIn(file, fileShapes),
    responses: [first, ...more]
  }
  return { ok: true, interaction }
}

const start = { line: 1, column: 1 }
const invalidFile = (message: string): InteractionReading => ({
  ok: false,
  fault: { ...start, message }
})

/** Sorted, as it is in the file: `JSON.parse` moves integer-like names to the front. */
const decodeMap = (values: unknown): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(isPlainObject(values) ? values : {})
      .map(([name, value]) => [name, plainText(value)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
  )

/** The first member that is no text, e.g. a number that a person wrote: it would be read as an empty one. */
const otherThanText = (values: unknown): string | undefined =>
  Object.entries(isPlainObject(values) ? values : {}).find(
    ([, value]) => typeof value !== 'string'
  )?.[0]

/** A response, or what is wrong with it. */
function decodeResponse(
  response: unknown,
  readFile: ReadBodyFile,
  json: Buffer | JsonTree | undefined
): RecordedResponse | string {
  const values = isPlainObject(response) ? response : {}
  const { status, seconds } = values
  const misfit = findMisfit({ status: null, ...values }, responseShapes)
  if (misfit !== undefined) return `${misfit} of each response`
  const wrong = otherThanText(values['headers'])
  if (wrong !== undefined)
    return `expected a text for the header "${wrong}" of each response`
  const body = decodeBody(values, readFile, json)
  if (typeof body === 'string') return body
  // Older recordings may hold cookies of a CDN, which say nothing of the wiki.
  const cookies = selectSessionCookies(plainItems(values['cookies']).map(decodeCookie))
  const headers = decodeMap(values['headers'])
  const invalidText = findUnsendable(headers, cookies)
  if (invalidText !== undefined)
    return `${JSON.stringify(invalidText.slice(0, 80))} is not valid in an HTTP header`
  const states = plainTexts(values['afterOthers'])
  return {
    status: Number(status),
    headers,
    cookies,
    body,
    ...notesIn(values, responseShapes),
    ...(typeof seconds === 'number' ? { seconds } : {}),
    ...(states.length === 0 ? {} : { afterOthers: states })
  }
}

function decodeBody(
  values: PlainObject,
  readFile: ReadBodyFile,
  json: Buffer | JsonTree | undefined
): RecordedBody | string {
  if (bodyNames.filter((name) => Object.hasOwn(values, name)).length !== 1)
    return 'expected one of "json", "lines", "base64", "file" and "textFile" in each response'
  const { spelling: spelled, lines, base64, file, textFile } = values
  const spelling = spelled === 'ascii' || spelled === 'utf8' ? spelled : undefined
  if (Buffer.isBuffer(json)) return lazyJsonBody(json, spelling ?? 'utf8')
  if (json) return { kind: 'json', tree: json, spelling: spelling ?? 'utf8' }
  if (lines !== undefined)
    return textBody(plainText(lines) || plainTexts(lines).join(''), spelling)
  if (typeof base64 === 'string')
    return { kind: 'binary', bytes: Buffer.from(base64, 'base64') }
  const name = plainText(textFile ?? file)
  const bytes = readFile(name)
  if (!bytes) return `the file ${JSON.stringify(name)} with the body was not found`
  if (textFile === undefined) return { kind: 'binary', bytes }
  const text = utf8Text(bytes)
  return text === undefined
    ? `the file ${JSON.stringify(name)} is not UTF-8`
    : textBody(text, spelling)
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
    expiresIn: typeof expiresIn === 'number' ? expiresIn : undefined
  }
}

interface ParsedInteractionFile {
  readonly file: unknown
  /** By index of the response: compact JSON in the spelling that the file names, or a tree. */
  readonly bodies: ReadonlyMap<number, Buffer | JsonTree>
}

/** A JSON body as `encodeInteraction` writes it begins behind this. No string of a JSON text has a line break in it. */
const bodyMember = '\n      "json": '
/** How a placeholder begins. U+0000 has no other spelling, so that a file without this text has no such string. */
const placeholderStart = '"\\u0000'

/** Undefined where a body is elsewhere, cannot be made compact, or is no JSON. */
function parseOwnLayout(source: Buffer): ParsedInteractionFile | undefined {
  // Responses of one file seldom differ in their spelling.
  const isAscii = source.subarray(-120).includes('"spelling": "ascii"')
  const found: Buffer[] = []
  let rest = ''
  let at = 0
  for (
    let from = source.indexOf(bodyMember);
    from >= 0;
    from = source.indexOf(bodyMember, at)
  ) {
    const start = from + bodyMember.length
    const body = compactJson(source, start, isAscii ? 'ascii' : 'utf8')
    if (!body) return undefined
    // JSON has nothing but ASCII outside of strings, so that any bytes may stand for the others here.
    if (tryParsePlain(source.toString('latin1', start, body.end)) === undefined)
      return undefined
    rest += `${source.toString('utf8', at, start)}${placeholderStart}${found.length}"`
    found.push(body.bytes)
    at = body.end
  }
  rest += source.toString('utf8', at)
  if (rest.split(placeholderStart).length - 1 !== found.length) return undefined
  const file = tryParsePlain(rest)
  const responses = isPlainObject(file) ? plainItems(file['responses']) : []
  const bodies = new Map<number, Buffer>()
  for (const [index, response] of responses.entries()) {
    if (!isPlainObject(response) || !Object.hasOwn(response, 'json')) continue
    const body = found[bodies.size]
    if (response['json'] !== `\0${bodies.size}` || !body) return undefined
    if ((response['spelling'] === 'ascii') !== isAscii) return undefined
    bodies.set(index, body)
  }
  return file !== undefined && bodies.size === found.length ? { file, bodies } : undefined
}

/** @param source valid UTF-8 */
function parseInteractionFile(
  source: Buffer
): ParsedInteractionFile | { readonly fault: JsonFault } {
  const own = parseOwnLayout(source)
  if (own) return own
  const text = source.toString()
  const reading = readJson(text)
  if (!reading.ok) return { fault: reading.fault }
  const bodies = itemsOf(memberOf(reading.tree, 'responses')).flatMap((response, at) => {
    const body = memberOf(response, 'json')
    return body ? [[at, body] as const] : []
  })
  return { file: parsePlain(text), bodies: new Map(bodies) }
}
