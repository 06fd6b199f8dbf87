/** Detects clients that disconnect before they have their reply. */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Between two probes of a connection whose other side is closed. */
const probeIntervalMs = 250

/**
 * Aborted when the client disconnects before it has its reply. A client that has closed its side may still read, so it is
 * probed with `100 Continue`: every client of HTTP/1.1 skips that, and the system of one that is gone resets the connection.
 */
export function abortSignalOf(
  { httpVersion, socket }: IncomingMessage,
  response: ServerResponse,
): AbortSignal {
  const controller = new AbortController()
  const probe = setInterval(() => {
    const isWaiting = response.socket !== null && !response.headersSent
    if (socket.readableEnded && isWaiting && httpVersion !== '1.0') response.writeContinue()
  }, probeIntervalMs)
  response.once('close', () => {
    clearInterval(probe)
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}
