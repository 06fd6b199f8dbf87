/** What browsers ask for by themselves, and where somebody is led who only typed the address (docs/decisions/0089). */
import type { IncomingMessage } from 'node:http'
import { headerText, type IncomingHeaders } from '../http/incoming-request.ts'

/** Under this path nothing is the wiki's. */
export const ownPath = '/__wikitape'

interface Errand {
  readonly status: 204 | 303
  readonly headers: string[]
}

/** Icons, and what the developer tools of Chromium look for. */
const ownWishes = /^\/(?:favicon\.ico|apple-touch-icon[\w-]*\.png|\.well-known\/appspecific\/[\w.-]+)(?:\?|$)/

/**
 * Undefined for everything that the wiki is to answer. A program that asks for an icon does so on purpose, and what
 * asks through a forward proxy has a wiki in mind.
 */
export function browserErrand({ method, url = '', headers }: IncomingMessage): Errand | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (ownWishes.test(url) && isBrowser(headers)) return { status: 204, headers: [] }
  return url === '/' && wantsPage(headers)
    ? { status: 303, headers: ['location', `${ownPath}/`, 'vary', 'accept'] }
    : undefined
}

const isBrowser = (headers: IncomingHeaders): boolean =>
  headers['sec-fetch-mode'] !== undefined || /^Mozilla\//.test(headerText(headers, 'user-agent') ?? '')

const wantsPage = (headers: IncomingHeaders): boolean =>
  /\btext\/html\b/.test(headerText(headers, 'accept') ?? '')
