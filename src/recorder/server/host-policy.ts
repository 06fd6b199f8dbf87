/** Which host a request is for: this server, or the wiki of its cassette where this server is a forward proxy. Other hosts are refused. */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { headerText, type IncomingHeaders } from '../http/incoming-request.ts'
import { canonicalAddress } from '../privacy/secrets/secret.ts'

export interface ServedRequest {
  /** Path and query. */
  readonly target: string
  /** Host and port that the client named, if any. */
  readonly host: string | undefined
  /** True where that is the wiki's host. */
  readonly namedHost: boolean
}

/**
 * What a request is for, or why it is refused. Clients of a forward proxy send the whole URL, and its host counts. Source: RFC 9112, 3.2.2.
 * @param listening address that the server was told to listen on
 * @param wiki with its host and port, for requests that come as to a forward proxy
 */
export function destinationOf(
  request: IncomingMessage,
  listening: string,
  wiki: { readonly wikiHost: string }
): ServedRequest | string {
  const { url = '/', headers, socket } = request
  // Node.js reads the first, a proxy in front perhaps the last. Source: RFC 9112, 3.2.
  if (
    request.rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length >
    1
  )
    return 'the request has two Host headers; expected one'
  const isOwn = (host: string) => isOwnName(host, listening, socket.localAddress ?? '')
  const absoluteOrigin = url.startsWith('/')
    ? undefined
    : /^https?:\/\/[^/?#]*/i.exec(url)?.[0]
  if (absoluteOrigin === undefined) {
    return headers.host === undefined || isOwn(headers.host)
      ? { target: url, host: headers.host, namedHost: false }
      : `the request is for ${headers.host || 'no host'}, not for this server; add --host with that name, or ask for its address`
  }
  const host = URL.canParse(absoluteOrigin)
    ? new URL(absoluteOrigin).host
    : absoluteOrigin
  // Another port of this machine is another server.
  const port = Number(/:(\d+)$/.exec(host)?.[1] ?? 80)
  const isThisServer = isOwn(host) && port === socket.localPort
  const { wikiHost } = wiki
  if (isThisServer || (host !== '' && host === wikiHost))
    return {
      target: url.slice(absoluteOrigin.length) || '/',
      host,
      namedHost: !isThisServer
    }
  const servedText =
    wikiHost === ''
      ? 'no wiki: the cassette does not name one'
      : `http://${wikiHost} and nothing else`
  return `the request is for ${host}; as a forward proxy wikitape serves ${servedText}; let the client itself set NO_PROXY for that host, or serve the cassette of that wiki`
}

/** A page of another site that resolves its own name to this address must not be served (DNS rebinding). */
function isOwnName(host: string, listening: string, localAddress: string) {
  const name = host
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase()
  if (name !== '' && (name === localAddress || name === 'localhost')) return true
  if (isIP(name) === 0)
    return (
      isLoopback(name) ||
      name === listening.toLowerCase() ||
      (isWildcard(listening) && isPrivateName(name))
    )
  // A server that listens everywhere may be reached by addresses that only a router knows.
  return (
    isWildcard(listening) ||
    sameAddress(name, localAddress) ||
    (isLoopback(name) && isLoopback(localAddress))
  )
}

/** Names that no page of the internet can have: those of containers, `host.docker.internal`. Source: RFC 7085; ICANN 2024.07.29.06 */
const isPrivateName = (name: string) => /^[a-z0-9_-]+$|[^.]\.internal$/.test(name)

const isWildcard = (address: string) => isIP(address) !== 0 && /^[0:.]+$/.test(address)

const sameAddress = (a: string, b: string) =>
  a === b || (canonicalAddress(a) ?? a) === canonicalAddress(b)

/**
 * The address by which a client reached this server, prefix of cassette and session included; undefined where it named
 * the wiki itself. @param rest path and query without the prefix
 */
export function publicAddressOf(
  request: IncomingMessage,
  rest: string
): string | undefined {
  const { url = '/', headers } = request
  if (headers.host === undefined || !url.startsWith('/')) return undefined
  return `http://${headers.host}${pathPrefixOf(request, rest)}`
}

/** What stands before the wiki's own path: `/~CASSETTE@SESSION`, or nothing. @param rest path and query without it */
export const pathPrefixOf = ({ url = '' }: IncomingMessage, rest: string): string =>
  url.startsWith('/') && url.endsWith(rest) ? url.slice(0, url.length - rest.length) : ''

export interface TrustedOrigins {
  /** Host and port by which the request reached this server. */
  readonly host: string | undefined
  /** `--allow-origin`: origins whose pages are clients like any other. */
  readonly allowed: ReadonlySet<string> | undefined
}

/**
 * The origin of the page that sent a request, as `--allow-origin` takes it; undefined for clients that are no browser,
 * for a typed address, and for pages of this machine. A header that no browser sends (`Origin: *`, an empty one) is
 * ignored. Source: Fetch Standard, `Origin`; W3C Fetch Metadata, `Sec-Fetch-Site`. Pages can forge neither.
 */
export function crossOriginOf(
  headers: IncomingHeaders,
  trusted: TrustedOrigins
): string | undefined {
  const originHeader = headerText(headers, 'origin')
  const origins =
    originHeader === undefined ? [] : originHeader.split(/[\s,]+/).filter(isOrigin)
  if (origins.length > 0) return origins.find((origin) => !isTrusted(origin, trusted))
  if (headerText(headers, 'sec-fetch-site') !== 'cross-site') return undefined
  // An image or script of a page without a referrer; files have the origin `null` too.
  const referer = headerText(headers, 'referer')
  const from =
    referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : 'null'
  return isTrusted(from, trusted) ? undefined : from
}

/** True of what a browser can send as `Origin`: `null`, or a scheme and a host. */
const isOrigin = (text: string) =>
  text === 'null' || /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(text)

export const describePage = (origin: string): string =>
  origin === 'null'
    ? 'a page without an origin (a file, a sandboxed frame)'
    : `a page of ${JSON.stringify(origin)}`

/** True where a person follows a link: the page with the link does not see the reply. Source: W3C Fetch Metadata. */
export const isNavigation = (headers: IncomingHeaders): boolean =>
  headerText(headers, 'sec-fetch-mode') === 'navigate' &&
  headerText(headers, 'sec-fetch-dest') === 'document'

function isTrusted(origin: string, { host, allowed }: TrustedOrigins) {
  if (allowed?.has(origin)) return true
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  return url.host === host?.toLowerCase() || isLoopback(url.hostname)
}

/** True of names and addresses that are this machine wherever they are resolved. Source: RFC 6761, 6.3. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  if (isIP(name) === 0) return name === 'localhost' || name.endsWith('.localhost')
  return name === '::1' || name.startsWith('127.') || /^::ffff:(?:127\.|7f)/.test(name)
}

/**
 * CORS preflight, which browsers send before a cross-origin request with headers of its own: status 204 and these.
 * Other sites get what every wiki gives to `origin=*`; no page may send control headers.
 * @param crossOrigin undefined where the page is of this machine, or allowed
 */
export function preflightHeaders(
  target: string,
  headers: IncomingHeaders,
  crossOrigin: string | undefined
): string[] {
  const wildcard = /[?&]origin=(?:\*|%2a)(?:&|$)/i.test(target) ? '*' : undefined
  const origin = crossOrigin === undefined ? headerText(headers, 'origin') : wildcard
  const methods = 'GET, HEAD, POST, OPTIONS'
  if (origin === undefined) return ['allow', methods]
  const requested = (headerText(headers, 'access-control-request-headers') ?? '')
    .split(',')
    .map((one) => one.trim())
  const granted = requested.filter(
    (name) => name !== '' && !name.toLowerCase().startsWith('x-cassette')
  )
  return [
    ...['allow', methods],
    ...['access-control-allow-origin', origin],
    ...(origin === '*' ? [] : ['vary', 'origin']),
    ...['access-control-allow-methods', methods],
    ...(granted.length === 0 ? [] : ['access-control-allow-headers', granted.join(', ')]),
    ...['access-control-max-age', '600']
  ]
}
