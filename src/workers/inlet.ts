/** A server that listens nowhere: its connections are handed to it. */
import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import { Connections } from '../proxy/connections.ts'
import { serverFor } from '../proxy/server.ts'

export class Inlet {
  readonly #server: Server
  readonly #connections = new Connections()

  constructor(listener: RequestListener, report: (line: string) => void) {
    this.#server = serverFor((request, response) => {
      this.#connections.begins(request.socket, response)
      listener(request, response)
    }, report)
    // From then on Node ends connections whose request does not come in time; this server never listens by itself.
    this.#server.emit('listening')
  }

  /** @param socket paused, so that nothing of what the client says is lost on the way */
  take(socket: Socket): void {
    // Who has said all may still be answered, as where a server has accepted the connection itself.
    socket.allowHalfOpen = true
    this.#connections.add(socket)
    this.#server.emit('connection', socket)
    socket.resume()
  }

  /** Gives requests under way 1.2 s to finish, then closes. */
  close(): Promise<void> {
    return this.#connections.close()
  }
}
