/** Recordings in other folders than that of a request, which may show what it asks for. */
import type { Interaction } from '../../cassette/interaction.ts'
import { folderOf } from '../../cassette/interaction-path.ts'
import { mayHaveValue } from '../../cassette/name-search.ts'
import { requestedEntities } from '../../playback/compose/entities/compose-entities.ts'
import type { Derivation } from '../../request/derive.ts'
import type { Store } from '../../store/store.ts'
import { valuesOf } from '../../wiki/parameters/request-params.ts'
import { showingPagesOf } from './choose-by-name.ts'
import type { FolderSnapshot } from './folder-snapshot.ts'

/** Claims are shown by whole entities, too. */
export function* showingEntities(
  derivation: Derivation,
  snapshot: FolderSnapshot
): Iterable<Interaction> {
  if (derivation.canonical.get('action') !== 'wbgetclaims') return
  const shown = mayHaveValue('ids', requestedEntities(derivation))
  yield* snapshot.interactionsIn('wbgetentities', shown)
}

/** What a prop says of a page is shown where it ran beside others, too. @param ofAnyProps not only of one that is asked for */
export function* showingPages(
  { canonical }: Derivation,
  store: Store,
  snapshot: FolderSnapshot,
  ofAnyProps = false
): Iterable<Interaction> {
  const shown = showingPagesOf(canonical)
  const props = valuesOf(canonical, 'prop')
  if (props.length === 0 || !shown || canonical.has('generator')) return
  for (const folder of store.folders()) {
    const modules = folder.replace(/^query\./, '').split('+')
    const isUseful =
      folder.startsWith('query.') &&
      (ofAnyProps || modules.some((one) => props.includes(one)))
    if (isUseful && snapshot.whyNotSearched(folder) === undefined)
      yield* snapshot.interactionsIn(folder, shown)
  }
}

/** A module that runs warns of the same names, whatever runs beside it. */
export function* warningOfUnknown(
  derivation: Derivation,
  store: Store,
  snapshot: FolderSnapshot
): Iterable<Interaction> {
  const { canonical } = derivation
  yield* snapshot.interactionsIn(folderOf(canonical), showingPagesOf(canonical))
  yield* showingPages(derivation, store, snapshot)
}

/** Recordings that show the ids of pages; without generators, whose many pages are seldom requested. */
export function* showingIds(
  store: Store,
  snapshot: FolderSnapshot
): Iterable<Interaction> {
  for (const folder of store.folders())
    if (
      folder.startsWith('query.') &&
      !folder.startsWith('query.g-') &&
      snapshot.whyNotSearched(folder) === undefined
    )
      yield* store.interactionsIn(folder)
}

/** Recorded errors of any modules, until one is of use. */
export function* showingErrors(
  store: Store,
  snapshot: FolderSnapshot
): Iterable<Interaction> {
  for (const folder of store.folders())
    if (snapshot.whyNotSearched(folder) === undefined)
      for (const one of store.interactionsIn(folder))
        if (one.responses[0].headers.has('mediawiki-api-error')) yield one
}
