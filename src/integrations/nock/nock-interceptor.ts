/**
 * Intercepts one wiki's requests inside this process, through nock's public interface only, so that nock 14 and 15 both
 * work: requests to the wiki's origin are answered here, those to other wikis are checked, all others pass.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import nock from 'nock'
import { checkNockVersion } from './compatibility.ts'
import { checkLiveRequest, type RequestWatch } from './live-request-policy.ts'
import { type NockRequest, readNockRequest } from './nock-request.ts'
import {
  checkDispatchedRequests,
  type OutgoingRequest,
  originOf,
  readOutgoingRequest,
  refuseOversizedHeads,
} from './outgoing-requests.ts'

/** Status, body and headers, as a reply function of nock gives them. */
export type NockReply = readonly [status: number, body: Buffer, headers: string[]]

export interface InterceptorOptions extends RequestWatch {
  /** Scheme, host and port, e.g. `https://ru.wikipedia.org`. */
  readonly origin: string
  readonly answer: (request: NockRequest) => Promise<NockReply>
  /** The test that it belongs to, if to one alone. */
  readonly owner?: object | undefined
  /** Called where another wants to answer for the same wiki; true where this one ends then. */
  readonly yieldsTo?: (to: InterceptorOptions) => boolean
}

/** Every method that Node's clients send: nock refuses others without a reason. */
const methods = ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'] as const

/** True in wikitape's own requests while it answers: they must reach the wiki. */
const internalRequests = new AsyncLocalStorage<true>()
const interceptors = new Map<string, NockInterceptor>()
const watches = new Set<RequestWatch>()
let nockWasInactive = false
let stopChecks: readonly (() => void)[] = []
let scopeCount = 0

export class NockInterceptor {
  readonly options: InterceptorOptions
  readonly #pendingReplies = new Set<Promise<NockReply>>()
  readonly #scopeUrl: string
  #interceptors: readonly nock.Interceptor[] = []

  private constructor(options: InterceptorOptions) {
    this.options = options
    scopeCount += 1
    this.#scopeUrl = hasMocks(options.origin)
      ? options.origin
      : `http://cassette-${scopeCount}.wikitape.invalid`
  }

  /** @throws Error where another cassette answers for this wiki, nock is switched off, or does not run on this Node */
  static start(options: InterceptorOptions): NockInterceptor {
    checkNockVersion(nock)
    const other = interceptors.get(options.origin)
    if (other !== undefined && other.options.yieldsTo?.(options) !== true) {
      throw new Error(
        `${other.options.label} answers for ${options.origin} already, so ${options.label} cannot; close the first one before. Tests that run at the same time need one for all of them (wikitape/vitest: useCassette('name') outside of the tests), or a wiki each`,
      )
    }
    checkNockIsOn()
    other?.release()
    const interceptor = new NockInterceptor(options)
    activateNock()
    interceptors.set(options.origin, interceptor)
    interceptor.#intercept()
    return interceptor
  }

  /** Intercepts again after `nock.cleanAll()`. */
  reintercept(): void {
    if (!hasMocks(new URL(this.#scopeUrl).origin)) this.#intercept()
  }

  /** Ends, and waits for pending answers. */
  async stop(): Promise<void> {
    this.release()
    await Promise.allSettled(this.#pendingReplies)
  }

  /** Ends at once. */
  release(): void {
    if (interceptors.get(this.options.origin) !== this) return
    interceptors.delete(this.options.origin)
    for (const one of this.#interceptors) nock.removeInterceptor(one)
    deactivateNock()
  }

  /**
   * By a scope of another name, since nock never forgets a host that it once mocked. Where a test mocks the wiki itself,
   * both use the origin, and the test's own mocks come first.
   */
  #intercept(): void {
    const matches = (): boolean =>
      interceptors.get(this.options.origin) === this && internalRequests.getStore() === undefined
    const sharesOrigin = this.#scopeUrl === this.options.origin
    const scope = nock(
      this.#scopeUrl,
      sharesOrigin
        ? { allowUnmocked: true }
        : { filteringScope: (base: string) => originOf(base) === this.options.origin && matches() },
    ).persist()
    const self = this
    this.#interceptors = methods.map((method) => {
      const interceptor = scope.intercept(matches, method).optionally()
      // nock 14 passes the request as `this.req`, and takes a function with parameters for one with a callback.
      interceptor.reply(function reply(this: unknown, ...given: readonly unknown[]) {
        return self.#reply(readNockRequest(this, given))
      })
      return interceptor
    })
  }

  async #reply(reading: Promise<NockRequest>): Promise<NockReply> {
    const answer = reading.then((request) => internalRequests.run(true, () => this.options.answer(request)))
    this.#pendingReplies.add(answer)
    try {
      return await answer
    } finally {
      this.#pendingReplies.delete(answer)
    }
  }
}

function checkKnownToNock(origin: string): void {
  const interceptor = interceptors.get(origin)
  if (interceptor === undefined) return
  throw new Error(
    `wikitape: ${interceptor.options.label} is inserted, but nock does not know it any more: nock.cleanAll() takes cassettes out too; insert it after cleanAll, or remove your own interceptors one by one. This request to ${origin} was not sent.`,
  )
}

/** Runs something whose requests reach the wiki itself, whatever is inserted. */
export const bypassCassettes = <T>(work: () => T): T => internalRequests.run(true, work)

/** Checks requests to wikis also while no cassette is inserted. @returns the function that ends this */
export function watchRequests(watch: RequestWatch): () => void {
  checkNockIsOn()
  activateNock()
  watches.add(watch)
  return () => {
    watches.delete(watch)
    deactivateNock()
  }
}

function checkNockIsOn(): void {
  if (process.env['NOCK_OFF'] === 'true')
    throw new Error('NOCK_OFF=true switches nock off, so no cassette can be inserted; unset it')
}

/** nock's event for each request that it does not answer, before it is sent. What is thrown reaches the client. */
function onUnmatchedRequest(first: unknown, second?: unknown): void {
  const request = readOutgoingRequest(first) ?? readOutgoingRequest(second)
  if (request === undefined || internalRequests.getStore() !== undefined) return
  checkKnownToNock(request.url.origin)
  checkRequest(request)
}

/** Also called for requests of undici's dispatchers, which nock 14 may not report. */
function checkRequest(request: OutgoingRequest): void {
  if (internalRequests.getStore() !== undefined) return
  checkLiveRequest(request, [...[...interceptors.values()].map((one) => one.options), ...watches])
}

const isIdle = (): boolean => interceptors.size === 0 && watches.size === 0

function activateNock(): void {
  if (!isIdle()) return
  nockWasInactive = !nock.isActive()
  if (nockWasInactive) nock.activate()
  nock.emitter.on('no match', onUnmatchedRequest)
  stopChecks = [
    refuseOversizedHeads((origin) => interceptors.has(originOf(origin) ?? '')),
    checkDispatchedRequests(checkRequest),
  ]
}

function deactivateNock(): void {
  if (!isIdle()) return
  nock.emitter.off('no match', onUnmatchedRequest)
  for (const end of stopChecks) end()
  if (nockWasInactive && nock.isActive()) nock.restore()
  nockWasInactive = false
}

const hasMocks = (origin: string): boolean => nock.activeMocks().some((mock) => originOfMock(mock) === origin)

/** From nock's name of a mock, e.g. `GET https://ru.wikipedia.org:443/w/api.php`. */
const originOfMock = (mock: string): string | undefined =>
  originOf(/^\S+ (https?:\/\/[^/]+)/.exec(mock)?.[1] ?? '')
