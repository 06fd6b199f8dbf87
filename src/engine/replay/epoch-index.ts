/** The recordings of one request in several epochs, found once a folder. */
import type { Interaction } from '../../cassette/interaction.ts'
import { folderOf } from '../../cassette/interaction-path.ts'
import { keyBeforeWrites } from '../../playback/lookup/write-independent.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import { stateName } from '../../request/scoped-keys.ts'
import { grouped } from '../../text/group-by.ts'
import type { Recordings } from './folder-snapshot.ts'

type ByRequest = ReadonlyMap<RequestKey, readonly Interaction[]>

export class Epochs {
  readonly #recordings: Recordings
  readonly #state: (folder: string) => string
  readonly #folders = new Map<string, { readonly state: string; readonly recordings: ByRequest }>()

  /** @param state another one when what is recorded in a folder is */
  constructor(recordings: Recordings, state: (folder: string) => string) {
    this.#recordings = recordings
    this.#state = state
  }

  /** All recordings of a request, whatever was written before; none where there is but one. */
  of(request: CanonicalRequest): readonly Interaction[] {
    const folder = folderOf(request)
    const known = this.#folders.get(folder)
    const state = this.#state(folder)
    const recordings = known?.state === state ? known.recordings : this.#read(folder)
    this.#folders.set(folder, { state, recordings })
    return recordings.size === 0 ? [] : (recordings.get(keyBeforeWrites(request)) ?? [])
  }

  forget(): void {
    this.#folders.clear()
  }

  #read(folder: string): ByRequest {
    const interactions = this.#recordings.in(folder)
    if (interactions.every(({ request }) => !request.has(stateName))) return new Map()
    const all = grouped(interactions, ({ request, key }) =>
      request.has(stateName) ? keyBeforeWrites(request) : key,
    )
    return new Map([...all].filter(([, recordings]) => recordings.length > 1))
  }
}
