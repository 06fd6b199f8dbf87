/** What could not be had from a wiki, and why: told at the end, so that nobody takes a part for the whole. */
import type { Mode } from '../../playback/mode.ts'
import { plural } from '../../text/plural.ts'
import type { UpstreamFault } from '../../upstream/upstream.ts'
import type { Shell } from '../args/command.ts'

/** One request without a recording. */
export interface Lack {
  readonly request: string
  readonly why: string
}

const mostTold = 20

/**
 * @param notAsked how many were not tried any more
 * @param mode what the same command run again would do with what was had: the last line has to be true
 */
export function tellLacks(lacks: readonly Lack[], notAsked: number, mode: Mode, shell: Shell): void {
  if (lacks.length === 0 && notAsked === 0) return
  for (const { request, why } of lacks.slice(0, mostTold))
    shell.err(`wikitape: not had: ${request}: ${why}\n`)
  const more = lacks.length - mostTold
  if (more > 0) shell.err(`wikitape: not had: ${more} more\n`)
  const rest = notAsked === 0 ? '' : `; ${notAsked} more were not asked`
  shell.err(`wikitape: ${plural(lacks.length, 'request')} could not be had${rest}; ${againText(mode)}\n`)
}

function againText(mode: Mode): string {
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
export function isLost(fault: UpstreamFault): boolean {
  switch (fault) {
    case 'unreachable':
    case 'untrusted':
    case 'proxy':
    case 'busy':
    case 'moved':
    case 'walled':
      return true
    case 'timeout':
    case 'reset':
    case 'undecodable':
    case 'too-large':
    case 'aborted':
      return false
  }
}
