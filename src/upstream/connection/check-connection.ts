/** Checks whether a wiki can be reached by connecting to it, without sending a request. */
import type { UpstreamError } from '../upstream.ts'
import { connectTo, tlsOptionsOf } from './connect.ts'
import { type ConnectionTarget, toUpstreamError } from './connection-errors.ts'

/** Why nothing answers there; undefined where something does. Behind a proxy only that is connected to. */
export function whyUnreachable(target: ConnectionTarget): Promise<UpstreamError | undefined> {
  const { proxy, origin, insecure, timeout } = target
  const options = { ...tlsOptionsOf(target), rejectUnauthorized: insecure !== true }
  return new Promise((resolve) => {
    const finish = (why: UpstreamError | undefined): void => {
      socket.destroy()
      resolve(why)
    }
    const socket = connectTo(new URL(proxy ?? origin), options, () => finish(undefined))
    socket.unref()
    socket.setTimeout(timeout, () => finish(toUpstreamError(new Error('silent'), 'timeout', target)))
    socket.on('error', (error) => finish(toUpstreamError(error, undefined, target)))
    socket.on('close', () => resolve(undefined))
  })
}
