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

/** A line of `capture --requests`; with `follow`, its listing is recorded to the end. */
export const captureLine = (query: string, follow: boolean): string =>
  `${follow ? '+' : ''}${query.replaceAll("'", '%27')}`

/** The command that asks the cassette's wiki without a client. */
export function captureCommandLine(lines: readonly string[], store: Store): string {
  const follow = lines.every((line) => line.startsWith('+'))
  const sent = lines.map((line) => ` '${follow ? line.slice(1) : line}'`).join('')
  const print = lines.length === 1 ? 'echo' : "printf '%s\\n'"
  return `${print}${sent} | ${captureFileCommandLine('-', store)}${follow ? ' --follow' : ''}`
}

/** The same for the lines of a file. */
export const captureFileCommandLine = (file: string, store: Store): string =>
  `${commandName} capture ${wikiAndCassette(store)} --requests ${shellQuote(file)}`

/** The command that asks again everything that the cassette holds. */
export const refreshCommandLine = ({ dir }: Store): string =>
  `${commandName} refresh ${shellQuote(dir)}`

export const recordCommandLine = (store: Store): string =>
  `${commandName} record ${wikiAndCassette(store)}`

const wikiAndCassette = ({ manifest, dir }: Store) =>
  `${shellQuote(manifest.upstream)} --cassette ${shellQuote(dir)}`
