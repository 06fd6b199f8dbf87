/** What could not be had from a wiki, and why: told at the end, so that nobody takes a part for the whole. */
import type { Mode } from '../../playback/mode.ts'
import { plural } from '../../text/plural.ts'
import type { UpstreamFault } from '../../upstream/upstream.ts'
import type { CommandContext } from '../args/command.ts'

/** One request without a recording. */
export interface RequestFailure {
  readonly request: string
  readonly why: string
}

const maxListed = 20

/**
 * @param skipped how many were not tried any more
 * @param mode what the same command run again would do with what was had: the last line has to be true
 */
export function reportFailures(
  failures: readonly RequestFailure[],
  skipped: number,
  mode: Mode,
  context: CommandContext,
): void {
  if (failures.length === 0 && skipped === 0) return
  for (const { request, why } of failures.slice(0, maxListed))
    context.stderr(`wikitape: not had: ${request}: ${why}\n`)
  const more = failures.length - maxListed
  if (more > 0) context.stderr(`wikitape: not had: ${more} more\n`)
  const rest = skipped === 0 ? '' : `; ${skipped} more were not asked`
  context.stderr(
    `wikitape: ${plural(failures.length, 'request')} could not be had${rest}; ${retryAdvice(mode)}\n`,
  )
}

function retryAdvice(mode: Mode): string {
  switch (mode) {
    case 'new_episodes':
      return 'the same command run again asks only for what is missing'
    case 'none':
    case 'once':
      return 'with --mode new_episodes the same command asks only for what is missing'
    case 'all':
    case 'update':
    case 'passthrough':
      return 'the same command run again asks all of it anew (--retries and --max-wait make it more patient)'
  }
}

/** True where asking for anything else would fail just so. */
export function isFatal(fault: UpstreamFault): boolean {
  switch (fault) {
    case 'unreachable':
    case 'untrusted':
    case 'proxy':
    case 'busy':
    case 'moved':
    case 'blocked':
      return true
    case 'timeout':
    case 'reset':
    case 'undecodable':
    case 'too-large':
    case 'aborted':
      return false
  }
}
