/** A ready reply as bytes in a file: the length of its head, the head as JSON, the body. */
import type { Step } from '../playback/loop-guard.ts'
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

type Head = Pick<Reply, 'status' | 'headers' | 'key'> & { readonly origin?: Origin }

/** In two parts, so that no body is copied for it. */
export function encodeReady(
  { status, headers, body, key }: Reply,
  origin: Origin | undefined,
): readonly [head: Buffer, body: Buffer] {
  const text = JSON.stringify({ status, headers, key, origin })
  const head = Buffer.allocUnsafe(4 + Buffer.byteLength(text))
  head.writeUInt32LE(head.length - 4)
  head.write(text, 4)
  return [head, body]
}

/** @param bytes as `encodeReady` made them, one part behind the other */
export function decodeReady(bytes: Buffer): ReadyEntry {
  const end = 4 + bytes.readUInt32LE(0)
  const { status, headers, key, origin } = JSON.parse(bytes.toString('utf8', 4, end)) as Head
  return { reply: { status, headers, key, body: bytes.subarray(end), cassetteStatus: 'replayed' }, origin }
}
