/** Records the states of pages: evidence for later comparisons. */
import {
  type PageState,
  pageStateParams,
  pagesFile,
  readPageStates,
} from '../../cassette/format/pages-file.ts'
import type { IncomingHeaders } from '../../http/incoming-request.ts'
import type { Store } from '../../store/store.ts'
import type { AskWiki } from './ask-wiki.ts'

/** Titles that one request takes from an anonymous caller. */
const batchSize = 50

/** Ten requests are enough for a convenience. */
const maxPages = 500

/**
 * @param titles in any spelling; at most 500 of them are asked for, fifty at once
 * @param mayWrite sees the text before it is written
 * @throws UpstreamError | StoreError
 */
export async function recordPageStates(
  titles: readonly string[],
  store: Store,
  ask: AskWiki,
  headers: IncomingHeaders,
  mayWrite: (path: string, text: string) => boolean,
): Promise<void> {
  const states = new Map<string, PageState>()
  const selected = titles.slice(0, maxPages)
  for (let at = 0; at < selected.length; at += batchSize) {
    const batch = selected.slice(at, at + batchSize).join('|')
    const answer = await ask({ ...pageStateParams, titles: batch }, headers)
    if (answer !== undefined)
      for (const [title, state] of readPageStates(answer.tree)) states.set(title, state)
  }
  store.putPageStates(states, (text) => mayWrite(pagesFile, text))
}
