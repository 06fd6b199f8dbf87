/** The open connections of a server. When it closes, requests that came in whole get their answers, and nothing holds it up for long. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds in which a client that has just connected may still send its request. */
const grace = 100
/** Milliseconds that answers may take after close(): a wiki that stays silent, or a client that does not read, is cut off. */
const limit = 1200

export class Connections {
  /** Each with its answers that have not been sent, in order; the last may have been. */
  readonly #open = new Map<Socket, ServerResponse[]>()
  /** Called when no connection is open any more; undefined before close(). */
  #waiting: (() => void)[] | undefined
  #graceIsOver = false

  add(socket: Socket): void {
    this.#open.set(socket, [])
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#resolveIfEmpty()
    })
  }

  /** Called with each request before it is answered. */
  begins(socket: Socket, response: ServerResponse): void {
    const answers = this.#open.get(socket)
    if (answers === undefined) return
    // They are sent in order: with the last, all have been.
    if (answers.at(-1)?.writableFinished === true) answers.length = 0
    answers.push(response)
    if (this.#waiting !== undefined) response.once('finish', () => this.#endIfAnswered(socket))
  }

  /** Drops incomplete requests, lets the others finish, and resolves when no connection is open any more. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = [...(this.#waiting ?? []), resolve]
      for (const [socket, answers] of this.#open) {
        for (const one of answers) one.once('finish', () => this.#endIfAnswered(socket))
        if (answers.length > 0) this.#endIfAnswered(socket)
      }
      setTimeout(() => this.#endGrace(), grace)
      setTimeout(() => this.#dropAll(), limit).unref()
      this.#resolveIfEmpty()
    })
  }

  #endGrace(): void {
    this.#graceIsOver = true
    for (const socket of this.#open.keys()) this.#endIfAnswered(socket)
  }

  #endIfAnswered(socket: Socket): void {
    const due = (this.#open.get(socket) ?? []).filter((one) => !one.writableFinished)
    if (due.length === 0) socket.destroySoon()
    else if (this.#graceIsOver && due.every(({ req }) => !req.complete)) socket.destroy()
  }

  #dropAll(): void {
    for (const socket of this.#open.keys()) socket.destroy()
  }

  #resolveIfEmpty(): void {
    if (this.#open.size === 0) for (const resolve of this.#waiting ?? []) resolve()
  }
}
