/**
 * Lets requests to the cassette's wiki pass through nock, by its public interface only, so that nock 14 and 15 both work:
 * they are answered beneath it. A test's own mocks of the wiki come first with nock 14; nock 15 sees what wikitape leaves.
 */
import nock from 'nock'
import { nockTooNew } from '../../upstream/connection/agent.ts'
import { interceptBeneath } from '../in-process/direct-interceptor.ts'
import { callAll, originOf } from '../in-process/in-process-request.ts'
import {
  exemptFromChecks,
  Interceptor,
  type InterceptorOptions,
  isIntercepted,
} from '../in-process/interceptors.ts'

let scopeCount = 0

/** nock 15 is recognised by this export; it needs Node 22. nock 14 replaces http.ClientRequest and fetch. */
const nock15Export = 'getGetRequestBody'

/** @param nock the package's exports @throws Error that says what to install */
export function checkNockVersion(nock: object, promise: object = Promise, node?: string): void {
  if (nock15Export in nock && !('withResolvers' in promise)) throw new Error(`wikitape: ${nockTooNew(node)}`)
}

/** @throws Error where another cassette answers for this wiki, or nock does not run on this Node */
export function interceptWithNock(options: InterceptorOptions): Interceptor {
  checkNockVersion(nock)
  if (nock15Export in nock) exemptFromChecks(hasMocks)
  return new Interceptor(options, () => callAll([addPassingScope(options.origin), interceptBeneath()]))
}

/**
 * A scope that matches nothing, and that `nock.disableNetConnect()` does not concern. Its name is another one, since nock
 * never forgets a host that it once mocked; where a test mocks the wiki itself, nock wants both in one place.
 */
function addPassingScope(origin: string): () => void {
  scopeCount += 1
  const scope = hasMocks(origin)
    ? nock(origin, { allowUnmocked: true })
    : nock(`http://cassette-${scopeCount}.wikitape.invalid`, {
        allowUnmocked: true,
        filteringScope: (base: string) => originOf(base) === origin && isIntercepted(origin),
      })
  const nothing = scope
    .persist()
    .intercept(() => false, 'GET')
    .optionally()
  nothing.reply(200)
  return () => void nock.removeInterceptor(nothing)
}

const hasMocks = (origin: string): boolean => nock.activeMocks().some((mock) => originOfMock(mock) === origin)

/** From nock's name of a mock, e.g. `GET https://ru.wikipedia.org:443/w/api.php`. */
const originOfMock = (mock: string): string | undefined =>
  originOf(/^\S+ (https?:\/\/[^/]+)/.exec(mock)?.[1] ?? '')
