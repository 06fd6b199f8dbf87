/** What a recorded body says, whichever way it is kept. */
import { compactJson } from '../json/compact-json.ts'
import { type JsonTree, membersOf, objectOf } from '../json/json-tree.ts'
import { fromPlain, isPlainObject, parsePlain } from '../json/plain-json.ts'
import { readJson, readTree } from '../json/read-json.ts'
import { asciiBytes, type Spelling } from '../json/write-json.ts'
import type { RecordedBody } from './interaction.ts'

/** The JSON of an answer; undefined for one that is none. */
export function bodyJson(body: RecordedBody): JsonTree | undefined {
  if (body.kind === 'json') return body.tree
  if (body.kind === 'binary' || body.spelling === undefined) return undefined
  return readTree(body.text)
}

type JsonBody = Extract<RecordedBody, { kind: 'json' }>

/** Compact texts in UTF-8 spelling of bodies that were read and not changed since: a copy with another tree has none. */
const compactTexts = new WeakMap<RecordedBody, string>()

/**
 * A body of which only the text was read: it becomes a tree when somebody wants to know what it says.
 * @param json valid JSON, in any layout
 */
export function lazyJsonBody(json: string, spelling: Spelling): JsonBody {
  const text = compactJson(json)
  let tree: JsonTree | undefined
  const body: JsonBody = {
    kind: 'json',
    get tree() {
      tree ??= parseTree(text)
      return tree
    },
    spelling,
  }
  compactTexts.set(body, text)
  return body
}

function parseTree(text: string): JsonTree {
  const reading = readJson(text)
  if (!reading.ok) throw new Error(`JSON that was read could not be read again: ${reading.fault.message}`)
  return reading.tree
}

/** The bytes of bodies as they came, in their own spelling. */
const receivedBytes = new WeakMap<RecordedBody, Uint8Array>()

/** The same body; whoever wants its text in its own spelling has it at hand. @param bytes `writeCompact` of its tree, in UTF-8 */
export function withReceivedBytes(body: JsonBody, bytes: Uint8Array): JsonBody {
  receivedBytes.set(body, bytes)
  return body
}

/** How long the text of a body is, in characters, where it is known without its tree and without writing it. */
export const textLength = (body: RecordedBody): number | undefined =>
  (receivedBytes.get(body) ?? compactTexts.get(body))?.length

/** The text of a body in that spelling, where it is at hand without its tree. */
export function cachedBodyText(body: RecordedBody, spelling: Spelling): Uint8Array | undefined {
  const received = body.kind === 'json' && body.spelling === spelling ? receivedBytes.get(body) : undefined
  if (received !== undefined) return received
  const text = compactTexts.get(body)
  if (text === undefined) return undefined
  return spelling === 'ascii' ? asciiBytes(text) : Buffer.from(text)
}

/** An object of these members of a body alone; of one whose text was read, numbers are in JavaScript's spelling. */
export function selectBodyMembers(body: JsonBody, names: readonly string[]): JsonTree {
  const text = compactTexts.get(body)
  if (text === undefined) return objectOf(membersOf(body.tree).filter(({ key }) => names.includes(key)))
  const answer = names.some((name) => text.includes(`"${name}":`)) ? parsePlain(text) : undefined
  if (!isPlainObject(answer)) return objectOf([])
  return objectOf(
    names.flatMap((key) => (Object.hasOwn(answer, key) ? [{ key, value: fromPlain(answer[key]) }] : [])),
  )
}
