/**
 * One wiki's requests taken over inside this process, through nock's public interface only, so that nock 14 and 15
 * both serve: everything to the wiki's origin is answered here, requests to other wikis are checked, everything else
 * goes its way.
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
} from './outgoing-requests.ts'
import { refuseOversizedHeads } from './oversized-heads.ts'

/** Status, body and headers, as a reply function of nock gives them. */
export type NockReply = readonly [status: number, body: Buffer, headers: string[]]

export interface InterceptorOptions extends RequestWatch {
  /** Scheme, host and port, e.g. `https://ru.wikipedia.org`. */
  readonly origin: string
  readonly answer: (request: NockRequest) => Promise<NockReply>
  /** The test that it belongs to, if to one alone. */
  readonly owner?: object | undefined
  /** Asked where another wants to answer for the same wiki; true where this one then ends. */
  readonly yieldsTo?: (to: InterceptorOptions) => boolean
}

/** Every method that Node's clients send: one that nobody takes would be refused by nock without saying why. */
const methods = ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'] as const

/** True in whatever wikitape itself asks of the wiki while it answers: those requests have to reach it. */
const internalRequests = new AsyncLocalStorage<true>()
const interceptors = new Map<string, NockInterceptor>()
const watches = new Set<RequestWatch>()
let nockWasInactive = false
let stopChecks: readonly (() => void)[] = []
let scopeCount = 0

export class NockInterceptor {
  readonly #options: InterceptorOptions
  readonly #pendingReplies = new Set<Promise<NockReply>>()
  readonly #scopeUrl: string
  #interceptors: readonly nock.Interceptor[] = []

  private constructor(options: InterceptorOptions) {
    this.#options = options
    scopeCount += 1
    this.#scopeUrl = hasOwnMocks(options.origin)
      ? options.origin
      : `http://cassette-${scopeCount}.wikitape.invalid`
  }

  /** Takes over. @throws Error where another cassette answers for this wiki, nock is switched off, or it does not run on this Node */
  static start(options: InterceptorOptions): NockInterceptor {
    checkNockVersion(nock)
    const other = interceptors.get(options.origin)
    if (other !== undefined && other.#options.yieldsTo?.(options) !== true) {
      throw new Error(
        `${other.#options.label} answers for ${options.origin} already, so ${options.label} cannot; close the first one before. Tests that run at the same time need one for all of them (wikitape/vitest: useCassette('name') outside of the tests), or a wiki each`,
      )
    }
    checkNockIsOn()
    other?.release()
    const interception = new NockInterceptor(options)
    activateNock()
    interceptors.set(options.origin, interception)
    interception.#intercept()
    return interception
  }

  /** Takes over again where `nock.cleanAll()` has put an end to it. */
  reintercept(): void {
    const isThere = nock.activeMocks().some((mock) => originOfMock(mock) === new URL(this.#scopeUrl).origin)
    if (!isThere) this.#intercept()
  }

  /** Lets go, and waits for the answers that are being given. */
  async stop(): Promise<void> {
    this.release()
    await Promise.allSettled(this.#pendingReplies)
  }

  /** Lets go at once. */
  release(): void {
    if (interceptors.get(this.#options.origin) !== this) return
    interceptors.delete(this.#options.origin)
    for (const one of this.#interceptors) nock.removeInterceptor(one)
    deactivateNock()
  }

  /**
   * Under a name of its own the wiki's origin is left as it was when this ends: nock never forgets a host that it once
   * mocked. Where a test mocks the wiki itself, both stand under the origin, and the test's own come first.
   */
  #intercept(): void {
    const matches = (): boolean =>
      interceptors.get(this.#options.origin) === this && internalRequests.getStore() === undefined
    const sharesOrigin = this.#scopeUrl === this.#options.origin
    const scope = nock(
      this.#scopeUrl,
      sharesOrigin
        ? { allowUnmocked: true }
        : { filteringScope: (base: string) => originOf(base) === this.#options.origin && matches() },
    ).persist()
    const interception = this
    this.#interceptors = methods.map((method) => {
      const interceptor = scope.intercept(matches, method).optionally()
      // nock 14 hands the request over as `this.req`. A function with parameters would be taken for one with a callback.
      interceptor.reply(function reply(this: unknown, ...given: readonly unknown[]) {
        return interception.#reply(readNockRequest(this, given))
      })
      return interceptor
    })
  }

  async #reply(reading: Promise<NockRequest>): Promise<NockReply> {
    const answer = reading.then((request) => internalRequests.run(true, () => this.#options.answer(request)))
    this.#pendingReplies.add(answer)
    try {
      return await answer
    } finally {
      this.#pendingReplies.delete(answer)
    }
  }

  static checkKnownToNock(origin: string): void {
    const interceptor = interceptors.get(origin)
    if (interceptor === undefined) return
    throw new Error(
      `wikitape: ${interceptor.#options.label} is inserted, but nock does not know it any more: nock.cleanAll() takes cassettes out too; insert it after cleanAll, or remove your own interceptors one by one. This request to ${origin} was not sent.`,
    )
  }

  static watches(): readonly RequestWatch[] {
    return [...[...interceptors.values()].map((one) => one.#options), ...watches]
  }
}

/** Runs something whose requests shall reach the wiki itself, whatever is inserted. */
export const bypassCassettes = <T>(work: () => T): T => internalRequests.run(true, work)

/** Checks requests to wikis also while no cassette is inserted. @returns what ends that */
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

/** nock tells here of every request that it does not answer, before that is sent; what is thrown reaches the client. */
function onUnmatchedRequest(first: unknown, second?: unknown): void {
  const request = readOutgoingRequest(first) ?? readOutgoingRequest(second)
  if (request === undefined || internalRequests.getStore() !== undefined) return
  NockInterceptor.checkKnownToNock(request.url.origin)
  checkRequest(request)
}

/** The same for a request that a dispatcher of undici is given, of which nock 14 may not have heard. */
function checkRequest(request: OutgoingRequest): void {
  if (internalRequests.getStore() === undefined) checkLiveRequest(request, NockInterceptor.watches())
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

/** Whether somebody else mocks this origin through nock. */
const hasOwnMocks = (origin: string): boolean =>
  nock.activeMocks().some((mock) => originOfMock(mock) === origin)

/** From nock's name of a mock, e.g. `GET https://ru.wikipedia.org:443/w/api.php`. */
const originOfMock = (mock: string): string | undefined =>
  originOf(/^\S+ (https?:\/\/[^/]+)/.exec(mock)?.[1] ?? '')
