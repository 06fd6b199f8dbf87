/** Reads request bodies up to a limit. */
import type { IncomingMessage } from 'node:http'

/** Drains up to so many times the limit, so that the client can read the 413; beyond, the socket is destroyed. */
const maxDrainFactor = 8

/** The whole body, or undefined where it is larger than the limit in bytes. @throws where the client disconnects */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes <= limit) parts.push(part)
    // Leaving the loop destroys the request.
    else if (bytes > limit * maxDrainFactor) return undefined
  }
  return bytes > limit ? undefined : Buffer.concat(parts)
}
