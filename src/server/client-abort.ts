/** Detects clients that leave before they have their answer. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AbortListenable } from '../upstream/upstream.ts'

/** Milliseconds between two probes of a connection whose other side is closed. */
const probeIntervalMs = 250

/**
 * Aborted where the client leaves before it has its answer. One that has closed its side may still read, so it is probed
 * with `100 Continue`: every client of HTTP/1.1 skips that, and the system of one that has gone resets the connection.
 */
export function abortSignalOf(
  { httpVersion, socket }: IncomingMessage,
  response: ServerResponse,
): AbortListenable {
  const abort = new ClientAbort()
  const probe = setInterval(() => {
    const isWaiting = response.socket !== null && !response.headersSent
    if (socket.readableEnded && isWaiting && httpVersion !== '1.0') response.writeContinue()
  }, probeIntervalMs)
  response.once('close', () => {
    clearInterval(probe)
    if (!response.writableFinished) abort.abort()
  })
  return abort
}

/** Every request has one, and an AbortController takes ten times as long to make. */
class ClientAbort implements AbortListenable {
  aborted = false
  readonly #listeners = new Set<() => void>()

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener)
  }

  abort(): void {
    this.aborted = true
    for (const listener of this.#listeners) listener()
  }
}
