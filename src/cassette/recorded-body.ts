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

export type JsonBody = Extract<RecordedBody, { kind: 'json' }>
export type TextBody = Extract<RecordedBody, { kind: 'text' }>

/** Compact JSON of bodies, in their own spelling, as the disk or the wiki gave it. A changed copy is another object, and has none. */
const texts = new WeakMap<JsonBody, Uint8Array>()

/** A body whose tree is built when it is first used. @param json valid and compact, in this spelling */
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
  return withText(body, json)
}

/** Keeps the text of a body, so that it need not be written again. @param text `writeCompact` of its tree, in its spelling */
export function withText(body: JsonBody, text: Uint8Array): JsonBody {
  texts.set(body, text)
  return body
}

/** The text of a body in that spelling; undefined where it would have to be written first. */
export function cachedBodyText(body: JsonBody | TextBody, spelling: Spelling): Uint8Array | undefined {
  if (body.kind === 'text') return body.spelling === spelling ? Buffer.from(body.text) : undefined
  const text = texts.get(body)
  if (text === undefined || body.spelling === spelling) return text
  return spelling === 'ascii' ? asciiBytes(text) : undefined
}

/** An object of only these members. From a body whose text was read, numbers are in JavaScript's spelling. */
export function selectBodyMembers(body: JsonBody, names: readonly string[]): JsonTree {
  const bytes = texts.get(body)
  if (bytes === undefined) return objectOf(membersOf(body.tree).filter(({ key }) => names.includes(key)))
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const answer = names.some((name) => text.includes(`"${name}":`)) ? parsePlain(text.toString()) : undefined
  if (!isPlainObject(answer)) return objectOf([])
  return objectOf(
    names.flatMap((key) => (Object.hasOwn(answer, key) ? [{ key, value: fromPlain(answer[key]) }] : [])),
  )
}
