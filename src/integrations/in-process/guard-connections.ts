/** Refuses connections beneath all libraries. Also part of a preload (refuse-wikis.ts), so it imports little. */
import net, { type Socket } from 'node:net'
import { replaceMethod } from './in-process-request.ts'

type Connect = (this: Socket, ...given: readonly unknown[]) => Socket

/**
 * Beneath all libraries: a client whose requests cannot be intercepted (XMLHttpRequest of jsdom, an undici that a test loads
 * while it runs) must not reach a wiki unseen. @param check throws if no connection to this address may be made
 */
export const guardConnections = (
  check: (host: string, port: number) => void
): (() => void) =>
  replaceMethod(
    net.Socket.prototype,
    'connect',
    (original: Connect): Connect =>
      function connect(...given) {
        const [host, port] = addressOf(given)
        try {
          if (port > 0) check(host, port)
        } catch (error) {
          const refusal = error instanceof Error ? error : new Error(String(error))
          process.nextTick(() => this.destroy(refusal))
          return this
        }
        return Reflect.apply(original, this, given)
      }
  )

/** Port 0 for a pipe. Source: https://nodejs.org/api/net.html#socketconnect; node:net itself hands on a list of arguments */
function addressOf([first, second]: readonly unknown[]): readonly [
  host: string,
  port: number
] {
  if (Array.isArray(first)) return addressOf(first)
  if (typeof first !== 'object' || first === null)
    return [typeof second === 'string' ? second : 'localhost', Number(first) || 0]
  const { host, port, path } = first as {
    readonly [name in 'host' | 'port' | 'path']?: unknown
  }
  // An agent of node:http sends null.
  return [String(host ?? 'localhost'), typeof path === 'string' ? 0 : Number(port) || 0]
}
