/** The recordings of one request in several epochs, found once a folder. */
import type { Interaction } from '../cassette/interaction.ts'
import { folderOf } from '../cassette/name.ts'
import { keyBeforeWrites } from '../playback/unmoved.ts'
import type { CanonicalRequest, RequestKey } from '../request/key.ts'
import type { CassetteStore } from '../store/cassette-store.ts'

type Recordings = ReadonlyMap<RequestKey, readonly Interaction[]>

export class Epochs {
  readonly #store: CassetteStore
  readonly #folders = new Map<string, { readonly size: number; readonly recordings: Recordings }>()

  constructor(store: CassetteStore) {
    this.#store = store
  }

  /** All recordings of a request, whatever was written before; none where there is but one. */
  of(request: CanonicalRequest): readonly Interaction[] {
    const folder = folderOf(request)
    const known = this.#folders.get(folder)
    const recordings = known?.size === this.#store.size ? known.recordings : this.#read(folder)
    this.#folders.set(folder, { size: this.#store.size, recordings })
    return recordings.get(keyBeforeWrites(request)) ?? []
  }

  #read(folder: string): Recordings {
    const all = new Map<RequestKey, Interaction[]>()
    for (const interaction of this.#store.interactionsIn(folder)) {
      const key = keyBeforeWrites(interaction.request)
      all.set(key, [...(all.get(key) ?? []), interaction])
    }
    return new Map([...all].filter(([, recordings]) => recordings.length > 1))
  }
}
