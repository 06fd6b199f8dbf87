/** Which certificates are believed, and through which proxy a wiki is reached, from flags. */
import type { UpstreamConnection } from '../../upstream/connection/agent.ts'
import { ConnectionOptionsError, resolveConnection } from '../../upstream/connection/connection-options.ts'
import { type Invocation, UsageError } from '../args/command.ts'

/** @throws UsageError */
export function connectionTo(origin: string, call: Invocation): UpstreamConnection {
  try {
    return resolveConnection(
      origin,
      { cacert: call.value('cacert'), insecure: call.isOn('insecure') },
      call.env,
    )
  } catch (error) {
    throw error instanceof ConnectionOptionsError ? new UsageError(error.message) : error
  }
}
