/**
 * Intercepts one wiki's requests inside this process, through nock's public interface only, so that nock 14 and 15 both
 * work: requests to the wiki's origin are answered here, those to other wikis are checked, all others pass.
 */
import nock from 'nock'
import { refuseOversizedHeads } from '../in-process/client-requests.ts'
import { interceptDispatchers } from '../in-process/dispatched-requests.ts'
import { originOf } from '../in-process/in-process-request.ts'
import {
  checkRequest,
  Interceptor,
  type InterceptorOptions,
  interceptorOf,
} from '../in-process/interceptors.ts'
import { checkNockVersion, readsSockets } from './compatibility.ts'
import { readNockRequest, readOutgoingRequest } from './nock-request.ts'

/** Every method that Node's clients send: nock refuses others without a reason. */
const methods = ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'] as const

const intercepted = new Set<string>()
let nockWasInactive = false
let ends: readonly (() => void)[] = []
let scopeCount = 0

/** @throws Error where another cassette answers for this wiki, nock is switched off, or does not run on this Node */
export function interceptWithNock(options: InterceptorOptions): Interceptor {
  checkNockVersion(nock)
  if (process.env['NOCK_OFF'] === 'true')
    throw new Error('NOCK_OFF=true switches nock off, so no cassette can be inserted; unset it')
  return new Interceptor(options, (interceptor) => {
    activateNock()
    intercepted.add(options.origin)
    const removeScope = addScope(interceptor)
    return () => {
      intercepted.delete(options.origin)
      removeScope()
      deactivateNock()
    }
  })
}

/**
 * By a scope of another name, since nock never forgets a host that it once mocked. Where a test mocks the wiki itself,
 * both use the origin, and the test's own mocks come first.
 */
function addScope(interceptor: Interceptor): () => void {
  const { origin } = interceptor.options
  const matches = (): boolean => interceptorOf(origin) === interceptor
  scopeCount += 1
  const scope = (
    hasMocks(origin)
      ? nock(origin, { allowUnmocked: true })
      : nock(`http://cassette-${scopeCount}.wikitape.invalid`, {
          filteringScope: (base: string) => originOf(base) === origin && matches(),
        })
  ).persist()
  const scoped = methods.map((method) => {
    const one = scope.intercept(matches, method).optionally()
    // nock 14 passes the request as `this.req`, and takes a function with parameters for one with a callback.
    one.reply(function reply(this: unknown, ...given: readonly unknown[]) {
      return interceptor.answer(readNockRequest(this, given))
    })
    return one
  })
  return () => {
    for (const one of scoped) nock.removeInterceptor(one)
  }
}

/** nock's event for each request that it does not answer, before it is sent. What is thrown reaches the client. */
function onUnmatchedRequest(first: unknown, second?: unknown): void {
  const request = readOutgoingRequest(first) ?? readOutgoingRequest(second)
  if (request === undefined) return
  const { origin } = request.url
  const interceptor = intercepted.has(origin) ? interceptorOf(origin) : undefined
  if (interceptor !== undefined)
    throw new Error(
      `wikitape: ${interceptor.options.label} is inserted, but nock does not know it any more: nock.cleanAll() takes cassettes out too; insert it after cleanAll, or remove your own interceptors one by one. This request to ${origin} was not sent.`,
    )
  checkRequest(request)
}

function activateNock(): void {
  if (intercepted.size > 0) return
  nockWasInactive = !nock.isActive()
  if (nockWasInactive) nock.activate()
  nock.emitter.on('no match', onUnmatchedRequest)
  ends = [
    () => void nock.emitter.off('no match', onUnmatchedRequest),
    refuseOversizedHeads((origin) => intercepted.has(originOf(origin) ?? '')),
    // nock 14 reports neither the redirects that fetch follows nor requests of undici's own `request`.
    ...(readsSockets ? [] : [interceptDispatchers((request) => void checkRequest(request))]),
  ]
}

function deactivateNock(): void {
  if (intercepted.size > 0) return
  for (const end of ends) end()
  if (nockWasInactive && nock.isActive()) nock.restore()
  nockWasInactive = false
}

const hasMocks = (origin: string): boolean => nock.activeMocks().some((mock) => originOfMock(mock) === origin)

/** From nock's name of a mock, e.g. `GET https://ru.wikipedia.org:443/w/api.php`. */
const originOfMock = (mock: string): string | undefined =>
  originOf(/^\S+ (https?:\/\/[^/]+)/.exec(mock)?.[1] ?? '')
