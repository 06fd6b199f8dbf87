/** The server that a request is meant for, where it came to wikitape as to a forward proxy. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { OwnError } from '../../http/reply-headers.ts'
import { isLocalAddress } from '../../privacy/secrets/secret.ts'

export interface InterceptedRequest {
  /** Scheme, host, and port unless it is the usual one. */
  readonly origin: string
  /** Path and query. */
  readonly target: string
}

/** Where the tunnel of each connection leads, e.g. `https://en.wikipedia.org`. */
export type TunnelOrigins = WeakMap<Duplex, string>

/** Undefined for requests to wikitape itself. Source: RFC 9112, 3.2.2; RFC 9110, 7.4 (misdirected requests). */
export function interceptedRequest(
  { url = '', headers, socket }: IncomingMessage,
  tunnels: TunnelOrigins
): InterceptedRequest | OwnError | undefined {
  const tunnel = tunnels.get(socket)
  const absolute = /^https?:\/\/[^/?#]*/i.exec(url)?.[0]
  const named =
    tunnel === undefined ? absolute : tunnel.replace(/\/\/.*/, `//${headers.host ?? ''}`)
  if (named === undefined) return undefined

  const address = URL.canParse(named) ? new URL(named) : undefined
  const isOwn =
    Number(address?.port) === socket.localPort && isLocalAddress(address?.hostname ?? '')
  if (tunnel === undefined && isOwn) return undefined

  const origin = address?.origin ?? ''
  const rest = absolute === undefined ? url : url.slice(absolute.length)
  if (origin !== '' && (tunnel === undefined || origin === tunnel))
    return { origin, target: rest.startsWith('/') ? rest : `/${rest}` }

  return {
    status: 421,
    code: 'wrong-host',
    info: `the request is for ${named.slice(0, 200)}, and its connection leads to ${tunnel ?? 'nothing'}`
  }
}
