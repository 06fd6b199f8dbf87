/** Whether a wiki can be reached, told by a connection and nothing more: it is asked nothing, so nobody counts a request. */
import net, { isIP, type Socket } from 'node:net'
import tls from 'node:tls'
import type { UpstreamError } from '../upstream.ts'
import { explain, type Way } from './connection-errors.ts'

/**
 * Connects once and hangs up; behind a proxy only to that, since what lies beyond is its secret. Keeps no process alive.
 * @returns why nobody answers there; undefined where somebody does
 */
export function whyUnreachable(way: Way): Promise<UpstreamError | undefined> {
  return new Promise((resolve) => {
    const end = (why: UpstreamError | undefined): void => {
      socket.destroy()
      resolve(why)
    }
    const socket = connection(way, () => end(undefined))
    socket.unref()
    socket.setTimeout(way.timeout, () => end(explain(new Error('silent'), 'timeout', way)))
    socket.on('error', (error) => end(explain(error, undefined, way)))
    socket.on('close', () => resolve(undefined))
  })
}

function connection({ origin, proxy, ca, insecure }: Way, connected: () => void): Socket {
  const { protocol, hostname, port } = new URL(proxy ?? origin)
  const host = hostname.replace(/^\[|\]$/g, '')
  const secure = protocol === 'https:'
  const at = { host, port: Number(port || (secure ? 443 : 80)) }
  if (!secure) return net.connect(at, connected)
  return tls.connect(
    {
      ...at,
      ...(isIP(host) ? {} : { servername: host }),
      ...(ca === undefined ? {} : { ca: [...ca] }),
      rejectUnauthorized: insecure !== true,
    },
    connected,
  )
}
