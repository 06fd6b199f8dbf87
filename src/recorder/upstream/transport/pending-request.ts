/** One request on its way to the wiki: its response, read whole, or why there will be none. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import type { AbortReason, ConnectionTarget } from '../connection/connection-errors.ts'
import {
  decodeContent,
  receivedHeaders,
  tooLargeError,
  unsupportedTransferCoding
} from '../forwarded-headers.ts'
import { failureCode, UpstreamError, type UpstreamRequest } from '../upstream.ts'

export class PendingRequest {
  readonly request: UpstreamRequest
  succeed: (response: IncomingMessage) => void = () => undefined
  fail: (error: unknown) => void = () => undefined
  readonly response: Promise<IncomingMessage>
  /** Why this side ended the request. */
  abortReason: AbortReason | undefined
  #outgoing: ClientRequest | undefined

  constructor(request: UpstreamRequest) {
    this.request = request
    this.response = new Promise((resolve, reject) => {
      this.succeed = resolve
      this.fail = reject
    })
  }

  /** http-proxy itself lets the request run on when the client leaves. */
  abort(why: AbortReason): void {
    this.abortReason ??= why
    this.#outgoing?.destroy()
    this.fail(new Error(why))
  }

  /** Fails the request where its connection does. @param outgoing has just been given a connection */
  watch(outgoing: ClientRequest, { origin, timeout }: ConnectionTarget): void {
    this.#outgoing = outgoing
    outgoing.once('timeout', () => {
      this.abortReason ??= 'timeout'
    })
    // Such an answer would never end.
    outgoing.once('upgrade', (_, socket) => {
      socket.destroy()
      this.fail(
        new UpstreamError(
          'undecodable',
          `${origin} wants to switch protocols (status 101)`
        )
      )
    })
    // http-proxy starts this timer only once the connection is established.
    outgoing.socket?.setTimeout(timeout)
  }

  /** True where the wiki closed a keep-alive connection just as it was used again: the request can be sent again. */
  isStale(error: unknown): boolean {
    const isReused =
      this.#outgoing?.reusedSocket === true && this.abortReason === undefined
    // When reading, when writing.
    const isClosed = ['ECONNRESET', 'EPIPE'].includes(failureCode(error))
    return isReused && this.request.method === 'GET' && isClosed
  }
}

/** Reads a whole response of the wiki, decoded. @param maxBytes of the body, before and after decoding @throws UpstreamError */
export async function readAnswer(
  response: IncomingMessage,
  origin: string,
  maxBytes: number
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
    body: await decodeContent(
      encoded,
      response.headers['content-encoding'] ?? '',
      maxBytes
    )
  }
}

async function readBody(response: IncomingMessage, origin: string, maxBytes: number) {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      // Leaving the loop destroys the response.
      if (bytes > maxBytes) throw tooLargeError(maxBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof UpstreamError) throw error
    throw new UpstreamError(
      'reset',
      `${origin} closed the connection after ${bytes} bytes of an incomplete response`,
      error
    )
  }
  return Buffer.concat(chunks)
}
