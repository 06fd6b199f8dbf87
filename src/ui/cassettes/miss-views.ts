/** What was asked for and not recorded, beside what is nearest to it. */
import path from 'node:path'
import { requestWords, shown } from '../../engine/miss/describe-request.ts'
import type { Miss } from '../../engine/miss/miss-reply.ts'
import type { Rack } from '../../engine/registry/engine-registry.ts'
import type { Difference, NearMiss } from '../../playback/lookup/near-miss.ts'
import type { Store } from '../../store/store.ts'
import type { DifferenceView, MissView, NearView } from '../views.ts'
import type { Shelf } from './cassette-catalog.ts'

/** The newest last. */
export const missViews = (rack: Rack, shelf: Shelf): readonly MissView[] =>
  rack.engines().flatMap(({ store, summary }) => {
    const misses = [...summary.misses.values()]
    if (misses.length === 0) return []
    const name = path.basename(path.resolve(store.dir))
    // What nobody has recorded into yet has no folder.
    const onDisk = shelf.names().includes(name) ? shelf.tape(name).store : undefined
    return misses.map((miss) => missView(miss, name, [store, onDisk]))
  })

/** @param stores the server's own, and what lies on the disk now: another process may have run the command */
function missView(miss: Miss, cassette: string, stores: readonly [Store, Store | undefined]): MissView {
  const { key, reason, request, what, advice, command } = miss
  const nearest = known.get(miss) ?? miss.nearest.map((near) => nearView(near, stores[0]))
  known.set(miss, nearest)
  const recorded = stores.some((store) => store?.has(key) === true)
  return {
    ...{ key, cassette, reason, request: shown(request, 2_000), what: shown(what, 2_000) },
    ...{ nearest, advice, command, recorded },
  }
}

/** Pages ask again and again; the recordings beside a miss need not be read each time. */
const known = new WeakMap<Miss, readonly NearView[]>()

function nearView({ key, differences }: NearMiss, store: Store): NearView {
  const found = store.find(key)
  const words = found.kind === 'found' ? requestWords(found.interaction) : ''
  return { key, words, differences: differences.map(differenceView) }
}

const differenceView = ({ param, recorded, got }: Difference): DifferenceView => ({
  param: shown(param, 200),
  ...(recorded === undefined ? {} : { recorded: shown(recorded, 2_000) }),
  ...(got === undefined ? {} : { got: shown(got, 2_000) }),
})
