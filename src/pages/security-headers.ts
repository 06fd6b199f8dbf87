/** Headers of every response below `/__wikitape/`: who may read it, and what a page may load. */
import type { NextFunction, Request, Response } from 'express'
import { browserPath } from '../recorder/server/browser-requests.ts'
import { BadRequest } from './query-params.ts'

/** No other origin, nothing inline; frames and images only of what the page has read itself. Source: CSP Level 3; Trusted Types. */
const shellPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data: blob:; frame-src blob:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

/** For every response: read-only, not cached, not readable by other pages. */
export function setSecurityHeaders(
  request: Request,
  response: Response,
  next: NextFunction
): void {
  response.set({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff'
  })
  const isAskForm = request.method === 'POST' && request.path === `${browserPath}/api/ask`
  if (request.method !== 'GET' && request.method !== 'HEAD' && !isAskForm) {
    response.set('allow', 'GET, HEAD')
    throw new BadRequest(
      405,
      'method-not-allowed',
      'these pages accept only GET and HEAD'
    )
  }
  next()
}

export function setShellPolicy(response: Response): void {
  response.set({ 'cache-control': 'no-cache', 'content-security-policy': shellPolicy })
}
