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

export interface Standing {
  readonly mode: Mode
  /** The cassette was empty when it was opened (for `once`). */
  readonly isNew: boolean
  readonly policy: MissPolicy
  /**
   * While recording, this recording cannot stand in for the wiki: it hands out a session or a token that the wiki
   * would not take back, or it is from before a write of this session.
   */
  readonly mustAsk: boolean
}

export function decide(match: Match, { mode, isNew, policy, mustAsk }: Standing): Decision {
  const recorded = match.kind === 'recorded' ? ({ kind: 'replay', match } as const) : undefined
  const offline: Decision =
    policy === 'synthesize' && match.kind !== 'contradicted' ? { kind: 'synthesise' } : { kind: 'refuse' }
  const record = { kind: 'forward', record: true } as const
  switch (mode) {
    case 'passthrough':
      return { kind: 'forward', record: false }
    case 'all':
    case 'update':
      return record
    case 'new_episodes':
      return mustAsk ? record : (recorded ?? record)
    case 'once':
      if (isNew) return mustAsk ? record : (recorded ?? record)
      return recorded ?? offline
    case 'none':
      return recorded ?? offline
  }
}
