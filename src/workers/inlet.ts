/** A server that listens nowhere: its connections are handed to it. */
import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { serverFor } from '../proxy/server.ts'

export class Inlet {
  readonly #server: Server
  /** Open connections, each with the answer that was begun last. */
  readonly #open = new Map<Socket, ServerResponse | undefined>()
  #closing: (() => void) | undefined

  constructor(listener: RequestListener, report: (line: string) => void) {
    this.#server = serverFor((request, response) => {
      this.#open.set(request.socket, response)
      if (this.#closing !== undefined) this.#endAfter(request.socket, response)
      listener(request, response)
    }, report)
    // From then on Node ends connections whose request does not come in time; this server never listens by itself.
    this.#server.emit('listening')
  }

  /** @param socket paused, so that nothing of what the client says is lost on the way */
  take(socket: Socket): void {
    // Who has said all may still be answered, as where a server has accepted the connection itself.
    socket.allowHalfOpen = true
    this.#open.set(socket, undefined)
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#endIfEmpty()
    })
    this.#server.emit('connection', socket)
    socket.resume()
  }

  /** Lets requests under way finish, then closes. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#closing = resolve
      for (const [socket, response] of this.#open) this.#endAfter(socket, response)
      this.#endIfEmpty()
    })
  }

  #endAfter(socket: Socket, response: ServerResponse | undefined): void {
    if (response === undefined || response.writableFinished) socket.destroy()
    else response.once('finish', () => socket.destroySoon())
  }

  #endIfEmpty(): void {
    if (this.#open.size === 0) this.#closing?.()
  }
}
