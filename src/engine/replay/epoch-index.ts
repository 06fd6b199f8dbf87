/** An index of requests that are recorded in several epochs, built once for each folder. */
import type { Interaction } from '../../cassette/interaction.ts'
import { folderOf } from '../../cassette/interaction-path.ts'
import { keyBeforeWrites } from '../../playback/lookup/write-independent.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { groupBy } from '../../text/group-by.ts'
import type { FolderSnapshot } from './folder-snapshot.ts'

type RecordingsByRequest = ReadonlyMap<RequestKey, readonly Interaction[]>

export class EpochIndex {
  readonly #snapshot: FolderSnapshot
  readonly #generation: (folder: string) => string
  readonly #folders = new Map<string, { readonly generation: string; readonly index: RecordingsByRequest }>()

  /** @param generation changes when a folder's recordings change */
  constructor(snapshot: FolderSnapshot, generation: (folder: string) => string) {
    this.#snapshot = snapshot
    this.#generation = generation
  }

  /** The recordings of a request in all epochs; empty if it was recorded in one epoch only, which the usual lookup finds. */
  recordingsOf(request: CanonicalRequest): readonly Interaction[] {
    const folder = folderOf(request)
    if (this.#snapshot.whyNotSearched(folder) !== undefined) return []
    const known = this.#folders.get(folder)
    const generation = this.#generation(folder)
    const index = known?.generation === generation ? known.index : this.#indexOf(folder)
    this.#folders.set(folder, { generation, index })
    return index.size === 0 ? [] : (index.get(keyBeforeWrites(request)) ?? [])
  }

  clear(): void {
    this.#folders.clear()
  }

  #indexOf(folder: string): RecordingsByRequest {
    const interactions = this.#snapshot.interactionsIn(folder)
    if (interactions.every(({ request }) => !request.has(epochParam))) return new Map()
    const byRequest = groupBy(interactions, ({ request, key }) =>
      request.has(epochParam) ? keyBeforeWrites(request) : key,
    )
    return new Map([...byRequest].filter(([, recordings]) => recordings.length > 1))
  }
}
