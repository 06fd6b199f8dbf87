/**
 * Cross-origin requests. A page of another site in the user's browser may read what the wiki would let it read, and
 * nothing more: its control headers are refused, and its requests are not recorded (docs/decisions/0035-pages-of-other-sites.md).
 */
import { isIP } from 'node:net'
import { headerText, type IncomingHeaders } from '../http/incoming-request.ts'

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
export function crossOriginOf(headers: IncomingHeaders, trusted: TrustedOrigins): string | undefined {
  const originHeader = headerText(headers, 'origin')
  const origins = originHeader === undefined ? [] : originHeader.split(/[\s,]+/).filter(isOrigin)
  if (origins.length > 0) return origins.find((origin) => !isTrusted(origin, trusted))
  if (headerText(headers, 'sec-fetch-site') !== 'cross-site') return undefined
  // An image or script of a page without a referrer; files have the origin `null` too.
  const from = originOf(headerText(headers, 'referer')) ?? 'null'
  return isTrusted(from, trusted) ? undefined : from
}

/** True of what a browser can send as `Origin`: `null`, or a scheme and a host. */
const isOrigin = (text: string): boolean => text === 'null' || /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(text)

export const describePage = (origin: string): string =>
  origin === 'null'
    ? 'a page without an origin (a file, a sandboxed frame)'
    : `a page of ${JSON.stringify(origin)}`

/** True where a person follows a link: the page with the link does not see the reply. Source: W3C Fetch Metadata. */
export const isNavigation = (headers: IncomingHeaders): boolean =>
  headerText(headers, 'sec-fetch-mode') === 'navigate' && headerText(headers, 'sec-fetch-dest') === 'document'

function isTrusted(origin: string, { host, allowed }: TrustedOrigins): boolean {
  if (allowed?.has(origin) === true) return true
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

const originOf = (referer: string | undefined): string | undefined =>
  referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined

/**
 * CORS preflight, which browsers send before a cross-origin request with headers of its own: status 204 and these.
 * Other sites get what every wiki gives to `origin=*`; no page may send control headers.
 * @param crossOrigin undefined where the page is of this machine, or allowed
 */
export function preflightHeaders(
  target: string,
  headers: IncomingHeaders,
  crossOrigin: string | undefined,
): string[] {
  const origin = crossOrigin === undefined ? headerText(headers, 'origin') : wildcardOrigin(target)
  const methods = 'GET, HEAD, POST, OPTIONS'
  if (origin === undefined) return ['allow', methods]
  const requested = (headerText(headers, 'access-control-request-headers') ?? '')
    .split(',')
    .map((one) => one.trim())
  const granted = requested.filter((name) => name !== '' && !name.toLowerCase().startsWith('x-cassette'))
  return [
    ...['allow', methods],
    ...['access-control-allow-origin', origin],
    ...(origin === '*' ? [] : ['vary', 'origin']),
    ...['access-control-allow-methods', methods],
    ...(granted.length === 0 ? [] : ['access-control-allow-headers', granted.join(', ')]),
    ...['access-control-max-age', '600'],
  ]
}

const wildcardOrigin = (target: string): '*' | undefined =>
  /[?&]origin=(?:\*|%2a)(?:&|$)/i.test(target) ? '*' : undefined
