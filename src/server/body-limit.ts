/** Reads request bodies up to a limit. */
import type { IncomingMessage } from 'node:http'

/** Drains up to so many times the limit, so that the client can read the 413; beyond, the socket is destroyed. */
const maxDrainFactor = 8

/** The whole body, or undefined where it is larger than the limit in bytes. @throws where the client disconnects */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let bytes = 0
    request.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes <= limit) parts.push(part)
      if (bytes > limit * maxDrainFactor) {
        request.destroy()
        resolve(undefined)
      }
    })
    request.on('end', () =>
      resolve(bytes > limit ? undefined : parts.length === 1 ? parts[0] : Buffer.concat(parts)),
    )
    request.on('error', reject)
  })
}
