/** The open connections of a server. When it closes, complete requests still get their replies, within 1.2 s. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds after close() in which a client that has just connected may still send its request. */
const graceMs = 100
/** Milliseconds after close() until every connection is destroyed. */
const closeLimitMs = 1200

export class Connections {
  /** Responses of each connection that are not sent yet, in order; the last may be. */
  readonly #unsentBySocket = new Map<Socket, ServerResponse[]>()
  /** Called when no connection is left; undefined before close(). */
  #closeListeners: (() => void)[] | undefined
  #isGraceOver = false

  add(socket: Socket): void {
    this.#unsentBySocket.set(socket, [])
    socket.once('close', () => {
      this.#unsentBySocket.delete(socket)
      this.#resolveIfEmpty()
    })
  }

  /** To be called with each response before it is written. */
  track(socket: Socket, response: ServerResponse): void {
    const answers = this.#unsentBySocket.get(socket)
    if (answers === undefined) return
    // Sent in order: once the last is sent, all are.
    if (answers.at(-1)?.writableFinished === true) answers.length = 0
    answers.push(response)
    if (this.#closeListeners !== undefined) response.once('finish', () => this.#endIfAnswered(socket))
  }

  /** Drops incomplete requests, lets the others finish, and resolves when no connection is left. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#closeListeners = [...(this.#closeListeners ?? []), resolve]
      for (const [socket, answers] of this.#unsentBySocket) {
        for (const one of answers) one.once('finish', () => this.#endIfAnswered(socket))
        if (answers.length > 0) this.#endIfAnswered(socket)
      }
      setTimeout(() => this.#endGrace(), graceMs)
      setTimeout(() => this.#dropAll(), closeLimitMs).unref()
      this.#resolveIfEmpty()
    })
  }

  #endGrace(): void {
    this.#isGraceOver = true
    for (const socket of this.#unsentBySocket.keys()) this.#endIfAnswered(socket)
  }

  #endIfAnswered(socket: Socket): void {
    const unsent = (this.#unsentBySocket.get(socket) ?? []).filter((one) => !one.writableFinished)
    if (unsent.length === 0) socket.destroySoon()
    else if (this.#isGraceOver && unsent.every(({ req }) => !req.complete)) socket.destroy()
  }

  #dropAll(): void {
    for (const socket of this.#unsentBySocket.keys()) socket.destroy()
  }

  #resolveIfEmpty(): void {
    if (this.#unsentBySocket.size === 0) for (const resolve of this.#closeListeners ?? []) resolve()
  }
}
