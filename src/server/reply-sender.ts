/** Writes replies and wikitape's own errors to the response of node:http. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Coding, chooseCoding, encodeBody } from '../http/content-encoding.ts'
import type { Reply } from '../http/incoming-request.ts'
import { type OwnError, ownErrorReply, replyHeaders } from '../http/reply-headers.ts'
import { getOrAdd } from '../text/group-by.ts'

export class ReplySender {
  /** Compressed bodies of cached replies. */
  readonly #compressed = new WeakMap<Reply, Map<Coding, Buffer>>()

  send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
    const accept = request.headers['accept-encoding']
    const coding = chooseCoding(typeof accept === 'string' ? accept : undefined, reply.body.length)
    const body = coding === 'identity' ? reply.body : this.#compress(reply, coding)
    response.writeHead(reply.status, replyHeaders(reply, coding, body.length))
    if (reply.trouble === 'cut') response.write(body.subarray(0, body.length / 2), () => response.destroy())
    else response.end(request.method === 'HEAD' ? undefined : body)
  }

  #compress(reply: Reply, coding: Coding): Buffer {
    const bodies = getOrAdd(this.#compressed, reply, () => new Map<Coding, Buffer>())
    return getOrAdd(bodies, coding, () => encodeBody(reply.body, coding))
  }
}

export function sendError(response: ServerResponse, error: OwnError): void {
  const { headers, body } = ownErrorReply(error)
  response.writeHead(error.status, headers).end(body)
}
