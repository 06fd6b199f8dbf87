/** Requests that failed, reported at the end of a run: an incomplete cassette must not look complete. */
import type { Mode } from '../../playback/mode.ts'
import { plural } from '../../text/plural.ts'
import type { UpstreamFault } from '../../upstream/upstream.ts'
import type { Invocation } from '../args/command.ts'
import { printNote } from '../terminal/terminal-output.ts'

/** One request without a recording. */
export interface RequestFailure {
  readonly request: string
  readonly why: string
}

const maxListed = 20

/**
 * @param skipped how many were not sent any more
 * @param mode decides what the same command run again would send
 */
export function reportFailures(
  failures: readonly RequestFailure[],
  skipped: number,
  mode: Mode,
  call: Invocation,
): void {
  if (failures.length === 0 && skipped === 0) return
  for (const { request, why } of failures.slice(0, maxListed)) printNote(call, `failed: ${request}: ${why}`)
  const more = failures.length - maxListed
  if (more > 0) printNote(call, `failed: ${more} more`)
  const rest = skipped === 0 ? '' : `, ${skipped} skipped`
  printNote(call, `${plural(failures.length, 'request')} failed${rest}; ${retryAdvice(mode)}`)
}

function retryAdvice(mode: Mode): string {
  switch (mode) {
    case 'new_episodes':
      return 'the same command run again sends only what is missing'
    case 'none':
    case 'once':
      return 'with --mode new_episodes the same command sends only what is missing'
    case 'all':
    case 'update':
    case 'passthrough':
      return 'the same command run again sends everything (raise --retries or --max-wait)'
  }
}

/** True if any other request would fail in the same way. */
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
