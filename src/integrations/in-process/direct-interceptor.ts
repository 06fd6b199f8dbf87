/** Intercepts requests of this process beneath every library: at the agents of node:http and at the dispatcher of fetch. */
import { interceptAgents, refuseOversizedHeads } from './client-requests.ts'
import { interceptDispatchers } from './dispatched-requests.ts'
import { guardConnections } from './guard-connections.ts'
import {
  type Answer,
  callAll,
  type OutgoingRequest,
  originOf
} from './in-process-request.ts'
import {
  addWatch,
  checkConnection,
  checkRequest,
  Interceptor,
  type InterceptorOptions,
  interceptorOf,
  isIntercepted
} from './interceptors.ts'
import type { RequestWatch } from './live-request-policy.ts'

let userCount = 0
let ends: (() => void)[] = []

/** @throws Error if another cassette answers for this wiki */
export const interceptDirectly = (options: InterceptorOptions): Interceptor =>
  new Interceptor(options, interceptBeneath)

/** Checks requests to wikis also while no cassette is inserted. @returns the function that ends this */
export const watchRequests = (watch: RequestWatch): (() => void) =>
  callAll([addWatch(watch), interceptBeneath()])

/** @returns the function that ends interception where nobody else needs it */
export function interceptBeneath(): () => void {
  if (userCount === 0)
    ends = [
      interceptAgents(route),
      guardConnections(checkConnection),
      refuseOversizedHeads((origin) => isIntercepted(originOf(origin) ?? ''))
    ]
  // The file of a test may have loaded an undici of its own since the last cassette was inserted.
  ends.push(...interceptDispatchers(route))
  userCount += 1
  let isActive = true
  return () => {
    if (!isActive) return
    isActive = false
    userCount -= 1
    if (userCount === 0) for (const end of ends) end()
  }
}

function route(request: OutgoingRequest): Answer | undefined {
  const { method, url } = request
  // A tunnel through a proxy.
  if (method === 'CONNECT') checkConnection(url.hostname, Number(url.port || 80))
  const interceptor = interceptorOf(request.url.origin)
  if (interceptor) return (given) => interceptor.answer(given)
  checkRequest(request)
  return undefined
}
