/** Recordings that conflict, or cannot be read, in words; and commands that record what a cassette lacks. */
import { faultText } from '../../json/json-fault.ts'
import type { Listing } from '../../paging/joining/listing.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { commandName, shellQuote } from '../../store/command-name.ts'
import type { BrokenRecording } from '../../store/contents/interaction-reader.ts'
import type { Store } from '../../store/store.ts'

/** Two batches of one listing that cannot both be right; nothing is synthesized from that listing. */
interface ListingConflict {
  /** Inside the cassette, `/` as separator. */
  readonly file: string
  readonly what: string
}

export function conflictsIn(
  { conflicts }: Listing,
  store: Store
): readonly ListingConflict[] {
  const files = new Map(conflicts.length === 0 ? [] : store.paths())
  const nameOf = (key: RequestKey) => files.get(key) ?? key
  return conflicts.map(({ between: [one, other], what }) => ({
    file: nameOf(one),
    what: `contradicts ${nameOf(other)}: ${what}; ${conflictReason}: ${refreshCommandLine(store)} records all of it again`
  }))
}

export const conflictReason = 'the wiki changed between the two'

export const brokenText = ({ path, fault }: BrokenRecording): string =>
  `broken recording ${faultText(path, fault)}; fix it or record it again`

/** The command that asks the cassette's wiki one query without a client; with `follow`, on to the end of its listing. */
export const captureCommandLine = (
  query: string,
  store: Store,
  follow: boolean
): string =>
  `echo '${query.replaceAll("'", '%27')}' | ${commandName} capture ${wikiAndCassette(store)} --requests -${follow ? ' --follow' : ''}`

/** The command that asks again everything that the cassette holds. */
export const refreshCommandLine = ({ dir }: Store): string =>
  `${commandName} refresh ${shellQuote(dir)}`

export const recordCommandLine = (store: Store): string =>
  `${commandName} record ${wikiAndCassette(store)}`

const wikiAndCassette = ({ manifest, dir }: Store) =>
  `${shellQuote(manifest.upstream)} --cassette ${shellQuote(dir)}`
