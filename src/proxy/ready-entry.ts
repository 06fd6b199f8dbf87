/**
 * A ready reply as bytes in a file: the lengths of four texts and the marks of its recording, the texts, the body. It is
 * taken apart at each request, so nothing of it is parsed that another reply has told already.
 */
import type { Step } from '../playback/loop-guard.ts'
import { asRequestKey } from '../request/key.ts'
import type { Marks } from '../store/footing.ts'
import type { Reply } from './exchange.ts'

/** The recording that a reply was made of. */
export interface Origin {
  /** Relative to the cassette's folder. */
  readonly file: string
  /** Of the file, from before it was read. */
  readonly marks: Marks
  /** Where the answer leads a walk. */
  readonly step: Step | undefined
}

export interface ReadyEntry {
  readonly reply: Reply
  /** Undefined for a reply that is good in this process alone. */
  readonly origin: Origin | undefined
}

/** What thousands of replies say alike. */
type Common = Pick<Reply, 'status' | 'headers'>

/** Where the marks and the texts begin: common, key, file, step, in this order. */
const marksAt = 4 * 4
const textsAt = marksAt + 5 * 8
const unmarked: Marks = [0, 0, 0, 0, 0]

/** In two parts, so that no body is copied for it. */
export function encodeReady(
  { status, headers, body, key }: Reply,
  origin: Origin | undefined,
): readonly [head: Buffer, body: Buffer] {
  const step = origin?.step === undefined ? '' : JSON.stringify(origin.step)
  const texts = [JSON.stringify({ status, headers }), key ?? '', origin?.file ?? '', step]
  const bytes = texts.map((text) => Buffer.from(text))
  const numbers = Buffer.alloc(textsAt)
  for (const [at, { length }] of bytes.entries()) numbers.writeUInt32LE(length, 4 * at)
  for (const [at, mark] of (origin?.marks ?? unmarked).entries())
    numbers.writeDoubleLE(mark, marksAt + 8 * at)
  return [Buffer.concat([numbers, ...bytes]), body]
}

/** @param bytes as `encodeReady` made them, one part behind the other */
export function decodeReady(bytes: Buffer): ReadyEntry {
  const keyAt = textsAt + bytes.readUInt32LE(0)
  const fileAt = keyAt + bytes.readUInt32LE(4)
  const stepAt = fileAt + bytes.readUInt32LE(8)
  const bodyAt = stepAt + bytes.readUInt32LE(12)
  const { status, headers } = commonOf(bytes.toString('utf8', textsAt, keyAt))
  const key = keyAt === fileAt ? undefined : asRequestKey(bytes.toString('latin1', keyAt, fileAt))
  const reply: Reply = { status, headers, key, body: bytes.subarray(bodyAt), cassetteStatus: 'replayed' }
  if (fileAt === stepAt) return { reply, origin: undefined }
  const step = stepAt === bodyAt ? undefined : (JSON.parse(bytes.toString('utf8', stepAt, bodyAt)) as Step)
  return { reply, origin: { file: bytes.toString('utf8', fileAt, stepAt), marks: marksIn(bytes), step } }
}

const marksIn = (bytes: Buffer): Marks => [
  bytes.readDoubleLE(marksAt),
  bytes.readDoubleLE(marksAt + 8),
  bytes.readDoubleLE(marksAt + 16),
  bytes.readDoubleLE(marksAt + 24),
  bytes.readDoubleLE(marksAt + 32),
]

/** By their text; the same few come again and again. */
const commons = new Map<string, Common>()
const mostCommons = 100

function commonOf(text: string): Common {
  const known = commons.get(text)
  if (known !== undefined) return known
  const common = JSON.parse(text) as Common
  if (commons.size >= mostCommons) commons.clear()
  commons.set(text, common)
  return common
}
