/** A ready reply as bytes in a file: the length of its head, the head as JSON, the body. */
import type { Reply } from './exchange.ts'

export function encodeReady({ status, headers, body, key }: Reply): Buffer {
  const head = Buffer.from(JSON.stringify({ status, headers, key }))
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32LE(head.length)
  return Buffer.concat([length, head, body])
}

/** @param bytes as `encodeReady` made them */
export function decodeReady(bytes: Buffer): Reply {
  const end = 4 + bytes.readUInt32LE(0)
  const { status, headers, key } = JSON.parse(bytes.toString('utf8', 4, end)) as Pick<
    Reply,
    'status' | 'headers' | 'key'
  >
  return { status, headers, body: bytes.subarray(end), cassetteStatus: 'replayed', key }
}
