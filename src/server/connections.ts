/** The open connections of a server. When it closes, requests that came in whole get their answers, and nothing holds it up for long. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds in which a client that has just connected may still send its request. */
const graceMs = 100
/** Milliseconds that answers may take after close(): a wiki that stays silent, or a client that does not read, is cut off. */
const closeLimitMs = 1200

export class Connections {
  /** Each with its answers that have not been sent, in order; the last may have been. */
  readonly #unsentBySocket = new Map<Socket, ServerResponse[]>()
  /** Called when no connection is open any more; undefined before close(). */
  #closeListeners: (() => void)[] | undefined
  #isGraceOver = false

  add(socket: Socket): void {
    this.#unsentBySocket.set(socket, [])
    socket.once('close', () => {
      this.#unsentBySocket.delete(socket)
      this.#resolveIfEmpty()
    })
  }

  /** Called with each request before it is answered. */
  track(socket: Socket, response: ServerResponse): void {
    const answers = this.#unsentBySocket.get(socket)
    if (answers === undefined) return
    // They are sent in order: with the last, all have been.
    if (answers.at(-1)?.writableFinished === true) answers.length = 0
    answers.push(response)
    if (this.#closeListeners !== undefined) response.once('finish', () => this.#endIfAnswered(socket))
  }

  /** Drops incomplete requests, lets the others finish, and resolves when no connection is open any more. */
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
