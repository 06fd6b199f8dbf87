/** A run whose requests are shown: that of this server, or one that was written with `--run`. */
import type { EngineRegistry } from '../../recorder/engine/registry/engine-registry.ts'
import type { RequestView, SentRequestView, UsedView } from '../run-views.ts'
import { cassetteName, requestView, sentRequestView } from '../sent-request.ts'
import type { MissView } from '../views.ts'
import { missView } from './miss-view.ts'

export interface ShownRun {
  /** Empty for this server's own. */
  readonly name: string
  /** The requests after this one, oldest first. */
  readonly since: (id: number) => readonly RequestView[]
  readonly sent: (id: number) => SentRequestView | undefined
  /** The newest last; `recorded` as it was when the request was missed, or is now. */
  readonly misses: () => readonly MissView[]
  /** The recordings of a cassette that answered, and for which test. */
  readonly used: (cassette: string) => readonly UsedView[]
}

export const liveRun = (engines: EngineRegistry): ShownRun => ({
  name: '',
  since: (id) => engines.feed.since(id).map((one) => requestView(one)),
  sent: (id) => {
    const found = engines.feed.since(id - 1).find((one) => one.id === id)
    return found && sentRequestView(found.entry)
  },
  misses: () =>
    engines.all().flatMap(({ store, summary }) => {
      const name = cassetteName(store.dir)
      return [...summary.misses.values()].map((miss) => missView(miss, name, store))
    }),
  used: (cassette) =>
    [...engines.summaries().keys()].flatMap((store) =>
      cassetteName(store.dir) === cassette
        ? { keys: [...engines.usedOf(store)], test: '' }
        : []
    )
})
