/** Commands that record what a cassette lacks, as messages name them. */
import { commandName, shellQuote } from '../../store/command-name.ts'
import type { Store } from '../../store/store.ts'

/** The command that asks the cassette's wiki one query without a client; with `follow`, on to the end of its listing. */
export const captureCommand = (query: string, store: Store, follow: boolean): string =>
  `echo '${query.replaceAll("'", '%27')}' | ${commandName} capture ${wikiAndCassette(store)} --requests -${follow ? ' --follow' : ''}`

/** The command that asks again everything that the cassette holds. */
export const refreshCommand = ({ dir }: Store): string => `${commandName} refresh ${shellQuote(dir)}`

export const recordCommand = (store: Store): string => `${commandName} record ${wikiAndCassette(store)}`

const wikiAndCassette = ({ manifest, dir }: Store): string =>
  `${shellQuote(manifest.upstream)} --cassette ${shellQuote(dir)}`
