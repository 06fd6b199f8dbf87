/** Writes replies and wikitape's own errors to the response of node:http. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Coding, chooseCoding, encodeAside } from './encode.ts'
import type { Reply } from './exchange.ts'
import { type OwnError, ownErrorReply, replyHead } from './reply-head.ts'

/** A reply in one content coding. */
interface EncodedReply {
  readonly head: string[]
  readonly body: Buffer
}

export class ReplySender {
  /** Replies that are sent again need not be encoded again. */
  readonly #encoded = new WeakMap<Reply, Map<Coding, EncodedReply>>()

  async send(request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<void> {
    const accept = request.headers['accept-encoding']
    const coding = chooseCoding(typeof accept === 'string' ? accept : undefined, reply.body.length)
    const { head, body } = this.#encoded.get(reply)?.get(coding) ?? (await this.#encode(reply, coding))
    response.writeHead(reply.status, head)
    response.end(request.method === 'HEAD' ? undefined : body)
  }

  async #encode(reply: Reply, coding: Coding): Promise<EncodedReply> {
    const body = await encodeAside(reply.body, coding)
    const encoded = { head: replyHead(reply, coding, body.length), body }
    const known = this.#encoded.get(reply) ?? new Map<Coding, EncodedReply>()
    this.#encoded.set(reply, known.set(coding, encoded))
    return encoded
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
