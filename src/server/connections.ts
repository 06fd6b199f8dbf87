/** The open connections of a server. When it closes, complete requests still get their replies, within 1.2 s. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds after close() in which a client that has just connected may still send its request. */
const graceMs = 100
/** Milliseconds after close() until every connection is destroyed. */
const closeLimitMs = 1200

export class Connections {
  readonly #unsentBySocket = new Map<Socket, Set<ServerResponse>>()
  #isClosing = false
  #isGraceOver = false

  add(socket: Socket): void {
    this.#unsentBySocket.set(socket, new Set())
    socket.once('close', () => this.#unsentBySocket.delete(socket))
  }

  /** To be called with each response before it is written. */
  track(socket: Socket, response: ServerResponse): void {
    const unsent = this.#unsentBySocket.get(socket)
    unsent?.add(response)
    response.once('finish', () => {
      unsent?.delete(response)
      if (this.#isClosing) this.#endIfAnswered(socket)
    })
  }

  /** Drops incomplete requests, and lets the others finish. The server itself ends connections that are idle. */
  close(): void {
    this.#isClosing = true
    setTimeout(() => {
      this.#isGraceOver = true
      for (const socket of this.#unsentBySocket.keys()) this.#endIfAnswered(socket)
    }, graceMs)
    setTimeout(() => {
      for (const socket of this.#unsentBySocket.keys()) socket.destroy()
    }, closeLimitMs).unref()
  }

  #endIfAnswered(socket: Socket): void {
    const unsent = [...(this.#unsentBySocket.get(socket) ?? [])]
    if (unsent.length === 0) socket.destroySoon()
    else if (this.#isGraceOver && unsent.every(({ req }) => !req.complete)) socket.destroy()
  }
}
