/** Which cassettes answer inside this process, for which wiki, and what else checks the requests that are about to leave it. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { isInCi } from '../../recorder/settings/choose-mode.ts'
import { guardPrograms } from '../guard-programs.ts'
import {
  type Answer,
  type InProcessReply,
  type InProcessRequest,
  type OutgoingRequest,
  originsAt
} from './in-process-request.ts'
import { checkLiveRequest, type RequestWatch } from './live-request-policy.ts'

/** Their fetch and their node:http use nothing that is intercepted, so that a test would ask the live wiki unseen. */
export function refuseOtherRuntimes(versions: NodeJS.ProcessVersions): void {
  const name = ['bun', 'deno'].find((one) => versions[one] !== undefined)
  if (name !== undefined)
    throw new Error(
      `wikitape: requests inside of ${name} cannot be intercepted; run the tests with a cassette around them, and without this import: wikitape exec -- ${name} test`
    )
}

refuseOtherRuntimes(process.versions)

export interface InterceptorOptions extends RequestWatch {
  /** Scheme, host and port, e.g. `https://ru.wikipedia.org`. */
  readonly origin: string
  readonly answer: Answer
  /** The test that it belongs to, if to one alone: cassettes of different tests may answer for one wiki at once. */
  readonly owner?: object | undefined
  /** Answers only while no test's cassette does. */
  readonly isFallback?: boolean
  /** Nobody asked for it: it gives way to another one. */
  readonly isDefault?: boolean
  /** Called if another cassette wants to answer for the same wiki; true if this one ends then. */
  readonly yields?: () => boolean
}

const newState = () => ({
  /** True in wikitape's own requests while it answers: they must reach the wiki. */
  internalRequests: new AsyncLocalStorage<true>(),
  /** The test that runs in this asynchronous context. */
  owners: new AsyncLocalStorage<object>(),
  interceptors: new Set<Interceptor>(),
  /** Tests that have, or had, a cassette. */
  knownOwners: new WeakSet<object>(),
  patterns: new Set<WikiPattern>(),
  watches: new Set<RequestWatch>(),
  isExempt: (_origin: string) => false
})

/** Of the process, since a suite may load the package twice: a set-up file by `require`, a test by `import`. */
const state: ReturnType<typeof newState> =
  Reflect.get(globalThis, Symbol.for('wikitape.state')) ?? newState()
Reflect.set(globalThis, Symbol.for('wikitape.state'), state)
const { internalRequests, owners, knownOwners, interceptors, patterns, watches } = state

/** Wikis whose cassettes are inserted at the first request. */
export interface WikiPattern {
  readonly matches: (origin: string) => boolean
  /** Inserts the cassette of a wiki that matches, unless it is there. */
  readonly insert: (origin: string) => void
}

export class Interceptor {
  readonly options: InterceptorOptions
  readonly #pendingReplies = new Set<Promise<InProcessReply>>()
  readonly #end: () => void

  /**
   * @param intercept starts intercepting, and returns the function that ends it
   * @throws Error if another cassette answers for this wiki
   */
  constructor(options: InterceptorOptions, intercept: () => () => void) {
    for (const other of interceptors) {
      if (!isRival(other.options, options)) continue
      if (!other.options.yields?.())
        throw new Error(
          `${other.options.label} answers for ${options.origin} already, so ${options.label} cannot; close the first one before`
        )
      other.release()
    }
    this.options = options
    this.#end = intercept()
    interceptors.add(this)
    guardPrograms(interceptedOrigins())
    if (options.owner !== undefined) knownOwners.add(options.owner)
  }

  async answer(request: InProcessRequest): Promise<InProcessReply> {
    const answer = internalRequests.run(true, () => this.options.answer(request))
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
    if (!interceptors.delete(this)) return
    this.#end()
    guardPrograms(interceptedOrigins())
  }
}

const interceptedOrigins = () => [
  ...new Set([...interceptors].map(({ options }) => options.origin))
]

function isRival(one: InterceptorOptions, other: InterceptorOptions) {
  if (
    one.origin !== other.origin ||
    (one.isFallback ?? false) !== (other.isFallback ?? false)
  )
    return false
  return one.owner === other.owner || one.owner === undefined || other.owner === undefined
}

/** @returns the function that ends it */
export const addPattern = (pattern: WikiPattern): (() => void) => addTo(patterns, pattern)

function addTo<T>(all: Set<T>, one: T) {
  all.add(one)
  return () => void all.delete(one)
}

/** Runs a test, so that its requests are told from those of others that run at the same time. */
export const runAsOwner = <T>(owner: object, work: () => T): T => owners.run(owner, work)

export const currentOwner = (): object | undefined => owners.getStore()

export const isIntercepted = (origin: string): boolean =>
  internalRequests.getStore() === undefined &&
  (find(origin).length > 0 || [...patterns].some(({ matches }) => matches(origin)))

/** True if a cassette answers that somebody asked for, for this test or for all. */
export const isAnswered = (origin: string, owner: object | undefined): boolean =>
  find(origin)
    .filter(({ options }) => options.owner === undefined || options.owner === owner)
    .some(({ options }) => options.isDefault !== true)

const find = (origin: string) =>
  [...interceptors].filter(({ options }) => options.origin === origin)

/**
 * The cassette that answers a request to this address; undefined for wikitape's own requests.
 * @throws Error if it cannot be said which one
 */
export function interceptorOf(origin: string): Interceptor | undefined {
  if (internalRequests.getStore() !== undefined) return undefined
  for (const pattern of patterns) if (pattern.matches(origin)) pattern.insert(origin)
  const found = find(origin)
  const ofTests = found.filter(({ options }) => options.isFallback !== true)
  const owner = owners.getStore()
  const own =
    ofTests.find(({ options }) => options.owner === owner) ??
    ofTests.find(({ options }) => options.owner === undefined)
  if (own || found.length === 0) return own
  const mayBeRunning = [...interceptors].some(({ options }) => options.owner === owner)
  if (owner !== undefined && knownOwners.has(owner) && !mayBeRunning)
    throw new Error(
      `wikitape: the test that sent this request to ${origin} has ended; await it in the test`
    )
  // A client may send requests in another context than that of its test, e.g. from a queue. Of hooks the innermost suite's.
  return onlyOneOf(ofTests, origin) ?? found.at(-1)
}

function onlyOneOf(ofTests: readonly Interceptor[], origin: string) {
  if (ofTests.length < 2) return ofTests[0]
  const why = `several tests are running, and wikitape cannot tell which of them sent this request to ${origin}; run them one after another, or give them one cassette: useCassette('name') outside of the tests`
  for (const { options } of ofTests) options.onRefused?.(why)
  throw new Error(`wikitape: ${why}`)
}

/** Runs something whose requests reach the wiki itself, whatever is inserted. */
export const bypassCassettes = <T>(work: () => T): T => internalRequests.run(true, work)

/** Adds a check of requests that no cassette answers. @returns the function that ends it */
export const addWatch = (watch: RequestWatch): (() => void) => addTo(watches, watch)

/** For an interception further beneath, whose requests need no check. @param isMocked true for an origin that it answers */
export function exemptFromChecks(isMocked: (origin: string) => boolean): void {
  state.isExempt = isMocked
}

/**
 * Checks a connection of a client whose requests were not seen: those that were seen are answered, refused, or allowed.
 * @throws Error if a cassette answers for that address, or no request to it is allowed
 */
export function checkConnection(host: string, port: number): void {
  if (internalRequests.getStore() !== undefined) return
  for (const origin of originsAt(host, port)) {
    const cassette = interceptorOf(origin)?.options
    if (cassette) {
      const why = `a connection to ${origin} was refused: ${cassette.label} answers for this wiki, but the requests of this client cannot be intercepted. XMLHttpRequest of jsdom (axios uses it there), a dispatcher or pool of undici, an undici that is loaded while a test runs and a tunnel through a proxy are such clients: use fetch without a dispatcher, happy-dom or jest-fixed-jsdom, and load undici at the top of the file`
      cassette.onRefused?.(why)
      throw new Error(`wikitape: ${why}`)
    }
    if (isInCi(process.env)) checkRequest({ method: 'CONNECT', url: new URL(origin) })
  }
}

/** @throws Error if a request that no cassette answers may not be sent */
export function checkRequest(request: OutgoingRequest): void {
  if (internalRequests.getStore() !== undefined || state.isExempt(request.url.origin))
    return
  const owner = owners.getStore()
  const inserted = [...interceptors].map(({ options }) => options)
  const own = inserted.filter(
    (one) => owner === undefined || one.owner === undefined || one.owner === owner
  )
  const byRank = [false, true].flatMap((rank) =>
    own.filter(({ isFallback = false }) => isFallback === rank)
  )
  checkLiveRequest(request, [...byRank, ...watches])
}
