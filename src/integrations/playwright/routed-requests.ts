/** Requests of a browser context, routed to the cassette of their wiki. */
import { redirectUrl } from '../../recorder/upstream/redirects.ts'
import { parseSetCookie } from '../../recorder/wiki/cookies/session-cookies.ts'
import {
  headersByName,
  type InProcessReply,
  type InProcessRequest,
  outgoingRequest
} from '../in-process/in-process-request.ts'
import {
  checkRequest,
  type Interceptor,
  interceptorOf
} from '../in-process/interceptors.ts'
import { entryPoint } from '../in-process/live-request-policy.ts'
import { originSource } from '../testing/test-cassette-options.ts'

/** As much of Playwright as is used here: it is no dependency. Source: https://playwright.dev/docs/api/class-route */
export interface BrowserContext {
  route(
    address: RegExp,
    handler: (route: PlaywrightRoute) => Promise<void>
  ): Promise<unknown>
  addCookies(cookies: readonly Cookie[]): Promise<void>
  cookies(
    address: string
  ): Promise<readonly { readonly name: string; readonly value: string }[]>
}

interface Cookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly path: string
  readonly expires: number
}

export interface PlaywrightRoute {
  request(): PageRequest
  fulfill(answer: {
    status: number
    headers: Record<string, string>
    body: Buffer
  }): Promise<void>
  fallback(): Promise<void>
  abort(reason?: string): Promise<void>
  /** Not documented; what routeFromHAR uses. */
  _redirectNavigationRequest?(address: string): Promise<void>
}

export interface PageRequest {
  method(): string
  url(): string
  headers(): Record<string, string>
  postDataBuffer(): Buffer | null
  isNavigationRequest(): boolean
  frame(): { url(): string }
}

/** @param apiUrls of the wikis whose cassettes are inserted; `*` stands for a part of a host's name */
export async function routeToCassettes(
  context: BrowserContext,
  apiUrls: readonly string[]
): Promise<void> {
  // The later route comes first.
  await context.route(entryPoint, passChecked)
  for (const source of new Set(apiUrls.map(originSource)))
    await context.route(new RegExp(`^${source}(?:[/?#]|$)`), (route) =>
      answer(context, route)
    )
}

/** A request to another wiki: refused with CI=true, as those of the process itself. */
async function passChecked(route: PlaywrightRoute) {
  const request = outgoingRequest(route.request().method(), route.request().url())
  try {
    if (request) checkRequest(request)
  } catch {
    return route.abort('blockedbyclient')
  }
  return route.fallback()
}

async function answer(context: BrowserContext, route: PlaywrightRoute) {
  const request = route.request()
  const { origin, pathname, search } = new URL(request.url())
  try {
    const cookie = isSameOrigin(request, origin)
      ? await cookieHeader(context, request.url())
      : {}
    const interceptor = interceptorOf(origin)
    // A page may go on after its test: nothing of it may reach the wiki.
    if (!interceptor) return await route.abort()
    const wikiRequest = {
      method: request.method(),
      target: pathname + search,
      headers: { ...request.headers(), ...cookie, 'accept-encoding': 'identity' },
      body: request.postDataBuffer() ?? Buffer.alloc(0)
    }
    const reply = fulfilled(await interceptor.answer(wikiRequest))
    const location = redirectOf(reply, request.url())
    if (!location) await fulfill(route, reply)
    else if (request.isNavigationRequest())
      await navigate(context, route, reply, location, interceptor)
    else await fulfill(route, await follow(wikiRequest, reply, location, interceptor))
  } catch {
    // The cassette fails the test with the reason, except if the page is gone.
    await route.abort().catch(() => undefined)
  }
}

type Fulfilled = Parameters<PlaywrightRoute['fulfill']>[0]

/** Playwright lets every page read an answer without CORS headers: what a browser would withhold fails here as it does there. */
async function fulfill(route: PlaywrightRoute, reply: Fulfilled) {
  const request = route.request()
  const { origin } = request.headers()
  const allowed = reply.headers['access-control-allow-origin']
  const isOwn =
    request.isNavigationRequest() ||
    origin === undefined ||
    origin === new URL(request.url()).origin
  if (isOwn || allowed === '*' || allowed === origin) await route.fulfill(reply)
  else await route.abort()
}

/** The address of a redirect. Playwright would not route a redirected request: it would reach the wiki. */
const redirectOf = ({ status, headers }: Fulfilled, base: string) =>
  redirectUrl(status, headers['location'], base)

/** Has the page load the other address, as Playwright does for redirects of a HAR file; with the cookies of the redirect. */
async function navigate(
  context: BrowserContext,
  route: PlaywrightRoute,
  { headers }: Fulfilled,
  location: URL,
  { options }: Interceptor
) {
  const now = Date.now()
  const cookies = (headers['set-cookie']?.split('\n') ?? []).map((text) =>
    parseSetCookie(text, now)
  )
  if (cookies.length > 0)
    await context.addCookies(
      cookies.map(({ name, value, expiresIn }) => ({
        name,
        value,
        domain: location.hostname,
        path: '/',
        expires:
          expiresIn === undefined ? -1 : Math.max(1, Math.round(now / 1000 + expiresIn))
      }))
    )
  if (route._redirectNavigationRequest)
    return route._redirectNavigationRequest(location.href)
  options.onRefused?.(
    `this version of Playwright cannot be redirected to ${location.href}: let the page load that address`
  )
  return route.abort()
}

const maxRedirects = 20

/** The answer at the end of the redirects of an image, a script or a fetch, as long as they stay on the wiki. */
async function follow(
  request: InProcessRequest,
  reply: Fulfilled,
  location: URL,
  interceptor: Interceptor,
  count = 1
): Promise<Fulfilled> {
  if (location.origin !== interceptor.options.origin || count > maxRedirects) return reply
  const keepsBody =
    reply.status === 307 || reply.status === 308 || request.method === 'HEAD'
  const next = {
    ...request,
    ...(keepsBody ? {} : { method: 'GET', body: Buffer.alloc(0) }),
    target: location.pathname + location.search
  }
  const answered = fulfilled(await interceptor.answer(next))
  const further = redirectOf(answered, location.href)
  return further ? follow(next, answered, further, interceptor, count + 1) : answered
}

/** Browsers send the wiki's cookies with its own pages' requests; others are made without (CORS, `origin=*`). */
const isSameOrigin = (request: PageRequest, origin: string) =>
  request.isNavigationRequest() || request.frame().url().startsWith(`${origin}/`)

/** An intercepted request does not show its cookies. */
async function cookieHeader(context: BrowserContext, url: string) {
  const cookies = await context.cookies(url)
  return cookies.length === 0
    ? {}
    : { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }
}

/** Several cookies have a line each in the one header that Playwright takes. */
function fulfilled([status, body, pairs]: InProcessReply) {
  const headers = Object.entries(headersByName(pairs)).map(([name, value]) => [
    name,
    [value].flat().join(name === 'set-cookie' ? '\n' : ', ')
  ])
  return { status, headers: Object.fromEntries(headers), body }
}
