/** Decides what answers a request: the engine of a cassette, the pages under `/__wikitape/`, or a refusal. */
import type { IncomingMessage } from 'node:http'
import type { Engine } from '../engine/engine.ts'
import type { EngineRegistry } from '../engine/registry/engine-registry.ts'
import {
  headerText,
  type IncomingHeaders,
  type IncomingRequest,
  methodFor,
} from '../http/incoming-request.ts'
import { methodNotAllowed, type OwnError } from '../http/reply-headers.ts'
import { unsupportedTransferCoding } from '../upstream/forwarded-headers.ts'
import { type ControlHeaders, readControls } from './control-headers.ts'
import {
  crossOriginOf,
  describePage,
  destinationOf,
  isNavigation,
  preflightHeaders,
  type ServedRequest,
} from './host-policy.ts'

/** Of wikitape's own pages. */
export const browserPath = '/__wikitape'

export interface RouterOptions {
  readonly engines: EngineRegistry
  /** Address that is listened on. */
  readonly host: string
  /** Origins whose pages are clients like any other, e.g. `https://app.example`. */
  readonly allowedOrigins?: ReadonlySet<string>
  readonly report: (line: string) => void
}

/** A request for an engine, its path prefix and control headers read. */
export interface RoutedRequest
  extends Required<
    Pick<IncomingRequest, 'method' | 'target' | 'session' | 'namedHost' | 'isCrossOrigin'>
  > {
  readonly kind: 'engine'
  readonly engine: Engine
}

/** Answered without a body: preflights, and what browsers ask for by themselves. */
interface HeadReply {
  readonly kind: 'head'
  readonly status: number
  readonly headers: string[]
}

export type RouteDecision =
  | RoutedRequest
  | { readonly kind: 'pages' }
  | HeadReply
  | { readonly kind: 'refused'; readonly error: OwnError }

/** Origins reported at most: a client that invents origins must not fill the memory. */
const maxReportedOrigins = 100

export class RequestRouter {
  readonly #options: RouterOptions
  readonly #reported = new Set<string>()

  constructor(options: RouterOptions) {
    this.#options = options
  }

  /** @throws StoreError where the cassette that the request names cannot be opened */
  route(request: IncomingMessage): RouteDecision {
    const { host, engines, allowedOrigins: allowed } = this.#options
    const destination = destinationOf(request, host, engines)
    if (typeof destination === 'string') return refuse(403, 'wrong-host', destination)
    const { target } = destination
    const { method, headers } = request
    const crossOrigin = crossOriginOf(headers, { host: destination.host, allowed })
    if (target.startsWith(browserPath)) {
      return crossOrigin === undefined || isNavigation(headers)
        ? { kind: 'pages' }
        : refuse(
            403,
            'pages-refused',
            `${describePage(crossOrigin)} may not read wikitape's own pages; open ${browserPath}/ in a tab of its own`,
          )
    }
    const browserReply = browserReplyFor(request)
    if (browserReply !== undefined) return browserReply
    if (method === 'OPTIONS')
      return { kind: 'head', status: 204, headers: preflightHeaders(target, headers, crossOrigin) }
    return this.#routeToEngine(request, destination, crossOrigin)
  }

  /** @param crossOrigin of the page that sent the request, where it is of another site */
  #routeToEngine(
    { method, headers }: IncomingMessage,
    { target, namedHost }: ServedRequest,
    crossOrigin: string | undefined,
  ): RouteDecision {
    const known = methodFor(method, target)
    if (known === undefined) return { kind: 'refused', error: methodNotAllowed(method ?? '') }
    const coding = unsupportedTransferCoding(headers)
    if (coding !== undefined) {
      const info = `the body has the transfer coding ${coding}; send it as it is, or in chunks`
      return refuse(501, 'unknown-transfer-coding', info)
    }
    const controls = readControls(target, headers)
    if (typeof controls === 'string') return refuse(400, 'bad-control', controls)
    if (crossOrigin !== undefined && hasControls(controls))
      return refuse(
        403,
        'control-refused',
        `${describePage(crossOrigin)} may not choose a cassette, a mode or a session; if the page is yours, add --allow-origin ${crossOrigin}`,
      )
    return {
      kind: 'engine',
      engine:
        crossOrigin === undefined
          ? this.#options.engines.get(controls.cassette, controls.mode)
          : this.#engineForCrossOrigin(crossOrigin),
      method: known,
      target: controls.target,
      session: crossOrigin === undefined ? controls.session : `pages of ${crossOrigin}`,
      namedHost,
      isCrossOrigin: crossOrigin !== undefined,
    }
  }

  /** Serves what is recorded in replay; passes on to the wiki otherwise, and records nothing. */
  #engineForCrossOrigin(origin: string): Engine {
    const { engines, report } = this.#options
    if (engines.isLive && !this.#reported.has(origin)) {
      if (this.#reported.size < maxReportedOrigins) this.#reported.add(origin)
      report(
        `requests by ${describePage(origin)} are not recorded; if the page is yours, add --allow-origin ${origin}`,
      )
    }
    return engines.get(undefined, 'passthrough')
  }
}

const refuse = (status: number, code: string, info: string): RouteDecision => ({
  kind: 'refused',
  error: { status, code, info },
})

const hasControls = ({ cassette, mode, session }: ControlHeaders): boolean =>
  cassette !== undefined || mode !== undefined || session !== ''

/* What browsers request by themselves, and the redirect of `/` to the pages (docs/decisions/0089). */

/** Icons, and what the developer tools of Chromium look for. */
const browserAssets =
  /^\/(?:favicon\.ico|apple-touch-icon[\w-]*\.png|\.well-known\/appspecific\/[\w.-]+)(?:\?|$)/

/** Undefined for everything else: a program that requests an icon, or a client of the forward proxy, wants the wiki's. */
function browserReplyFor({ method, url = '', headers }: IncomingMessage): HeadReply | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (browserAssets.test(url) && isBrowser(headers))
    return { kind: 'head', status: 204, headers: [] }
  return url === '/' && acceptsHtml(headers)
    ? { kind: 'head', status: 303, headers: ['location', `${browserPath}/`, 'vary', 'accept'] }
    : undefined
}

const isBrowser = (headers: IncomingHeaders): boolean =>
  headers['sec-fetch-mode'] !== undefined ||
  /^Mozilla\//.test(headerText(headers, 'user-agent') ?? '')

const acceptsHtml = (headers: IncomingHeaders): boolean =>
  /\btext\/html\b/.test(headerText(headers, 'accept') ?? '')
