/** Which host a request is for: this server, or the wiki of its cassette where this server is a forward proxy. Other hosts are refused. */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { canonicalAddress } from '../privacy/secrets/secret.ts'
import { isLoopback } from './origin-policy.ts'

export interface ServedRequest {
  readonly kind: 'served'
  /** Path and query. */
  readonly target: string
  /** Host and port that the client named, if any. */
  readonly host: string | undefined
  /** True where that is the wiki's host. */
  readonly namedHost: boolean
}

export type Destination = ServedRequest | { readonly kind: 'refused'; readonly reason: string }

/**
 * Clients of a forward proxy send the whole URL, and its host counts. Source: RFC 9112, 3.2.2.
 * @param listening address that the server was told to listen on
 * @param wiki with its host and port, for requests that come as to a forward proxy
 */
export function destinationOf(
  request: IncomingMessage,
  listening: string,
  wiki: { readonly wikiHost: string },
): Destination {
  const { url = '/', headers, socket } = request
  // Node.js reads the first, a proxy in front perhaps the last. Source: RFC 9112, 3.2.
  if (request.rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length > 1)
    return { kind: 'refused', reason: 'the request has two Host headers; expected one' }
  const isOwn = (host: string): boolean => isOwnName(host, listening, socket.localAddress ?? '')
  const absoluteOrigin = url.startsWith('/') ? undefined : /^https?:\/\/[^/?#]*/i.exec(url)?.[0]
  if (absoluteOrigin === undefined) {
    return headers.host === undefined || isOwn(headers.host)
      ? { kind: 'served', target: url, host: headers.host, namedHost: false }
      : {
          kind: 'refused',
          reason: `the request is for ${headers.host || 'no host'}, not for this server; add --host with that name, or ask for its address`,
        }
  }
  const host = URL.canParse(absoluteOrigin) ? new URL(absoluteOrigin).host : absoluteOrigin
  // Another port of this machine is another server.
  const isThisServer = isOwn(host) && portOf(host) === socket.localPort
  const { wikiHost } = wiki
  if (isThisServer || (host !== '' && host === wikiHost))
    return { kind: 'served', target: url.slice(absoluteOrigin.length) || '/', host, namedHost: !isThisServer }
  const servedText =
    wikiHost === '' ? 'no wiki: the cassette does not name one' : `http://${wikiHost} and nothing else`
  return {
    kind: 'refused',
    reason: `the request is for ${host}; as a forward proxy wikitape serves ${servedText}; take that host out of the proxy (NO_PROXY), or serve the cassette of that wiki`,
  }
}

/** A page of another site that resolves its own name to this address must not be served (DNS rebinding). */
function isOwnName(host: string, listening: string, localAddress: string): boolean {
  const name = host
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase()
  if (name !== '' && name === localAddress) return true
  if (isIP(name) === 0)
    return (
      isLoopback(name) || name === listening.toLowerCase() || (isWildcard(listening) && isPrivateName(name))
    )
  // A server that listens everywhere may be reached by addresses that only a router knows.
  return (
    isWildcard(listening) || sameAddress(name, localAddress) || (isLoopback(name) && isLoopback(localAddress))
  )
}

/** Names that no page of the internet can have: those of containers, `host.docker.internal`. Source: RFC 7085; ICANN 2024.07.29.06 */
const isPrivateName = (name: string): boolean => /^[a-z0-9_-]+$|[^.]\.internal$/.test(name)

const isWildcard = (address: string): boolean => isIP(address) !== 0 && /^[0:.]+$/.test(address)

const sameAddress = (a: string, b: string): boolean =>
  a === b || (canonicalAddress(a) ?? a) === canonicalAddress(b)

/**
 * The address by which a client reached this server, prefix of cassette and session included; undefined where it named
 * the wiki itself. @param rest path and query without the prefix
 */
export function publicAddressOf({ url = '/', headers }: IncomingMessage, rest: string): string | undefined {
  if (headers.host === undefined || !url.startsWith('/')) return undefined
  const prefix = url.endsWith(rest) ? url.slice(0, url.length - rest.length) : ''
  return `http://${headers.host}${prefix}`
}

const portOf = (host: string): number => Number(/:(\d+)$/.exec(host)?.[1] ?? 80)
