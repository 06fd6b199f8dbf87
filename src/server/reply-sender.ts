/** Writes replies and wikitape's own errors to the response of node:http. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Coding, chooseCoding, encodeInBackground } from '../http/content-encoding.ts'
import type { Reply } from '../http/incoming-request.ts'
import { type OwnError, ownErrorReply, replyHeaders } from '../http/reply-headers.ts'

export class ReplySender {
  /** Compressed bodies of cached replies. */
  readonly #compressed = new WeakMap<Reply, Map<Coding, Buffer>>()

  /** @returns a promise while the body is being compressed */
  send(request: IncomingMessage, response: ServerResponse, reply: Reply): void | Promise<void> {
    const accept = request.headers['accept-encoding']
    const coding = chooseCoding(typeof accept === 'string' ? accept : undefined, reply.body.length)
    const body = coding === 'identity' ? reply.body : this.#compressed.get(reply)?.get(coding)
    const write = (encoded: Buffer): void => {
      response.writeHead(reply.status, replyHeaders(reply, coding, encoded.length))
      if (reply.trouble === 'cut')
        response.write(encoded.subarray(0, encoded.length / 2), () => response.destroy())
      else response.end(request.method === 'HEAD' ? undefined : encoded)
    }
    return body === undefined ? this.#compress(reply, coding).then(write) : write(body)
  }

  async #compress(reply: Reply, coding: Coding): Promise<Buffer> {
    const body = await encodeInBackground(reply.body, coding)
    const known = this.#compressed.get(reply) ?? new Map<Coding, Buffer>()
    this.#compressed.set(reply, known.set(coding, body))
    return body
  }
}

export function sendError(response: ServerResponse, error: OwnError): void {
  const { headers, body } = ownErrorReply(error)
  response.writeHead(error.status, headers)
  response.end(body)
}

/** A response without a body. @param headers names and values in turn */
export function sendHead(response: ServerResponse, status: number, headers: string[]): void {
  response.writeHead(status, headers)
  response.end()
}
