/** The text of an interaction's file, and the bodies that lie in files of their own (docs/cassette-format.md). */
import { type JsonTree, jsonArray, jsonObject, jsonString } from '../../json/json-tree.ts'
import { fromPlain, type PlainObject } from '../../json/plain-json.ts'
import { writePretty } from '../../json/write-json.ts'
import type {
  Interaction,
  RecordedBody,
  RecordedCookie,
  RecordedResponse
} from '../interaction.ts'

/** A binary body of more bytes lies in a file of its own. */
export const maxInlineBytes = 65_536
/** So does a text of more characters, since inside of JSON it takes ten times as long to replay (docs/decisions/0077). */
export const maxInlineCharacters = 1_048_576

export interface EncodedInteraction {
  readonly text: string
  readonly bodyFiles: ReadonlyMap<string, Uint8Array>
}

/** @param stem name of the interaction's file without `.json`, with which the names of its body files begin */
export function encodeInteraction(
  interaction: Omit<Interaction, 'key'>,
  stem: string
): EncodedInteraction {
  const { request, sentValues, chosenBy, notes, turns, responses } = interaction
  const bodyFiles = new Map<string, Uint8Array>()
  const encoded = responses.map(
    ({ status, headers, cookies, body, seconds, afterOthers, notes: own }, index) => {
      const members = [encodeBody(body, `${stem}.${index}.bin`, bodyFiles)]
      if (afterOthers) members.push(['afterOthers', fromPlain(afterOthers)])
      members.push(['headers', encodeMap(headers)], ['status', fromPlain(status)])
      if (seconds !== undefined) members.push(['seconds', fromPlain(seconds)])
      if (cookies.length > 0)
        members.push(['cookies', jsonArray(cookies.map(encodeCookie))])
      if ('spelling' in body) members.push(['spelling', jsonString(body.spelling)])
      members.push(...noteMembers(own))
      return jsonObject(sorted(members))
    }
  )
  const tree = jsonObject(
    sorted([
      ...(sentValues.size === 0 ? [] : [['asked', encodeMap(sentValues)] as const]),
      ...(chosenBy ? [['chosenBy', encodeMap(chosenBy)] as const] : []),
      ...noteMembers(notes),
      ['request', encodeMap(request)],
      ['responses', jsonArray(encoded)],
      ...(turns ? [['turns', fromPlain(turns)] as const] : [])
    ])
  )
  return { text: `${writePretty(tree)}\n`, bodyFiles }
}

const noteMembers = (notes: PlainObject = {}) =>
  Object.entries(notes).map(([name, value]) => [name, fromPlain(value)] as const)

/** A text that UTF-8 cannot hold (half of a surrogate pair, edited by hand) stays in JSON, which can. */
const needsOwnFile = (body: Exclude<RecordedBody, { kind: 'json' }>): boolean =>
  body.kind === 'text'
    ? body.text.length > maxInlineCharacters && body.text.isWellFormed()
    : body.bytes.length > maxInlineBytes

/** The bodies that cannot be read in the text of the interaction's file: bytes, and texts in files of their own. */
export const bodiesOutsideText = (
  responses: readonly RecordedResponse[]
): readonly (string | Uint8Array)[] =>
  responses.flatMap(({ body }): readonly (string | Uint8Array)[] => {
    if (body.kind === 'binary') return [body.bytes]
    return body.kind === 'text' && needsOwnFile(body) ? [body.text] : []
  })

const sorted = <T>(members: Iterable<readonly [string, T]>): (readonly [string, T])[] =>
  [...members].sort(([a], [b]) => (a < b ? -1 : 1))

const encodeMap = (map: ReadonlyMap<string, string>): JsonTree =>
  jsonObject(sorted(map).map(([name, value]) => [name, jsonString(value)]))

function encodeBody(
  body: RecordedBody,
  fileName: string,
  bodyFiles: Map<string, Uint8Array>
): readonly [string, JsonTree] {
  if (body.kind === 'json') return ['json', body.tree]
  if (needsOwnFile(body)) {
    bodyFiles.set(fileName, body.kind === 'text' ? Buffer.from(body.text) : body.bytes)
    return [body.kind === 'text' ? 'textFile' : 'file', jsonString(fileName)]
  }
  // Lines keep their line feeds, so that joining them gives the text back.
  if (body.kind === 'text') return ['lines', fromPlain(body.text.split(/(?<=\n)/))]
  return ['base64', jsonString(Buffer.from(body.bytes).toString('base64'))]
}

const encodeCookie = ({
  attributes,
  expiresIn,
  optedIn,
  name,
  session,
  value
}: RecordedCookie): JsonTree =>
  fromPlain({
    attributes: attributes.length === 0 ? undefined : attributes,
    expiresIn,
    kept: optedIn,
    name,
    session,
    value
  })
