/** Whether a wiki can be reached, told by a connection and nothing more: it is asked nothing, so nobody counts a request. */
import net, { isIP, type Socket } from 'node:net'
import tls from 'node:tls'
import type { UpstreamError } from '../upstream.ts'
import { type ConnectionTarget, toUpstreamError } from './connection-errors.ts'

/**
 * Connects once and hangs up; behind a proxy only to that, since what lies beyond is its secret. Keeps no process alive.
 * @returns why nobody answers there; undefined where somebody does
 */
export function whyUnreachable(target: ConnectionTarget): Promise<UpstreamError | undefined> {
  return new Promise((resolve) => {
    const finish = (why: UpstreamError | undefined): void => {
      socket.destroy()
      resolve(why)
    }
    const socket = connect(target, () => finish(undefined))
    socket.unref()
    socket.setTimeout(target.timeout, () => finish(toUpstreamError(new Error('silent'), 'timeout', target)))
    socket.on('error', (error) => finish(toUpstreamError(error, undefined, target)))
    socket.on('close', () => resolve(undefined))
  })
}

function connect({ origin, proxy, ca, insecure }: ConnectionTarget, onConnected: () => void): Socket {
  const { protocol, hostname, port } = new URL(proxy ?? origin)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isTls = protocol === 'https:'
  const address = { host, port: Number(port || (isTls ? 443 : 80)) }
  if (!isTls) return net.connect(address, onConnected)
  return tls.connect(
    {
      ...address,
      ...(isIP(host) ? {} : { servername: host }),
      ...(ca === undefined ? {} : { ca: [...ca] }),
      rejectUnauthorized: insecure !== true,
    },
    onConnected,
  )
}
