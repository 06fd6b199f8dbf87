/** What browsers ask for by themselves, and where somebody is led who only typed the address (docs/decisions/0089). */
import type { IncomingMessage } from 'node:http'
import { headerText, type IncomingHeaders } from '../http/incoming-request.ts'

/** Under this path nothing is the wiki's. */
export const browserPath = '/__wikitape'

interface BrowserReply {
  readonly status: 204 | 303
  readonly headers: string[]
}

/** Icons, and what the developer tools of Chromium look for. */
const browserAssets =
  /^\/(?:favicon\.ico|apple-touch-icon[\w-]*\.png|\.well-known\/appspecific\/[\w.-]+)(?:\?|$)/

/**
 * Undefined for everything that the wiki is to answer. A program that asks for an icon does so on purpose, and what
 * asks through a forward proxy has a wiki in mind.
 */
export function browserReplyFor({ method, url = '', headers }: IncomingMessage): BrowserReply | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (browserAssets.test(url) && isBrowser(headers)) return { status: 204, headers: [] }
  return url === '/' && acceptsHtml(headers)
    ? { status: 303, headers: ['location', `${browserPath}/`, 'vary', 'accept'] }
    : undefined
}

const isBrowser = (headers: IncomingHeaders): boolean =>
  headers['sec-fetch-mode'] !== undefined || /^Mozilla\//.test(headerText(headers, 'user-agent') ?? '')

const acceptsHtml = (headers: IncomingHeaders): boolean =>
  /\btext\/html\b/.test(headerText(headers, 'accept') ?? '')
