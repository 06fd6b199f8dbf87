/** Which cassettes answer inside this process, for which wiki, and what else checks the requests that are about to leave it. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Answer, InProcessReply, InProcessRequest, OutgoingRequest } from './in-process-request.ts'
import { checkLiveRequest, type RequestWatch } from './live-request-policy.ts'

export interface InterceptorOptions extends RequestWatch {
  /** Scheme, host and port, e.g. `https://ru.wikipedia.org`. */
  readonly origin: string
  readonly answer: Answer
  /** The test that it belongs to, if to one alone. */
  readonly owner?: object | undefined
  /** Called where another cassette wants to answer for the same wiki; true where this one ends then. */
  readonly yieldsTo?: (to: InterceptorOptions) => boolean
}

/** True in wikitape's own requests while it answers: they must reach the wiki. */
const internalRequests = new AsyncLocalStorage<true>()
const interceptors = new Map<string, Interceptor>()
const watches = new Set<RequestWatch>()

export class Interceptor {
  readonly options: InterceptorOptions
  readonly #pendingReplies = new Set<Promise<InProcessReply>>()
  readonly #end: () => void

  /**
   * @param intercept starts intercepting, and returns the function that ends it
   * @throws Error where another cassette answers for this wiki
   */
  constructor(options: InterceptorOptions, intercept: (self: Interceptor) => () => void) {
    const other = interceptors.get(options.origin)
    if (other !== undefined && other.options.yieldsTo?.(options) !== true) {
      throw new Error(
        `${other.options.label} answers for ${options.origin} already, so ${options.label} cannot; close the first one before. Tests that run at the same time need one for all of them (wikitape/vitest: useCassette('name') outside of the tests), or a wiki each`,
      )
    }
    other?.release()
    this.options = options
    this.#end = intercept(this)
    interceptors.set(options.origin, this)
  }

  async answer(request: InProcessRequest | Promise<InProcessRequest>): Promise<InProcessReply> {
    const given = await request
    const answer = internalRequests.run(true, () => this.options.answer(given))
    this.#pendingReplies.add(answer)
    try {
      return await answer
    } finally {
      this.#pendingReplies.delete(answer)
    }
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
    this.#end()
  }
}

/** The cassette that answers a request to this address; undefined for wikitape's own requests. */
export const interceptorOf = (origin: string): Interceptor | undefined =>
  internalRequests.getStore() === undefined ? interceptors.get(origin) : undefined

/** Runs something whose requests reach the wiki itself, whatever is inserted. */
export const bypassCassettes = <T>(work: () => T): T => internalRequests.run(true, work)

/** Adds a check of requests that no cassette answers. @returns the function that ends it */
export function addWatch(watch: RequestWatch): () => void {
  watches.add(watch)
  return () => void watches.delete(watch)
}

let isExempt = (_origin: string): boolean => false

/** For an interception further beneath, whose requests need no check. @param isMocked true for an origin that it answers */
export function exemptFromChecks(isMocked: (origin: string) => boolean): void {
  isExempt = isMocked
}

/** @throws Error where a request that no cassette answers may not be sent */
export function checkRequest(request: OutgoingRequest): void {
  if (internalRequests.getStore() !== undefined || isExempt(request.url.origin)) return
  checkLiveRequest(request, [...[...interceptors.values()].map((one) => one.options), ...watches])
}
