/** What a cassette holds: one interaction for each request key, with its responses and their bodies; when two of these say the same. */
import { type JsonTree, membersOf, objectOf } from '../json/json-tree.ts'
import {
  fromPlain,
  isPlainObject,
  type PlainObject,
  parsePlain
} from '../json/plain-json.ts'
import { readTree } from '../json/read-json.ts'
import { asciiBytes, type Spelling, writeCompact } from '../json/write-json.ts'
import { type CanonicalRequest, digest, type RequestKey } from '../request/request-key.ts'
import { wordSet } from '../text/words.ts'
import {
  equalIgnoringVolatile,
  equalTextsIgnoringVolatile
} from '../wiki/answers/volatile.ts'
import type { SetCookie } from '../wiki/cookies/session-cookies.ts'

export interface Interaction {
  readonly key: RequestKey
  readonly request: CanonicalRequest
  /** Parameters as they were sent, where the key does not depend on their order or spelling. */
  readonly sentValues: ReadonlyMap<string, string>
  /** Request headers that the answer's `Vary` names, as they were sent, empty where they were not; absent where it names none that matters. */
  readonly chosenBy?: ReadonlyMap<string, string> | undefined
  /** If sessions without a name got different answers: who of them got which, in their order (playback/session/answer-order.ts). */
  readonly turns?: readonly string[] | undefined
  /** Members that a person or another program has written: kept as they are. */
  readonly notes?: PlainObject | undefined
  /** In the order of recording; one for a read, several where a session got different answers. */
  readonly responses: readonly [RecordedResponse, ...RecordedResponse[]]
}

/** One answer of the wiki, redacted and without `debuginfo`. */
export interface RecordedResponse {
  readonly status: number
  /** Lower-case names, sorted; only those that mean something to a client (`recordedHeaders`). */
  readonly headers: ReadonlyMap<string, string>
  readonly cookies: readonly RecordedCookie[]
  readonly body: RecordedBody
  /** How long the wiki took; absent up to one second, and where it was not measured. */
  readonly seconds?: number | undefined
  /** If it shows what other sessions wrote: after which of their writes it was given (playback/session/write-log.ts). */
  readonly afterOthers?: readonly string[] | undefined
  /** As those of the interaction. */
  readonly notes?: PlainObject | undefined
}

/** What is written over an older recording, with the notes of that one. */
export function withNotesOf(
  old: Interaction | undefined,
  fresh: Interaction
): Interaction {
  if (!old?.notes && !old?.responses.some(({ notes }) => notes)) return fresh
  const noted = (one: RecordedResponse, at: number) =>
    one.notes ? one : { ...one, notes: old.responses[at]?.notes }
  const [first, ...more] = fresh.responses
  const responses = [
    noted(first, 0),
    ...more.map((one, at) => noted(one, at + 1))
  ] as const
  return { ...fresh, notes: old.notes, responses }
}

/** A cookie that the wiki set; its value is empty, `deleted`, or a placeholder. */
export interface RecordedCookie extends SetCookie {
  /** Set where the user asked for the cookie, although it is not a session's. */
  readonly optedIn?: true
  /** Set where it is a session's although its name does not say so; the manifest lists it under `sessionCookies`. */
  readonly session?: true
}

export type RecordedBody =
  /** The answer as JSON, less `debuginfo` and `requestid`; written compactly in `spelling` it is what the wiki sent. */
  | { readonly kind: 'json'; readonly tree: JsonTree; readonly spelling: Spelling }
  /** Any other text. `spelling` is set for JSON that cannot be written back exactly: it fits only the same bare envelope. */
  | { readonly kind: 'text'; readonly text: string; readonly spelling?: Spelling }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array }

/** True where two sets of named texts (parameters, headers) are equal, in any order. */
export const sameTexts = (
  a: ReadonlyMap<string, string>,
  b: ReadonlyMap<string, string>
): boolean => a.size === b.size && [...a].every(([name, value]) => b.get(name) === value)

/** Response headers that are recorded; the others belong to the connection, the clock or the web server. */
export const recordedHeaders: ReadonlySet<string> = wordSet(
  'access-control-allow-credentials access-control-allow-origin access-control-expose-headers content-disposition ' +
    'content-language content-type location mediawiki-api-error retry-after'
)

/** True where a new recording adds nothing to the old one, so that its file need not be written; the time it took is nothing. */
export const sameRecording = (old: RecordedResponse, fresh: RecordedResponse): boolean =>
  old.status === fresh.status &&
  sameTexts(old.headers, fresh.headers) &&
  JSON.stringify(old.cookies) === JSON.stringify(fresh.cookies) &&
  sameBody(old.body, fresh.body)

function sameBody(a: RecordedBody, b: RecordedBody) {
  if (a.kind === 'json' && b.kind === 'json') return equalIgnoringVolatile(a.tree, b.tree)
  if (a.kind === 'text' && b.kind === 'text')
    return equalTextsIgnoringVolatile(a.text, b.text)
  return (
    a.kind === 'binary' && b.kind === 'binary' && Buffer.compare(a.bytes, b.bytes) === 0
  )
}

/** The first name or value of these headers that would end or split a header line. Source: RFC 9110, 5.1 and 5.5. */
export function findUnsendable(
  headers: ReadonlyMap<string, string>,
  cookies: readonly RecordedCookie[]
): string | undefined {
  const names = [...headers.keys()].filter((name) => !/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
  const parts = cookies.flatMap(({ name, value, attributes }) => [
    name,
    value,
    ...attributes
  ])
  const split = parts.find((part) => part.includes(';'))
  const values = [...headers.values(), ...parts].filter(
    (value) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)
  )
  return names[0] ?? values[0] ?? split
}

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
      if (!tree) throw new Error('expected valid JSON')
      return tree
    },
    spelling
  }
  return withText(body, json)
}

/** Keeps the text of a body, so that it need not be written again. @param text `writeCompact` of its tree, in its spelling */
export function withText(body: JsonBody, text: Uint8Array): JsonBody {
  texts.set(body, text)
  return body
}

/** The text of a body in that spelling; undefined where it would have to be written first. */
export function cachedBodyText(
  body: JsonBody | TextBody,
  spelling: Spelling
): Uint8Array | undefined {
  if (body.kind === 'text')
    return body.spelling === spelling ? Buffer.from(body.text) : undefined
  const text = texts.get(body)
  if (!text || body.spelling === spelling) return text
  return spelling === 'ascii' ? asciiBytes(text) : undefined
}

/** The answer as the wiki sent it, less what is not recorded. */
export function bodyBytes(body: RecordedBody): Uint8Array {
  const content = bodyContent(body)
  return typeof content === 'string' ? Buffer.from(content) : content
}

/** The bytes, or the text whose UTF-8 they are: a large one is not copied. */
function bodyContent(body: RecordedBody) {
  if (body.kind === 'binary') return body.bytes
  if (body.kind === 'text') return body.text
  return texts.get(body) ?? writeCompact(body.tree, body.spelling)
}

/** Tells whether an answer is the one that was sent. @param body also the bytes of one that is in no recording */
export const answerDigest = (body: RecordedBody | Uint8Array): string =>
  digest(body instanceof Uint8Array ? body : bodyContent(body), 16)

/** An object of only these members. From a body whose text was read, numbers are in JavaScript's spelling. */
export function selectBodyMembers(body: JsonBody, names: readonly string[]): JsonTree {
  const bytes = texts.get(body)
  if (!bytes)
    return objectOf(membersOf(body.tree).filter(({ key }) => names.includes(key)))
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const answer = names.some((name) => text.includes(`"${name}":`))
    ? parsePlain(text.toString())
    : undefined
  if (!isPlainObject(answer)) return objectOf([])
  return objectOf(
    names.flatMap((key) =>
      Object.hasOwn(answer, key) ? [{ key, value: fromPlain(answer[key]) }] : []
    )
  )
}
