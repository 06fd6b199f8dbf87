/** Decides what answers a request: the engine of a cassette, the pages under `/__wikitape/`, or a refusal. */
import type { IncomingMessage } from 'node:http'
import type { Engine } from '../engine/engine.ts'
import type { EngineRegistry } from '../engine/registry/engine-registry.ts'
import { type IncomingRequest, methodFor } from '../http/incoming-request.ts'
import { methodNotAllowed, type OwnError } from '../http/reply-headers.ts'
import { unsupportedTransferCoding } from '../upstream/forwarded-headers.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { browserPath, browserReplyFor, type HeadReply } from './browser-requests.ts'
import { type ControlHeaders, readControls } from './control-headers.ts'
import {
  crossOriginOf,
  describePage,
  destinationOf,
  isNavigation,
  preflightHeaders,
  type ServedRequest
} from './host-policy.ts'

import type { InterceptedRequest } from './proxy/intercepted-request.ts'
import type { Interception } from './proxy/interception.ts'
import type { HostedWiki } from './proxy/wiki-hosts.ts'

export interface RouterOptions {
  readonly engines: EngineRegistry
  /** Address that is listened on. */
  readonly host: string
  /** Origins whose pages are clients like any other, e.g. `https://app.example`. */
  readonly allowedOrigins?: ReadonlySet<string>
  readonly report: (line: string) => void
  /** Undefined where the server is no forward proxy. */
  readonly interception?: Interception | undefined
}

/** A request for an engine, its path prefix and control headers read. */
export interface RoutedRequest
  extends Required<
    Pick<IncomingRequest, 'method' | 'target' | 'session' | 'namedHost' | 'isCrossOrigin'>
  > {
  readonly kind: 'engine'
  readonly engine: Engine
}

/** For a host whose answers are not recorded. */
export interface PassedRequest {
  readonly kind: 'pass'
  readonly upstream: Upstream
  readonly target: string
}

export type RouteDecision =
  | RoutedRequest
  | PassedRequest
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
    const { host, engines, allowedOrigins: allowed, interception } = this.#options
    const intercepted = interception?.read(request)
    if (interception && intercepted)
      return this.#routeIntercepted(request, intercepted, interception)

    const destination = destinationOf(request, host, engines)
    if (typeof destination === 'string') return refuse(403, 'wrong-host', destination)
    const { target } = destination
    const { method, headers } = request
    const crossOrigin = crossOriginOf(headers, { host: destination.host, allowed })
    if (target.startsWith(browserPath) && engines.all().length > 0) {
      return crossOrigin === undefined || isNavigation(headers)
        ? { kind: 'pages' }
        : refuse(
            403,
            'pages-refused',
            `${describePage(crossOrigin)} may not read wikitape's own pages; open ${browserPath}/ in a tab of its own`
          )
    }
    const browserReply = browserReplyFor(request)
    if (browserReply) return browserReply
    if (method === 'OPTIONS')
      return {
        kind: 'head',
        status: 204,
        headers: preflightHeaders(target, headers, crossOrigin)
      }
    if (!engines.hasFirst) return { kind: 'refused', error: notIntercepted }

    return this.#routeToEngine(request, destination, crossOrigin)
  }

  #routeIntercepted(
    request: IncomingMessage,
    intercepted: InterceptedRequest | OwnError,
    interception: Interception
  ): RouteDecision {
    interception.requests += 1
    if ('status' in intercepted) return { kind: 'refused', error: intercepted }

    const { method, headers } = request
    const { origin, target } = intercepted
    if (/^websocket$/i.test(headers.upgrade ?? ''))
      return refuse(
        501,
        'no-websocket',
        `a WebSocket to ${origin} was refused: wikitape speaks HTTP`
      )
    if (method === 'OPTIONS')
      return {
        kind: 'head',
        status: 204,
        headers: preflightHeaders(target, headers, undefined)
      }

    const decision = interception.hosts.decide(intercepted)
    switch (decision.kind) {
      case 'refused':
        return decision
      case 'pass':
        return { ...decision, target }
      case 'wiki': {
        const served = { target, host: undefined, namedHost: true }
        return this.#routeToEngine(request, served, undefined, decision)
      }
    }
  }

  /**
   * @param crossOrigin of the page that sent the request, where it is of another site
   * @param hosted the wiki that a client of the forward proxy has named
   */
  #routeToEngine(
    { method, headers }: IncomingMessage,
    { target, namedHost }: ServedRequest,
    crossOrigin: string | undefined,
    hosted?: HostedWiki
  ): RouteDecision {
    const known = methodFor(method, target)
    if (known === undefined)
      return { kind: 'refused', error: methodNotAllowed(method ?? '') }
    const coding = unsupportedTransferCoding(headers)
    if (coding !== undefined) {
      return refuse(
        501,
        'unknown-transfer-coding',
        `the body has the transfer coding ${coding}; send it as it is, or in chunks`
      )
    }
    // A path of a wiki that was named may begin with `/~`, too.
    const controls = readControls(hosted ? '/' : target, headers)
    if (typeof controls === 'string') return refuse(400, 'bad-control', controls)
    if (crossOrigin !== undefined && hasControls(controls))
      return refuse(
        403,
        'control-refused',
        `${describePage(crossOrigin)} may not choose a cassette, a mode or a session; if the page is yours, add --allow-origin ${crossOrigin}`
      )
    return {
      kind: 'engine',
      engine: this.#engineFor(controls, crossOrigin, hosted),
      method: known,
      target: hosted ? target : controls.target,
      session: crossOrigin === undefined ? controls.session : `pages of ${crossOrigin}`,
      namedHost,
      isCrossOrigin: crossOrigin !== undefined
    }
  }

  #engineFor(
    { cassette, mode }: ControlHeaders,
    crossOrigin: string | undefined,
    hosted: HostedWiki | undefined
  ) {
    const { engines } = this.#options
    if (hosted) return engines.ofWiki({ ...hosted, cassette, mode })
    return crossOrigin === undefined
      ? engines.get(cassette, mode)
      : this.#engineForCrossOrigin(crossOrigin)
  }

  /** Serves what is recorded in replay; passes on to the wiki otherwise, and records nothing. */
  #engineForCrossOrigin(origin: string) {
    const { engines, report } = this.#options
    if (engines.isLive && !this.#reported.has(origin)) {
      if (this.#reported.size < maxReportedOrigins) this.#reported.add(origin)
      report(
        `requests by ${describePage(origin)} are not recorded; if the page is yours, add --allow-origin ${origin}`
      )
    }
    return engines.get(undefined, 'passthrough')
  }
}

/** Where a server is nothing but a forward proxy. */
export const notIntercepted: OwnError = {
  status: 404,
  code: 'no-wiki',
  info: 'this is a forward proxy: ask for the address of the wiki itself'
}

const refuse = (status: number, code: string, info: string): RouteDecision => ({
  kind: 'refused',
  error: { status, code, info }
})

const hasControls = ({ cassette, mode, session }: ControlHeaders) =>
  cassette !== undefined || mode !== undefined || session !== ''
