/** What was asked for and not recorded, beside what is nearest to it. */
import path from 'node:path'
import type { Difference, NearMiss } from '../playback/near-miss.ts'
import type { Miss } from '../proxy/miss.ts'
import type { Rack } from '../proxy/rack.ts'
import type { CassetteStore } from '../store/cassette-store.ts'
import type { Shelf, Tape } from './shelf.ts'
import type { DifferenceView, MissView, NearView } from './views.ts'
import { requestWords, shown } from './words.ts'

/** The newest last. */
export const missViews = (rack: Rack, shelf: Shelf): readonly MissView[] =>
  rack
    .engines()
    .flatMap(({ store, summary }) => [...summary.misses.values()].map((miss) => missView(miss, store, shelf)))

function missView(
  { key, reason, what, nearest, command }: Miss,
  store: CassetteStore,
  shelf: Shelf,
): MissView {
  const name = path.basename(path.resolve(store.dir))
  return {
    key,
    cassette: name,
    reason,
    what: shown(what, 2_000),
    nearest: nearest.map((near) => nearView(near, store)),
    command,
    // Perhaps by another process: the one that the command started.
    recorded: store.has(key) || isOnDisk(shelf.tape(name), key),
  }
}

const isOnDisk = ({ store }: Tape, key: Miss['key']): boolean => store?.has(key) === true

function nearView({ key, differences }: NearMiss, store: CassetteStore): NearView {
  const found = store.find(key)
  const words = found.kind === 'found' ? requestWords(found.interaction) : ''
  return { key, words, differences: differences.map(differenceView) }
}

const differenceView = ({ param, recorded, got }: Difference): DifferenceView => ({
  param: shown(param, 200),
  ...(recorded === undefined ? {} : { recorded: shown(recorded, 2_000) }),
  ...(got === undefined ? {} : { got: shown(got, 2_000) }),
})
