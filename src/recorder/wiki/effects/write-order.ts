/**
 * Which writes may be exchanged: edits of two pages lead to the same wiki in either order, but for ids and times. Only a
 * list of what was done shows their order (docs/sessions.md).
 */

import { wordSet } from '../../text/words.ts'
import type { Params } from '../parameters/request-params.ts'
import { sessionModules } from './request-effect.ts'
import type { WriteSet } from './write-set.ts'

/**
 * Their answers are made of what the wiki holds, in an order of titles. Source: the modules ApiQueryAllPages, ApiQueryWatchlistRaw,
 * ApiQueryImageInfo, ApiMove, ApiUpload …, MediaWiki 1.35 to 1.43. (`info` is none: it tells by which of two edits a page
 * that links to both was touched.)
 */
const unorderedModules = wordSet(
  'help paraminfo query+siteinfo query+userinfo query+revisions query+categoryinfo query+imageinfo ' +
    'query+allpages query+watchlistraw edit upload move purge watch delete undelete protect rollback'
)

/** True of an answer that is the same in whatever order two pages were edited. */
export const showsNoOrder = (modules: readonly string[], canonical: Params): boolean =>
  !canonical.has('generator') &&
  !canonical.has('export') &&
  modules.every((one) => unorderedModules.has(one) || sessionModules.test(one))

/** The page that an edit wrote, and nothing else; undefined for other writes. */
export const editedPage = (writeSet: WriteSet): string | undefined => {
  const isEdit =
    writeSet.kind === 'pages' && (writeSet.how === 'created' || writeSet.how === 'edited')
  return isEdit && writeSet.titles.size === 1 ? [...writeSet.titles][0] : undefined
}

/** Writes with those that may be exchanged sorted by their pages: equal for all orders that lead to the same wiki. */
export function inNormalOrder<T extends { readonly writeSet: WriteSet }>(
  writes: readonly T[]
): readonly T[] {
  const ordered: T[] = []
  let edits: { readonly page: string; readonly write: T }[] = []
  const endRun = () => {
    edits.sort((a, b) => (a.page === b.page ? 0 : a.page < b.page ? -1 : 1))
    ordered.push(...edits.map(({ write }) => write))
    edits = []
  }
  for (const write of writes) {
    const page = editedPage(write.writeSet)
    if (page !== undefined) {
      edits.push({ page, write })
      continue
    }
    endRun()
    ordered.push(write)
  }
  endRun()
  return ordered
}
