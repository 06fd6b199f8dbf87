/** One interaction as the text of one file, and back (docs/cassette-format.md). */
import { compactJson } from '../json/compact.ts'
import { type JsonFault, type JsonReading, readJson } from '../json/read.ts'
import {
  itemsOf,
  type JsonTree,
  jsonArray,
  jsonLiteral,
  jsonObject,
  jsonString,
  memberOf,
  membersOf,
  numberOf,
  textOf,
} from '../json/tree.ts'
import { type Spelling, writePretty } from '../json/write.ts'
import { readWritten } from '../json/written.ts'
import { requestKey, sortCanonical } from '../request/key.ts'
import { utf8Text } from '../wiki/answer.ts'
import { sessionCookies } from '../wiki/session-cookies.ts'
import { readBody } from './body.ts'
import type { Interaction, RecordedBody, RecordedCookie, RecordedResponse } from './interaction.ts'
import { unsendable } from './sendable.ts'

/** Binary bodies beyond this many bytes lie in a file of their own beside the interaction's. */
export const besideBytes = 65_536
/**
 * So do texts beyond this many characters: inside of JSON they cost a server that replays them ten times as much time
 * (docs/decisions/0077).
 */
export const besideCharacters = 1_048_576

/** Where the file of a large body lies, told by the store. */
export interface BesideFiles {
  read(name: string): Uint8Array | undefined
}

/** The text of an interaction's file; `beside` are the bodies that go into files of their own, by name. */
export interface EncodedInteraction {
  readonly text: string
  readonly beside: ReadonlyMap<string, Uint8Array>
}

/** @param stem name of the interaction's file without `.json`, for the names of files beside it */
export function encodeInteraction(interaction: Omit<Interaction, 'key'>, stem: string): EncodedInteraction {
  const responses = interaction.responses.map((response, at) =>
    encodeResponse(response, besideName(stem, at)),
  )
  const tree = jsonObject([
    ...(interaction.asked.size === 0 ? [] : ([['asked', encodeMap(interaction.asked)]] as const)),
    ...encodeJudged(interaction.judged),
    ['request', encodeMap(interaction.request)],
    ['responses', jsonArray(responses)],
  ])
  return { text: `${writePretty(tree)}\n`, beside: bodiesBeside(interaction.responses, stem) }
}

const besideName = (stem: string, at: number): string => `${stem}.${at}.bin`

/** The bodies that lie in files of their own, by name; `stem` as for `encodeInteraction`. */
export const bodiesBeside = (
  responses: readonly RecordedResponse[],
  stem: string,
): ReadonlyMap<string, Uint8Array> =>
  new Map(
    responses.flatMap(({ body }, at) => {
      if (body.kind === 'json' || !liesBeside(body)) return []
      return [[besideName(stem, at), body.kind === 'text' ? Buffer.from(body.text) : body.bytes] as const]
    }),
  )

/** A text that UTF-8 cannot hold (half of a pair, by somebody's hand) stays in JSON, which can. */
const liesBeside = (body: Exclude<RecordedBody, { kind: 'json' }>): boolean =>
  body.kind === 'text'
    ? body.text.length > besideCharacters && body.text.isWellFormed()
    : body.bytes.length > besideBytes

/** The bodies that cannot be read in the text of the interaction's file: bytes, and texts that lie beside it. */
export const bodiesApart = (responses: readonly RecordedResponse[]): readonly (string | Uint8Array)[] =>
  responses.flatMap(({ body }): readonly (string | Uint8Array)[] => {
    if (body.kind === 'binary') return [body.bytes]
    return body.kind === 'text' && liesBeside(body) ? [body.text] : []
  })

const encodeJudged = (judged: readonly string[] = []): readonly (readonly [string, JsonTree])[] =>
  judged.length === 0 ? [] : [['judged', jsonArray(judged.map(jsonString))]]

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
  const isBeside = liesBeside(body)
  if (body.kind === 'text')
    return isBeside
      ? ['textFile', jsonString(name)]
      : ['lines', jsonArray(splitLines(body.text).map(jsonString))]
  return isBeside
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
    ...(cookie.kept === true ? ([['kept', jsonLiteral(true)]] as const) : []),
    ['name', jsonString(cookie.name)],
    ...(cookie.session === true ? ([['session', jsonLiteral(true)]] as const) : []),
    ['value', jsonString(cookie.value)],
  ])

export type InteractionReading =
  | { readonly ok: true; readonly interaction: Interaction }
  | { readonly ok: false; readonly fault: JsonFault }

/**
 * Reads the text of a file, whatever its white space; the key is derived from what it says, not from its name.
 * @param source text, or valid UTF-8, of which JSON bodies are read no further than to know that they are JSON; nothing
 * of it is kept: its memory may be used for another
 */
export function decodeInteraction(source: string | Uint8Array, files: BesideFiles): InteractionReading {
  const held = typeof source === 'string' ? readWritten(source) : undefined
  const apart = typeof source === 'string' ? undefined : readApart(source)
  const text = typeof source === 'string' ? source : asBuffer(source)
  const reading: JsonReading =
    held === undefined ? (apart ?? readJson(text.toString())) : { ok: true, tree: held }
  if (!reading.ok) return reading
  const request = memberOf(reading.tree, 'request')
  if (request?.kind !== 'object') return broken('expected an object under "request"')
  const bodies = [...(apart?.bodies ?? [])]
  const responses: RecordedResponse[] = []
  for (const one of itemsOf(memberOf(reading.tree, 'responses'))) {
    const response = decodeResponse(one, files, bodies)
    if (typeof response === 'string') return broken(response)
    responses.push(response)
  }
  const [first, ...more] = responses
  if (first === undefined) return broken('expected at least one response under "responses"')
  const canonical = sortCanonical(decodeMap(request))
  const asked = decodeMap(memberOf(reading.tree, 'asked'))
  const judged = itemsOf(memberOf(reading.tree, 'judged')).flatMap((one) => textOf(one) ?? [])
  const known = {
    key: requestKey(canonical),
    request: canonical,
    asked,
    responses: [first, ...more],
  } as const
  return { ok: true, interaction: judged.length === 0 ? known : { ...known, judged } }
}

interface Apart {
  readonly ok: true
  readonly tree: JsonTree
  readonly bodies: readonly Uint8Array[]
}

/** The tree of a file in which `null` stands for each JSON body, and the texts of these; undefined where it takes a tree to read it. */
function readApart(source: Uint8Array): Apart | undefined {
  const compact = compactJson(source, { list: 'responses', member: 'json' })
  if (compact === undefined) return undefined
  const whole = asBuffer(compact.bytes)
  let text = ''
  let at = 0
  for (const [from, to] of compact.found) {
    text += `${whole.toString('utf8', at, from)}null`
    at = to
  }
  const reading = readJson(text + whole.toString('utf8', at))
  const bodies = compact.found.map(([from, to]) => whole.subarray(from, to))
  return reading.ok ? { ok: true, tree: reading.tree, bodies } : undefined
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

const broken = (message: string): InteractionReading => ({
  ok: false,
  fault: { line: 1, column: 1, message },
})

const decodeMap = (tree: JsonTree | undefined): ReadonlyMap<string, string> =>
  new Map(membersOf(tree).map((member) => [member.key, textOf(member.value) ?? '']))

/** A response, or what is wrong with it. @param bodies texts of JSON bodies, of which it takes its own */
function decodeResponse(tree: JsonTree, files: BesideFiles, bodies: Uint8Array[]): RecordedResponse | string {
  const status = numberOf(memberOf(tree, 'status'))
  if (status === undefined || !Number.isInteger(status) || status < 200 || status > 599)
    return 'expected an HTTP status under "status" of each response'
  const body = decodeBody(tree, files, bodies)
  if (typeof body === 'string') return body
  // What an edge once added to an older recording is read over: it says nothing of the wiki.
  const cookies = sessionCookies(itemsOf(memberOf(tree, 'cookies')).map(decodeCookie))
  const headers = decodeMap(memberOf(tree, 'headers'))
  const wrong = unsendable(headers, cookies)
  return wrong === undefined
    ? { status, headers, cookies, body }
    : `${JSON.stringify(wrong.slice(0, 80))} cannot stand in a header: a sign of it would end or split the line`
}

function decodeBody(tree: JsonTree, files: BesideFiles, bodies: Uint8Array[]): RecordedBody | string {
  const spelled = textOf(memberOf(tree, 'spelling'))
  const spelling = spelled === 'ascii' || spelled === 'utf8' ? spelled : undefined
  const json = memberOf(tree, 'json')
  if (json !== undefined) {
    const text = bodies.shift()
    return text === undefined
      ? { kind: 'json', tree: json, spelling: spelling ?? 'utf8' }
      : readBody(text, spelling ?? 'utf8')
  }
  const lines = memberOf(tree, 'lines')
  if (lines !== undefined) return textBody(joined(lines), spelling)
  const base64 = textOf(memberOf(tree, 'base64'))
  if (base64 !== undefined) return { kind: 'binary', bytes: Buffer.from(base64, 'base64') }
  const textFile = textOf(memberOf(tree, 'textFile'))
  const file = textFile ?? textOf(memberOf(tree, 'file'))
  if (file === undefined) return 'expected "json", "lines", "base64", "file" or "textFile" in each response'
  const bytes = files.read(file)
  if (bytes === undefined) return `the file ${JSON.stringify(file)} that holds the body is missing`
  if (textFile === undefined) return { kind: 'binary', bytes }
  const text = utf8Text(bytes)
  return text === undefined ? `the file ${JSON.stringify(file)} is not UTF-8` : textBody(text, spelling)
}

const joined = (lines: JsonTree): string =>
  itemsOf(lines)
    .map((line) => textOf(line) ?? '')
    .join('')

const textBody = (text: string, spelling: Spelling | undefined): RecordedBody =>
  spelling === undefined ? { kind: 'text', text } : { kind: 'text', text, spelling }

function decodeCookie(tree: JsonTree): RecordedCookie {
  const is = (member: string): boolean => {
    const value = memberOf(tree, member)
    return value?.kind === 'literal' && value.text === 'true'
  }
  return {
    ...(is('kept') ? { kept: true } : {}),
    ...(is('session') ? { session: true } : {}),
    name: textOf(memberOf(tree, 'name')) ?? '',
    value: textOf(memberOf(tree, 'value')) ?? '',
    attributes: itemsOf(memberOf(tree, 'attributes')).map((one) => textOf(one) ?? ''),
    expiresIn: numberOf(memberOf(tree, 'expiresIn')),
  }
}
