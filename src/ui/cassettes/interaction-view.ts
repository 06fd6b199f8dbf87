/** One interaction as a view: its request, its responses, and the values in them, a few at a time. */
import path from 'node:path'
import type { Interaction, RecordedBody, RecordedResponse } from '../../cassette/interaction.ts'
import { describeCaller, describeRequest, displayText } from '../../engine/miss/describe-request.ts'
import { shellQuote } from '../../engine/miss/remedy-commands.ts'
import type { JsonTree } from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { parseRequestKey } from '../../request/request-key.ts'
import { commandName } from '../../store/command-name.ts'
import { statOrUndefined } from '../../store/files/paths-inside.ts'
import { escapeControlsInLines } from '../../text/escape-control-characters.ts'
import { BadRequest } from '../query-params.ts'
import type { InteractionView, NodeView, ResponseView, RowPage, TextView } from '../views.ts'
import type { CassetteEntry, CassetteSnapshot } from './cassette-catalog.ts'
import { recordingSize, rowOf } from './interaction-rows.ts'

/** Values in one answer of the server. */
const maxNodes = 200
/** Characters of a value, and of a piece of a response's text. */
const maxValueLength = 2_000
const maxTextLength = 60_000
/** Parameters and headers. */
const maxParams = 500
/** Bytes of a recording that is read at all: twice what a recording may hold (docs/decisions/0036-bounds.md). */
const maxRecordingBytes = 80_000_000

/** @throws BadRequest */
export function findEntry(snapshot: CassetteSnapshot, key: string): CassetteEntry {
  const requestKey = parseRequestKey(key)
  const entry = requestKey === undefined ? undefined : snapshot.entries.find((one) => one.key === requestKey)
  if (entry !== undefined) return entry
  const shown = JSON.stringify(key.slice(0, 40))
  throw new BadRequest(404, 'no-such-interaction', `${snapshot.name} has no recording ${shown}`)
}

export function interactionView(
  snapshot: CassetteSnapshot,
  key: string,
  recordings: RecordingReader,
): InteractionView {
  const entry = findEntry(snapshot, key)
  const interaction = recordings.read(snapshot, entry)
  const { request, sentValues, responses } = interaction
  const params = [...request].slice(0, maxParams).map(([name, value]) => {
    const sent = sentValues.get(name)
    const param = { name: displayText(name, 200), value: displayText(value, maxValueLength) }
    return sent === undefined || sent === value
      ? param
      : { ...param, sent: displayText(sent, maxValueLength) }
  })
  return {
    ...rowOf(snapshot, entry),
    words: describeRequest(interaction),
    who: describeCaller(request),
    statuses: responses.map(({ status }) => status),
    fault: '',
    params,
    responses: responses.slice(0, maxParams).map(responseView),
    command: `${commandName} show ${entry.key} --cassette ${shellQuote(snapshot.dir)}`,
  }
}

const responseView = ({ status, headers, cookies, body }: RecordedResponse): ResponseView => ({
  status,
  headers: [...headers]
    .slice(0, maxParams)
    .map(([name, value]) => [displayText(name), displayText(value, maxValueLength)] as const),
  cookies: cookies
    .slice(0, maxParams)
    .map(({ name, value, attributes }) =>
      displayText([`${name}=${value}`, ...attributes].join('; '), maxValueLength),
    ),
  body: body.kind,
  size: body.kind === 'binary' ? body.bytes.length : rawText(body).length,
})

/**
 * The members of one value of an answer.
 * @param nodePath numbers of members from the root on: names may be doubled, or mean something to JavaScript
 */
export function childNodes(
  { body }: RecordedResponse,
  nodePath: readonly number[],
  from: number,
): RowPage<NodeView> {
  if (body.kind !== 'json') throw new BadRequest(404, 'no-json', 'this answer is not JSON; request its text')
  const parts = childrenOf(nodeAtPath(body.tree, nodePath))
  return {
    rows: parts.slice(from, from + maxNodes).map(([name, value]) => nodeView(name, value)),
    from,
    total: parts.length,
  }
}

function nodeAtPath(tree: JsonTree, nodePath: readonly number[]): JsonTree {
  return nodePath.reduce((at, number) => {
    const part =
      at.kind === 'array' ? at.items[number] : at.kind === 'object' ? at.members[number]?.value : undefined
    if (part === undefined) throw new BadRequest(404, 'no-such-place', 'the answer has no such value')
    return part
  }, tree)
}

function childrenOf(tree: JsonTree): readonly (readonly [string, JsonTree])[] {
  if (tree.kind === 'array') return tree.items.map((item, at) => [String(at), item] as const)
  return tree.kind === 'object' ? tree.members.map(({ key, value }) => [key, value] as const) : [['', tree]]
}

function nodeView(name: string, value: JsonTree): NodeView {
  const node = { name: displayText(name), kind: value.kind }
  switch (value.kind) {
    case 'array':
      return { ...node, count: value.items.length }
    case 'object':
      return { ...node, count: value.members.length }
    case 'string':
      return { ...node, text: displayText(value.value, maxValueLength) }
    case 'literal':
      return { ...node, text: displayText(value.text, maxValueLength) }
  }
}

/** A piece of the answer as the wiki sent it. */
export function textPiece({ body }: RecordedResponse, from: number): TextView {
  if (body.kind === 'binary') {
    const bytes = body.bytes.subarray(from, from + maxTextLength / 3)
    const text = Buffer.from(bytes).toString('hex').replace(/../g, '$& ')
    return { text, from, next: from + bytes.length, total: body.bytes.length }
  }
  const text = rawText(body)
  const piece = text.slice(from, from + maxTextLength)
  return { text: escapeControlsInLines(piece), from, next: from + piece.length, total: text.length }
}

const rawText = (body: Exclude<RecordedBody, { readonly kind: 'binary' }>): string =>
  body.kind === 'json' ? writeCompact(body.tree, body.spelling) : body.text

/** Reads interactions. Keeps the last one: who unfolds a large response requests it again and again. */
export class RecordingReader {
  #lastRead:
    | { readonly file: string; readonly mtimeMs: number; readonly interaction: Interaction }
    | undefined

  /** @throws BadRequest where the file is too large, gone or broken */
  read(snapshot: CassetteSnapshot, { key, file }: CassetteEntry): Interaction {
    const absolutePath = path.join(snapshot.dir, file)
    const mtimeMs = statOrUndefined(absolutePath)?.mtimeMs ?? 0
    if (this.#lastRead?.file === absolutePath && this.#lastRead.mtimeMs === mtimeMs)
      return this.#lastRead.interaction
    const bytes = recordingSize(absolutePath)
    if (bytes > maxRecordingBytes)
      throw new BadRequest(
        413,
        'too-large',
        `${file} has ${bytes} bytes; read it with ${commandName} show ${key}`,
      )
    const found = snapshot.store?.get(key, maxRecordingBytes)
    if (found?.kind === 'broken') {
      const { line, column, message } = found.fault
      throw new BadRequest(404, 'unreadable', `${found.path}:${line}:${column}: ${message}`)
    }
    if (found?.kind !== 'found') throw new BadRequest(404, 'gone', `the file ${file} was deleted`)
    this.#lastRead = { file: absolutePath, mtimeMs, interaction: found.interaction }
    return found.interaction
  }

  /** @throws BadRequest where there is no such response */
  response(snapshot: CassetteSnapshot, entry: CassetteEntry, number: number): RecordedResponse {
    const response = this.read(snapshot, entry).responses[number]
    if (response === undefined)
      throw new BadRequest(404, 'no-such-response', `there is no response ${number}`)
    return response
  }
}
