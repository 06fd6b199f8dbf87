/** The JSON and the bytes of a recorded body, however it is recorded. */
import { type JsonTree, membersOf, objectOf } from '../json/json-tree.ts'
import { fromPlain, isPlainObject, parsePlain } from '../json/plain-json.ts'
import { readTree } from '../json/read-json.ts'
import { asciiBytes, type Spelling } from '../json/write-json.ts'
import type { RecordedBody } from './interaction.ts'

/** The JSON of an answer; undefined for one that is none. */
export function bodyJson(body: RecordedBody): JsonTree | undefined {
  if (body.kind === 'json') return body.tree
  if (body.kind === 'binary' || body.spelling === undefined) return undefined
  return readTree(body.text)
}

type JsonBody = Extract<RecordedBody, { kind: 'json' }>

/** Compact JSON, in UTF-8, of bodies from disk. A changed copy is another object, and has none. */
const compactTexts = new WeakMap<RecordedBody, Buffer>()

/** A body whose tree is built when it is first used. @param json valid and compact, in UTF-8 */
export function lazyJsonBody(json: Buffer, spelling: Spelling): JsonBody {
  let tree: JsonTree | undefined
  const body: JsonBody = {
    kind: 'json',
    get tree() {
      tree ??= readTree(json.toString())
      if (tree === undefined) throw new Error('expected valid JSON')
      return tree
    },
    spelling,
  }
  compactTexts.set(body, json)
  return body
}

/** The bytes that the wiki sent, in the body's own spelling. */
const receivedBytes = new WeakMap<RecordedBody, Uint8Array>()

/** Keeps the text of a body, so that it need not be written again. @param bytes `writeCompact` of its tree, in UTF-8 */
export function withReceivedBytes(body: JsonBody, bytes: Uint8Array): JsonBody {
  receivedBytes.set(body, bytes)
  return body
}

/** Length of a body's text in bytes; undefined where it would have to be written first. */
export const textLength = (body: RecordedBody): number | undefined =>
  (receivedBytes.get(body) ?? compactTexts.get(body))?.length

/** The text of a body in that spelling; undefined where it would have to be written first. */
export function cachedBodyText(body: RecordedBody, spelling: Spelling): Uint8Array | undefined {
  const received = body.kind === 'json' && body.spelling === spelling ? receivedBytes.get(body) : undefined
  if (received !== undefined) return received
  const text = compactTexts.get(body)
  if (text === undefined) return undefined
  return spelling === 'ascii' ? asciiBytes(text) : text
}

/** An object of only these members. From a body whose text was read, numbers are in JavaScript's spelling. */
export function selectBodyMembers(body: JsonBody, names: readonly string[]): JsonTree {
  const text = compactTexts.get(body)
  if (text === undefined) return objectOf(membersOf(body.tree).filter(({ key }) => names.includes(key)))
  const answer = names.some((name) => text.includes(`"${name}":`)) ? parsePlain(text.toString()) : undefined
  if (!isPlainObject(answer)) return objectOf([])
  return objectOf(
    names.flatMap((key) => (Object.hasOwn(answer, key) ? [{ key, value: fromPlain(answer[key]) }] : [])),
  )
}
