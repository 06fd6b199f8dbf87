/** What is done with a request: one pure function of the mode and the match. */
import type { Match } from './match.ts'
import type { MissPolicy } from './miss-policy.ts'
import type { Mode } from './mode.ts'

export type Decision =
  | { readonly kind: 'replay'; readonly match: Extract<Match, { kind: 'recorded' }> }
  /** Ask the wiki; `record` says whether its answer goes into the cassette. */
  | { readonly kind: 'forward'; readonly record: boolean }
  /** Prove an answer from recorded batches, or refuse. */
  | { readonly kind: 'synthesise' }
  | { readonly kind: 'refuse' }

/** @param isNew the cassette was empty when it was opened (for `once`) */
export function decide(mode: Mode, match: Match, isNew: boolean, policy: MissPolicy): Decision {
  const offline: Decision = policy === 'synthesize' ? { kind: 'synthesise' } : { kind: 'refuse' }
  switch (mode) {
    case 'passthrough':
      return { kind: 'forward', record: false }
    case 'all':
    case 'update':
      return { kind: 'forward', record: true }
    case 'new_episodes':
      return match.kind === 'recorded' ? { kind: 'replay', match } : { kind: 'forward', record: true }
    case 'once':
      if (match.kind === 'recorded') return { kind: 'replay', match }
      return isNew ? { kind: 'forward', record: true } : offline
    case 'none':
      return match.kind === 'recorded' ? { kind: 'replay', match } : offline
  }
}
