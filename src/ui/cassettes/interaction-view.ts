/** One interaction: its request, its answers, and the values in them, a few at a time. */
import path from 'node:path'
import type { Interaction, RecordedBody, RecordedResponse } from '../../cassette/interaction.ts'
import { requestWords, shown, whoAsked } from '../../engine/miss/describe-request.ts'
import { quoted } from '../../engine/miss/explain-miss.ts'
import type { JsonTree } from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { asRequestKey } from '../../request/request-key.ts'
import { commandName } from '../../store/command-name.ts'
import { visibleLines } from '../../text/escape-control-characters.ts'
import { Refusal } from '../bad-request.ts'
import type { InteractionView, NodeView, PageOf, ResponseView, TextView } from '../views.ts'
import type { Entry, Tape } from './cassette-catalog.ts'
import { rowOf } from './interaction-rows.ts'
import { fileState, recordingBytes } from './recording-size.ts'

/** Values of one answer that are told at once. */
const mostNodes = 200
/** Characters of a value, and of a piece of an answer's text. */
const longestValue = 2_000
const textLength = 60_000
/** Parameters and headers. */
const mostTold = 500
/** Bytes of a recording that is read at all: what a recording may hold, twice (docs/decisions/0036-bounds.md). */
const mostBytes = 80_000_000

/** @throws Refusal */
export function entryOf(tape: Tape, key: string): Entry {
  const known = asRequestKey(key)
  const entry = known === undefined ? undefined : tape.entries.find((one) => one.key === known)
  if (entry !== undefined) return entry
  throw new Refusal(
    404,
    'no-such-interaction',
    `${tape.name} has no recording ${JSON.stringify(key.slice(0, 40))}`,
  )
}

export function interactionView(tape: Tape, key: string, read: Reader): InteractionView {
  const entry = entryOf(tape, key)
  const interaction = read.read(tape, entry)
  const { request, asked, responses } = interaction
  const params = [...request].slice(0, mostTold).map(([name, value]) => {
    const sent = asked.get(name)
    const param = { name: shown(name, 200), value: shown(value, longestValue) }
    return sent === undefined || sent === value ? param : { ...param, asked: shown(sent, longestValue) }
  })
  return {
    ...rowOf(tape, entry),
    words: requestWords(interaction),
    who: whoAsked(request),
    statuses: responses.map(({ status }) => status),
    fault: '',
    params,
    responses: responses.slice(0, mostTold).map(responseView),
    command: `${commandName} show ${entry.key} --cassette ${quoted(tape.dir)}`,
  }
}

const responseView = ({ status, headers, cookies, body }: RecordedResponse): ResponseView => ({
  status,
  headers: [...headers]
    .slice(0, mostTold)
    .map(([name, value]) => [shown(name), shown(value, longestValue)] as const),
  cookies: cookies
    .slice(0, mostTold)
    .map(({ name, value, attributes }) =>
      shown([`${name}=${value}`, ...attributes].join('; '), longestValue),
    ),
  body: body.kind,
  size: body.kind === 'binary' ? body.bytes.length : rawText(body).length,
})

/**
 * The members of one value of an answer.
 * @param place numbers of members from the root on: names may be doubled, or mean something to JavaScript
 */
export function nodesAt(
  { body }: RecordedResponse,
  place: readonly number[],
  from: number,
): PageOf<NodeView> {
  if (body.kind !== 'json') throw new Refusal(404, 'no-json', 'this answer is no JSON; ask for its text')
  const parts = partsOf(follow(body.tree, place))
  return {
    rows: parts.slice(from, from + mostNodes).map(([name, value]) => nodeView(name, value)),
    from,
    total: parts.length,
  }
}

function follow(tree: JsonTree, place: readonly number[]): JsonTree {
  return place.reduce((at, number) => {
    const part =
      at.kind === 'array' ? at.items[number] : at.kind === 'object' ? at.members[number]?.value : undefined
    if (part === undefined) throw new Refusal(404, 'no-such-place', 'the answer has nothing at this place')
    return part
  }, tree)
}

function partsOf(tree: JsonTree): readonly (readonly [string, JsonTree])[] {
  if (tree.kind === 'array') return tree.items.map((item, at) => [String(at), item] as const)
  return tree.kind === 'object' ? tree.members.map(({ key, value }) => [key, value] as const) : [['', tree]]
}

function nodeView(name: string, value: JsonTree): NodeView {
  const node = { name: shown(name), kind: value.kind }
  switch (value.kind) {
    case 'array':
      return { ...node, count: value.items.length }
    case 'object':
      return { ...node, count: value.members.length }
    case 'string':
      return { ...node, text: shown(value.value, longestValue) }
    case 'literal':
      return { ...node, text: shown(value.text, longestValue) }
  }
}

/** A piece of the answer as the wiki sent it. */
export function textOf({ body }: RecordedResponse, from: number): TextView {
  if (body.kind === 'binary') {
    const bytes = body.bytes.subarray(from, from + textLength / 3)
    return { text: hexOf(bytes), from, next: from + bytes.length, total: body.bytes.length }
  }
  const text = rawText(body)
  const piece = text.slice(from, from + textLength)
  return { text: visibleLines(piece), from, next: from + piece.length, total: text.length }
}

type Written = Exclude<RecordedBody, { readonly kind: 'binary' }>

const rawText = (body: Written): string =>
  body.kind === 'json' ? writeCompact(body.tree, body.spelling) : body.text

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').replace(/../g, '$& ')

/** Reads interactions, and remembers the last: somebody who unfolds a large answer asks for it again and again. */
export class Reader {
  #last: { readonly file: string; readonly changed: number; readonly interaction: Interaction } | undefined

  /** @throws Refusal where the file is too large, gone or broken */
  read(tape: Tape, { key, file }: Entry): Interaction {
    const whole = path.join(tape.dir, file)
    const { changed } = fileState(whole)
    if (this.#last?.file === whole && this.#last.changed === changed) return this.#last.interaction
    const bytes = recordingBytes(whole)
    if (bytes > mostBytes)
      throw new Refusal(
        413,
        'too-large',
        `${file} has ${bytes} bytes; read it with ${commandName} show ${key}`,
      )
    const found = tape.store?.find(key, mostBytes)
    if (found?.kind === 'broken') {
      const { line, column, message } = found.fault
      throw new Refusal(404, 'unreadable', `${found.path}:${line}:${column}: ${message}`)
    }
    if (found?.kind !== 'found') throw new Refusal(404, 'gone', `the file ${file} is gone`)
    this.#last = { file: whole, changed, interaction: found.interaction }
    return found.interaction
  }

  /** @throws Refusal where there are not so many */
  response(tape: Tape, entry: Entry, number: number): RecordedResponse {
    const response = this.read(tape, entry).responses[number]
    if (response === undefined) throw new Refusal(404, 'no-such-response', `there is no response ${number}`)
    return response
  }
}
