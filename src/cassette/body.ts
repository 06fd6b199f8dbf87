/** What a recorded body says, whichever way it is kept. */
import { escapedToAscii, membersIn } from '../json/compact.ts'
import { readJson } from '../json/read.ts'
import { type JsonTree, jsonObject } from '../json/tree.ts'
import type { Spelling } from '../json/write.ts'
import type { RecordedBody } from './interaction.ts'

/** The JSON of an answer; undefined for one that is none. */
export function jsonOf(body: RecordedBody): JsonTree | undefined {
  if (body.kind === 'json') return body.tree
  if (body.kind === 'binary' || body.spelling === undefined) return undefined
  const reading = readJson(body.text)
  return reading.ok ? reading.tree : undefined
}

type JsonBody = Extract<RecordedBody, { kind: 'json' }>

/** The texts of bodies that were read and not changed since: a copy with another tree has none. */
const texts = new WeakMap<RecordedBody, Uint8Array>()

/**
 * A body of which only the text was read: it becomes a tree when somebody wants to know what it says.
 * @param text as `compactJson` writes it
 */
export function readBody(text: Uint8Array, spelling: Spelling): JsonBody {
  let tree: JsonTree | undefined
  const body: JsonBody = {
    kind: 'json',
    get tree() {
      tree ??= treeOf(text)
      return tree
    },
    spelling,
  }
  texts.set(body, text)
  return body
}

function treeOf(text: Uint8Array): JsonTree {
  const reading = readJson(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString())
  if (!reading.ok) throw new Error(`JSON that was read could not be read again: ${reading.fault.message}`)
  return reading.tree
}

/** The texts of bodies as they came, in their own spelling. */
const asTheyCame = new WeakMap<RecordedBody, Uint8Array>()

/** The same body; whoever wants its text in its own spelling has it at hand. @param text `writeCompact` of its tree, in UTF-8 */
export function withText(body: JsonBody, text: Uint8Array): JsonBody {
  asTheyCame.set(body, text)
  return body
}

/** The text of a body in that spelling, where it is at hand without its tree. */
export function textAtHand(body: RecordedBody, spelling: Spelling): Uint8Array | undefined {
  const came = body.kind === 'json' && body.spelling === spelling ? asTheyCame.get(body) : undefined
  if (came !== undefined) return came
  const text = texts.get(body)
  if (text === undefined || spelling === 'utf8') return text
  const escaped = escapedToAscii(text)
  // Who asks how long it is writes it next.
  if (body.kind === 'json' && body.spelling === spelling) asTheyCame.set(body, escaped)
  return escaped
}

/** An object of these members of a body alone; cheap where the body has none of them. */
export function membersOfBody(body: JsonBody, names: readonly string[]): JsonTree {
  const text = texts.get(body)
  if (text !== undefined) return membersIn(text, names)
  const { tree } = body
  const members = tree.kind === 'object' ? tree.members.filter(({ key }) => names.includes(key)) : []
  return jsonObject(members.map(({ key, value }) => [key, value]))
}
