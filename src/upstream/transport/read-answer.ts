/** Reads a whole response of the wiki, decoded, or says why it is none. */
import type { IncomingMessage } from 'node:http'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import { decodeContent, tooLargeError } from '../content-decoding.ts'
import { receivedHeaders, unsupportedTransferCoding } from '../forwarded-headers.ts'
import { UpstreamError } from '../upstream.ts'
import { withResolvers } from '../with-resolvers.ts'

/** @param maxBytes of the body, before and after decoding @throws UpstreamError */
export async function readAnswer(
  response: IncomingMessage,
  origin: string,
  maxBytes: number,
): Promise<WikiAnswer> {
  const status = response.statusCode ?? 0
  const coding = unsupportedTransferCoding(response.headers)
  if (status < 200 || status > 599 || coding !== undefined) {
    response.destroy()
    const why =
      coding === undefined
        ? `with status ${status}, which is not a valid HTTP status`
        : `in the transfer coding ${coding}, which was not requested`
    throw new UpstreamError('undecodable', `${origin} answers ${why}`)
  }
  const encoded = await readBody(response, origin, maxBytes)
  return {
    status,
    headers: receivedHeaders(response.headers),
    setCookies: response.headers['set-cookie'] ?? [],
    body: await decodeContent(encoded, response.headers['content-encoding'] ?? '', maxBytes),
  }
}

/** By events: iterating over a stream costs several turns of the event loop more. */
function readBody(response: IncomingMessage, origin: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  const { promise, resolve, reject } = withResolvers<Buffer>()
  const onBrokenOff = (error?: Error): void => {
    const why = `${origin} closed the connection after ${bytes} bytes of an incomplete response`
    reject(new UpstreamError('reset', why, error))
  }
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= maxBytes) return void chunks.push(chunk)
    reject(tooLargeError(maxBytes))
    response.destroy()
  })
  response.on('end', () => resolve(Buffer.concat(chunks)))
  response.on('error', onBrokenOff)
  response.on('close', () => {
    if (!response.readableEnded) onBrokenOff()
  })
  return promise
}
