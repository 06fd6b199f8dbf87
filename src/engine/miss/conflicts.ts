/** Recordings that conflict, or cannot be read, in words, with what mends them. */
import type { Listing } from '../../paging/joining/listing.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { InteractionReadResult, Store } from '../../store/store.ts'
import { refreshCommand } from './remedy-commands.ts'

/** Two batches of one listing that cannot both be right; nothing is synthesized from that listing. */
export interface ListingConflict {
  /** Inside the cassette, `/` as separator. */
  readonly file: string
  readonly what: string
}

export function conflictsIn({ conflicts }: Listing, store: Store): readonly ListingConflict[] {
  const files = new Map(conflicts.length === 0 ? [] : store.paths())
  const nameOf = (key: RequestKey): string => files.get(key) ?? key
  return conflicts.map(({ between: [one, other], what }) => ({
    file: nameOf(one),
    what: `contradicts ${nameOf(other)}: ${what}; ${conflictReason}: ${refreshCommand(store)} records all of it again`,
  }))
}

export const conflictReason = 'the wiki changed between the two'

type BrokenRecording = Extract<InteractionReadResult, { kind: 'broken' }>

export const brokenText = ({ path, fault: { line, column, message } }: BrokenRecording): string =>
  `broken recording ${path}:${line}:${column}: ${message}; fix it or record it again`
