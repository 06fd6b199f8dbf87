/** What browsers request by themselves, and the redirect of `/` to the pages (docs/decisions/0089). */
import type { IncomingMessage } from 'node:http'
import { headerText, type IncomingHeaders } from '../http/incoming-request.ts'

/** Of wikitape's own pages. */
export const browserPath = '/__wikitape'

/** Answered without a body: preflights, and what browsers ask for by themselves. */
export interface HeadReply {
  readonly kind: 'head'
  readonly status: number
  readonly headers: string[]
}

/** Icons, and what the developer tools of Chromium look for. */
const browserAssets =
  /^\/(?:favicon\.ico|apple-touch-icon[\w-]*\.png|\.well-known\/appspecific\/[\w.-]+)(?:\?|$)/

/** Undefined for everything else: a program that requests an icon, or a client of the forward proxy, wants the wiki's. */
export function browserReplyFor({
  method,
  url = '',
  headers
}: IncomingMessage): HeadReply | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (browserAssets.test(url) && isBrowser(headers))
    return { kind: 'head', status: 204, headers: [] }
  return url === '/' && acceptsHtml(headers)
    ? {
        kind: 'head',
        status: 303,
        headers: ['location', `${browserPath}/`, 'vary', 'accept']
      }
    : undefined
}

const isBrowser = (headers: IncomingHeaders) =>
  headers['sec-fetch-mode'] !== undefined ||
  /^Mozilla\//.test(headerText(headers, 'user-agent') ?? '')

const acceptsHtml = (headers: IncomingHeaders) =>
  /\btext\/html\b/.test(headerText(headers, 'accept') ?? '')
