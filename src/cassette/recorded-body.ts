/** What a recorded body says, whichever way it is kept. */
import { compactJson } from '../json/compact-json.ts'
import { type JsonTree, membersOf, objectOf } from '../json/json-tree.ts'
import { isPlainObject, parsePlain, treeOfPlain } from '../json/plain-json.ts'
import { readJson, readTree } from '../json/read-json.ts'
import { asciiBytes, type Spelling } from '../json/write-json.ts'
import type { RecordedBody } from './interaction.ts'

/** The JSON of an answer; undefined for one that is none. */
export function jsonOf(body: RecordedBody): JsonTree | undefined {
  if (body.kind === 'json') return body.tree
  if (body.kind === 'binary' || body.spelling === undefined) return undefined
  return readTree(body.text)
}

type JsonBody = Extract<RecordedBody, { kind: 'json' }>

/** Compact texts in UTF-8 spelling of bodies that were read and not changed since: a copy with another tree has none. */
const texts = new WeakMap<RecordedBody, string>()

/**
 * A body of which only the text was read: it becomes a tree when somebody wants to know what it says.
 * @param json valid JSON, in any layout
 */
export function readBody(json: string, spelling: Spelling): JsonBody {
  const text = compactJson(json)
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

function treeOf(text: string): JsonTree {
  const reading = readJson(text)
  if (!reading.ok) throw new Error(`JSON that was read could not be read again: ${reading.fault.message}`)
  return reading.tree
}

/** The bytes of bodies as they came, in their own spelling. */
const asReceived = new WeakMap<RecordedBody, Uint8Array>()

/** The same body; whoever wants its text in its own spelling has it at hand. @param text `writeCompact` of its tree, in UTF-8 */
export function withText(body: JsonBody, text: Uint8Array): JsonBody {
  asReceived.set(body, text)
  return body
}

/** How long the text of a body is, in characters, where it is known without its tree and without writing it. */
export const textLength = (body: RecordedBody): number | undefined =>
  (asReceived.get(body) ?? texts.get(body))?.length

/** The text of a body in that spelling, where it is at hand without its tree. */
export function textAtHand(body: RecordedBody, spelling: Spelling): Uint8Array | undefined {
  const received = body.kind === 'json' && body.spelling === spelling ? asReceived.get(body) : undefined
  if (received !== undefined) return received
  const text = texts.get(body)
  if (text === undefined) return undefined
  return spelling === 'ascii' ? asciiBytes(text) : Buffer.from(text)
}

/** An object of these members of a body alone; of one whose text was read, numbers are in JavaScript's spelling. */
export function membersOfBody(body: JsonBody, names: readonly string[]): JsonTree {
  const text = texts.get(body)
  if (text === undefined) return objectOf(membersOf(body.tree).filter(({ key }) => names.includes(key)))
  const answer = names.some((name) => text.includes(`"${name}":`)) ? parsePlain(text) : undefined
  if (!isPlainObject(answer)) return objectOf([])
  return objectOf(
    names.flatMap((key) => (Object.hasOwn(answer, key) ? [{ key, value: treeOfPlain(answer[key]) }] : [])),
  )
}
