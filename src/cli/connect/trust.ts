/** Which certificates are believed, and through which proxy a wiki is reached, from flags. */
import type { Route } from '../../upstream/connection/agent.ts'
import { RouteError, routeOf } from '../../upstream/connection/connection-options.ts'
import { type Given, type Shell, UsageError } from '../args/command.ts'

/** @throws UsageError */
export function routeTo(origin: string, given: Given, shell: Shell): Route {
  try {
    return routeOf(origin, { cacert: given.text('cacert'), insecure: given.on('insecure') }, shell.env)
  } catch (error) {
    throw error instanceof RouteError ? new UsageError(error.message) : error
  }
}
