/**
 * One wiki's requests taken over inside this process, through nock's public interface only, so that nock 14 and 15
 * both serve: everything to the wiki's origin is answered here, requests to other wikis are checked, everything else
 * goes its way.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import nock from 'nock'
import { mustFit } from './compatibility.ts'
import { checkLiveRequest, type Watch } from './live-request-policy.ts'
import { type Incoming, readIncoming } from './nock-request.ts'
import { checkDispatched, type LeavingRequest, leavingRequest, originOf } from './outgoing-requests.ts'
import { refuseLongHeads } from './oversized-heads.ts'

/** Status, body and headers, as a reply function of nock gives them. */
export type Outgoing = readonly [status: number, body: Buffer, headers: string[]]

export interface Interceptable extends Watch {
  /** Scheme, host and port, e.g. `https://ru.wikipedia.org`. */
  readonly origin: string
  readonly answer: (request: Incoming) => Promise<Outgoing>
  /** The test that it belongs to, if to one alone. */
  readonly owner?: object | undefined
  /** Asked where another wants to answer for the same wiki; true where this one then ends. */
  readonly yields?: (to: Interceptable) => boolean
}

/** Every method that Node's clients send: one that nobody takes would be refused by nock without saying why. */
const methods = ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'] as const

/** True in whatever wikitape itself asks of the wiki while it answers: those requests have to reach it. */
const asking = new AsyncLocalStorage<true>()
const inserted = new Map<string, Interception>()
const watching = new Set<Watch>()
let nockWasAsleep = false
let endChecks: readonly (() => void)[] = []
let numbered = 0

export class Interception {
  readonly #of: Interceptable
  readonly #underWay = new Set<Promise<Outgoing>>()
  readonly #scopeUrl: string
  #interceptors: readonly nock.Interceptor[] = []

  private constructor(of: Interceptable) {
    this.#of = of
    numbered += 1
    this.#scopeUrl = hasOwnMocks(of.origin) ? of.origin : `http://cassette-${numbered}.wikitape.invalid`
  }

  /** Takes over. @throws Error where another cassette answers for this wiki, nock is switched off, or it does not run on this Node */
  static start(of: Interceptable): Interception {
    mustFit(nock)
    const other = inserted.get(of.origin)
    if (other !== undefined && other.#of.yields?.(of) !== true) {
      throw new Error(
        `${other.#of.what} answers for ${of.origin} already, so ${of.what} cannot; close the first one before. Tests that run at the same time need one for all of them (wikitape/vitest: useCassette('name') outside of the tests), or a wiki each`,
      )
    }
    mustBeOn()
    other?.leave()
    const interception = new Interception(of)
    wake()
    inserted.set(of.origin, interception)
    interception.#enter()
    return interception
  }

  /** Takes over again where `nock.cleanAll()` has put an end to it. */
  renew(): void {
    const isThere = nock.activeMocks().some((mock) => originOfMock(mock) === new URL(this.#scopeUrl).origin)
    if (!isThere) this.#enter()
  }

  /** Lets go, and waits for the answers that are being given. */
  async stop(): Promise<void> {
    this.leave()
    await Promise.allSettled(this.#underWay)
  }

  /** Lets go at once. */
  leave(): void {
    if (inserted.get(this.#of.origin) !== this) return
    inserted.delete(this.#of.origin)
    for (const one of this.#interceptors) nock.removeInterceptor(one)
    sleep()
  }

  /**
   * Under a name of its own the wiki's origin is left as it was when this ends: nock never forgets a host that it once
   * mocked. Where a test mocks the wiki itself, both stand under the origin, and the test's own come first.
   */
  #enter(): void {
    const takes = (): boolean => inserted.get(this.#of.origin) === this && asking.getStore() === undefined
    const beside = this.#scopeUrl === this.#of.origin
    const scope = nock(
      this.#scopeUrl,
      beside
        ? { allowUnmocked: true }
        : { filteringScope: (base: string) => originOf(base) === this.#of.origin && takes() },
    ).persist()
    const interception = this
    this.#interceptors = methods.map((method) => {
      const interceptor = scope.intercept(takes, method).optionally()
      // nock 14 hands the request over as `this.req`. A function with parameters would be taken for one with a callback.
      interceptor.reply(function reply(this: unknown, ...given: readonly unknown[]) {
        return interception.#reply(readIncoming(this, given))
      })
      return interceptor
    })
  }

  async #reply(reading: Promise<Incoming>): Promise<Outgoing> {
    const answer = reading.then((request) => asking.run(true, () => this.#of.answer(request)))
    this.#underWay.add(answer)
    try {
      return await answer
    } finally {
      this.#underWay.delete(answer)
    }
  }

  static mustBeKnownToNock(origin: string): void {
    const taken = inserted.get(origin)
    if (taken === undefined) return
    throw new Error(
      `wikitape: ${taken.#of.what} is inserted, but nock does not know it any more: nock.cleanAll() takes cassettes out too; insert it after cleanAll, or remove your own interceptors one by one. This request to ${origin} was not sent.`,
    )
  }

  static watches(): readonly Watch[] {
    return [...[...inserted.values()].map((one) => one.#of), ...watching]
  }
}

/** Runs something whose requests shall reach the wiki itself, whatever is inserted. */
export const pastCassettes = <T>(work: () => T): T => asking.run(true, work)

/** Checks requests to wikis also while no cassette is inserted. @returns what ends that */
export function watchRequests(watch: Watch): () => void {
  mustBeOn()
  wake()
  watching.add(watch)
  return () => {
    watching.delete(watch)
    sleep()
  }
}

function mustBeOn(): void {
  if (process.env['NOCK_OFF'] === 'true')
    throw new Error('NOCK_OFF=true switches nock off, so no cassette can be inserted; unset it')
}

/** nock tells here of every request that it does not answer, before that is sent; what is thrown reaches the client. */
function beforeLeaving(first: unknown, second?: unknown): void {
  const request = leavingRequest(first) ?? leavingRequest(second)
  if (request === undefined || asking.getStore() !== undefined) return
  Interception.mustBeKnownToNock(request.url.origin)
  beforeSending(request)
}

/** The same for a request that a dispatcher of undici is given, of which nock 14 may not have heard. */
function beforeSending(request: LeavingRequest): void {
  if (asking.getStore() === undefined) checkLiveRequest(request, Interception.watches())
}

const idle = (): boolean => inserted.size === 0 && watching.size === 0

function wake(): void {
  if (!idle()) return
  nockWasAsleep = !nock.isActive()
  if (nockWasAsleep) nock.activate()
  nock.emitter.on('no match', beforeLeaving)
  endChecks = [
    refuseLongHeads((origin) => inserted.has(originOf(origin) ?? '')),
    checkDispatched(beforeSending),
  ]
}

function sleep(): void {
  if (!idle()) return
  nock.emitter.off('no match', beforeLeaving)
  for (const end of endChecks) end()
  if (nockWasAsleep && nock.isActive()) nock.restore()
  nockWasAsleep = false
}

/** Whether somebody else mocks this origin through nock. */
const hasOwnMocks = (origin: string): boolean =>
  nock.activeMocks().some((mock) => originOfMock(mock) === origin)

/** From nock's name of a mock, e.g. `GET https://ru.wikipedia.org:443/w/api.php`. */
const originOfMock = (mock: string): string | undefined =>
  originOf(/^\S+ (https?:\/\/[^/]+)/.exec(mock)?.[1] ?? '')
