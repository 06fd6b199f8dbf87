/** Intercepts requests of this process beneath every library: at the agents of node:http and at the dispatcher of fetch. */
import { interceptAgents, refuseOversizedHeads } from './client-requests.ts'
import { interceptDispatchers } from './dispatched-requests.ts'
import { type Answer, callAll, type OutgoingRequest, originOf } from './in-process-request.ts'
import {
  addWatch,
  checkRequest,
  Interceptor,
  type InterceptorOptions,
  interceptorOf,
  isIntercepted,
} from './interceptors.ts'
import type { RequestWatch } from './live-request-policy.ts'

let userCount = 0
let ends: readonly (() => void)[] = []

/** @throws Error where another cassette answers for this wiki */
export const interceptDirectly = (options: InterceptorOptions): Interceptor =>
  new Interceptor(options, interceptBeneath)

/** Checks requests to wikis also while no cassette is inserted. @returns the function that ends this */
export function watchRequests(watch: RequestWatch): () => void {
  return callAll([addWatch(watch), interceptBeneath()])
}

/** @returns the function that ends interception where nobody else needs it */
export function interceptBeneath(): () => void {
  if (userCount === 0)
    ends = [
      interceptDispatchers(route),
      interceptAgents(route),
      refuseOversizedHeads((origin) => isIntercepted(originOf(origin) ?? '')),
    ]
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
  const interceptor = interceptorOf(request.url.origin)
  if (interceptor !== undefined) return (given) => interceptor.answer(given)
  checkRequest(request)
  return undefined
}
