/** What an earlier run wrote, as far as its cassette says: the wiki may have it, so that older recordings are asked again. */

import { writeSetOfInteraction } from '../../playback/session/session.ts'
import type { Derivation } from '../../request/derive.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import type { Store } from '../../store/store.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { sessionModules } from '../../wiki/effects/request-effect.ts'
import { namedTitles } from '../../wiki/effects/write-set.ts'
import { bundledLookup } from '../../wiki/modules/module-descriptions.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'

const writtenPages = new WeakMap<Store, ReadonlySet<string>>()

/** True of a read before any write, if it names a page that is written in the cassette. */
export function readsWrittenPage(
  { canonical, effect }: Derivation,
  store: Store
): boolean {
  const titles = splitValues(canonical.get('titles') ?? canonical.get('page') ?? '')
  if (effect !== 'read' || titles.length === 0 || canonical.has(epochParam)) return false
  const written = getOrAdd(writtenPages, store, () => findWrittenPages(store))
  const named = namedTitles(titles, store.manifest.site)?.names ?? []
  return [...named].some((one) => written.has(one))
}

function findWrittenPages(store: Store) {
  const pages = new Set<string>()
  for (const folder of store.folders().filter(isWriteFolder))
    for (const one of store.interactionsIn(folder)) {
      const writeSet = writeSetOfInteraction(one, store.manifest.site)
      if (writeSet?.kind === 'pages')
        for (const title of writeSet.titles) pages.add(title)
    }
  return pages
}

/** True of the folder of a module that writes: its recordings may be an older version's. */
export const isWriteFolder = (folder: string): boolean =>
  !sessionModules.test(folder) && bundledLookup(undefined)(folder)?.mustBePosted === true
