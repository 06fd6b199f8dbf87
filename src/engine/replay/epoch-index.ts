/** The recordings of one request in several epochs, found once a folder. */
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
  readonly #folders = new Map<
    string,
    { readonly generation: string; readonly recordings: RecordingsByRequest }
  >()

  /** @param generation another one when what is recorded in a folder is */
  constructor(recordings: FolderSnapshot, generation: (folder: string) => string) {
    this.#snapshot = recordings
    this.#generation = generation
  }

  /** All recordings of a request, whatever was written before; none where there is but one. */
  recordingsOf(request: CanonicalRequest): readonly Interaction[] {
    const folder = folderOf(request)
    const known = this.#folders.get(folder)
    const generation = this.#generation(folder)
    const recordings = known?.generation === generation ? known.recordings : this.#read(folder)
    this.#folders.set(folder, { generation, recordings })
    return recordings.size === 0 ? [] : (recordings.get(keyBeforeWrites(request)) ?? [])
  }

  clear(): void {
    this.#folders.clear()
  }

  #read(folder: string): RecordingsByRequest {
    const interactions = this.#snapshot.interactionsIn(folder)
    if (interactions.every(({ request }) => !request.has(epochParam))) return new Map()
    const byRequest = groupBy(interactions, ({ request, key }) =>
      request.has(epochParam) ? keyBeforeWrites(request) : key,
    )
    return new Map([...byRequest].filter(([, recordings]) => recordings.length > 1))
  }
}
