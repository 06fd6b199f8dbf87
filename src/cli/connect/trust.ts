/** Which certificates are believed, and through which proxy a wiki is reached, from flags. */
import type { UpstreamConnection } from '../../upstream/connection/agent.ts'
import { ConnectionOptionsError, resolveConnection } from '../../upstream/connection/connection-options.ts'
import { type CommandContext, type ParsedArgs, UsageError } from '../args/command.ts'

/** @throws UsageError */
export function connectionTo(origin: string, args: ParsedArgs, context: CommandContext): UpstreamConnection {
  try {
    return resolveConnection(
      origin,
      { cacert: args.value('cacert'), insecure: args.isOn('insecure') },
      context.env,
    )
  } catch (error) {
    throw error instanceof ConnectionOptionsError ? new UsageError(error.message) : error
  }
}
