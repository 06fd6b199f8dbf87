/** The recordings of one request in several epochs, found once a folder. */
import type { Interaction } from '../cassette/interaction.ts'
import { folderOf } from '../cassette/name.ts'
import { keyBeforeWrites } from '../playback/unmoved.ts'
import type { CanonicalRequest, RequestKey } from '../request/key.ts'
import { stateName } from '../request/places.ts'
import type { Store } from '../store/store.ts'
import type { Recordings } from './recordings.ts'

type ByRequest = ReadonlyMap<RequestKey, readonly Interaction[]>

export class Epochs {
  readonly #store: Store
  readonly #recordings: Recordings
  readonly #folders = new Map<string, { readonly size: number; readonly recordings: ByRequest }>()

  constructor(store: Store, recordings: Recordings) {
    this.#store = store
    this.#recordings = recordings
  }

  /** All recordings of a request, whatever was written before; none where there is but one. */
  of(request: CanonicalRequest): readonly Interaction[] {
    const folder = folderOf(request)
    const known = this.#folders.get(folder)
    const recordings = known?.size === this.#store.size ? known.recordings : this.#read(folder)
    this.#folders.set(folder, { size: this.#store.size, recordings })
    return recordings.size === 0 ? [] : (recordings.get(keyBeforeWrites(request)) ?? [])
  }

  #read(folder: string): ByRequest {
    const all = new Map<RequestKey, Interaction[]>()
    for (const interaction of this.#recordings.in(folder)) {
      const key = interaction.request.has(stateName) ? keyBeforeWrites(interaction.request) : interaction.key
      all.set(key, [...(all.get(key) ?? []), interaction])
    }
    return new Map([...all].filter(([, recordings]) => recordings.length > 1))
  }
}
