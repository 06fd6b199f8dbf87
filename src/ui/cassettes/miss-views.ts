/** Misses as views: what was requested and is not recorded, with the nearest recordings. */
import path from 'node:path'
import { describeRequest, displayText } from '../../engine/miss/describe-request.ts'
import type { Miss } from '../../engine/miss/miss-reply.ts'
import type { EngineRegistry } from '../../engine/registry/engine-registry.ts'
import type { Difference } from '../../playback/lookup/near-miss.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { PendingRead, type Store } from '../../store/store.ts'
import type { DifferenceView, MissView } from '../views.ts'
import type { CassetteCatalog } from './cassette-catalog.ts'

/** The newest last. */
export const missViews = (engines: EngineRegistry, catalog: CassetteCatalog): readonly MissView[] =>
  engines.all().flatMap(({ store, summary }) => {
    const misses = [...summary.misses.values()]
    if (misses.length === 0) return []
    const name = path.basename(path.resolve(store.dir))
    // Before the first recording there is no folder.
    const storeOnDisk = catalog.names().includes(name) ? catalog.snapshot(name).store : undefined
    return misses.map((miss) => missView(miss, name, [store, storeOnDisk]))
  })

/** @param stores the server's own, and the cassette on disk now: another process may have recorded the request */
export function missView(
  miss: Miss,
  cassette: string,
  stores: readonly [Store, Store | undefined],
): MissView {
  const { key, reason, request, what, advice, command } = miss
  const nearest = miss.nearest.map((near) => ({
    key: near.key,
    words: wordsOf(near.key, stores[0]),
    differences: near.differences.map(differenceView),
  }))
  const recorded = stores.some((store) => store?.has(key) === true)
  return {
    ...{ key, cassette, reason, request: displayText(request, 2_000), what: displayText(what, 2_000) },
    ...{ nearest, advice, command, recorded },
  }
}

/** Empty where it cannot be read, or a remote store would have to load it. */
function wordsOf(key: RequestKey, store: Store): string {
  try {
    const found = store.get(key)
    return found.kind === 'found' ? describeRequest(found.interaction) : ''
  } catch (error) {
    if (error instanceof PendingRead) return ''
    throw error
  }
}

const differenceView = ({ param, recorded, got }: Difference): DifferenceView => ({
  param: displayText(param, 200),
  ...(recorded === undefined ? {} : { recorded: displayText(recorded, 2_000) }),
  ...(got === undefined ? {} : { got: displayText(got, 2_000) }),
})
