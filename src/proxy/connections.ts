/** The open connections of a server: when it closes it waits for answers under way, and for nobody who asks nothing. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds in which a client that has just connected may still ask. */
const grace = 100

export class Connections {
  /** Each with the answer that was begun last. */
  readonly #open = new Map<Socket, ServerResponse | undefined>()
  /** Who waits until no connection is open any more; undefined before that is wanted. */
  #waiting: (() => void)[] | undefined

  add(socket: Socket): void {
    this.#open.set(socket, undefined)
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#endIfEmpty()
    })
  }

  /** Told of each request before it is answered. */
  begins(socket: Socket, response: ServerResponse): void {
    this.#open.set(socket, response)
    if (this.#waiting !== undefined) this.#endAfter(socket, response)
  }

  /** Lets requests under way finish, and resolves when no connection is open any more. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = [...(this.#waiting ?? []), resolve]
      for (const [socket, response] of this.#open) this.#endAfter(socket, response)
      this.#endIfEmpty()
    })
  }

  #endAfter(socket: Socket, response: ServerResponse | undefined): void {
    if (response === undefined) setTimeout(() => this.#endSilent(socket), grace)
    else if (response.writableFinished) socket.destroySoon()
    else response.once('finish', () => socket.destroySoon())
  }

  #endSilent(socket: Socket): void {
    if (this.#open.get(socket) === undefined) socket.destroy()
  }

  #endIfEmpty(): void {
    if (this.#open.size === 0) for (const resolve of this.#waiting ?? []) resolve()
  }
}
