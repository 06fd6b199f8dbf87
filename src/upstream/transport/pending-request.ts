/** One request on its way to the wiki: its response, or why there will be none. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { AbortReason, ConnectionTarget } from '../connection/connection-errors.ts'
import { failureCode } from '../failure-code.ts'
import { UpstreamError, type UpstreamRequest } from '../upstream.ts'
import { withResolvers } from '../with-resolvers.ts'

export class PendingRequest {
  readonly request: UpstreamRequest
  readonly response: Promise<IncomingMessage>
  readonly succeed: (response: IncomingMessage) => void
  readonly fail: (error: unknown) => void
  /** Why this side ended the request. */
  abortReason: AbortReason | undefined
  #outgoing: ClientRequest | undefined

  constructor(request: UpstreamRequest) {
    const { promise, resolve, reject } = withResolvers<IncomingMessage>()
    this.request = request
    this.response = promise
    this.succeed = resolve
    this.fail = reject
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
      this.fail(new UpstreamError('undecodable', `${origin} wants to switch protocols (status 101)`))
    })
    // http-proxy starts this timer only once the connection is established.
    outgoing.socket?.setTimeout(timeout)
  }

  /** True where the wiki closed a keep-alive connection just as it was used again: the request can be sent again. */
  isStale(error: unknown): boolean {
    const isReused = this.#outgoing?.reusedSocket === true && this.abortReason === undefined
    // When reading, when writing.
    const isClosed = ['ECONNRESET', 'EPIPE'].includes(failureCode(error))
    return isReused && this.request.method === 'GET' && isClosed
  }
}
