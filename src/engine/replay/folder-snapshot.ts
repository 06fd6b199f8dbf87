/** The recordings of one folder, read once while one request is answered. */
import type { Interaction } from '../../cassette/interaction.ts'
import type { Store } from '../../store/store.ts'

export class FolderSnapshot {
  readonly #store: Store
  #last:
    | { readonly folder: string; readonly size: number; readonly found: readonly Interaction[] }
    | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** Those that can be read, sorted by path. */
  interactionsIn(folder: string): readonly Interaction[] {
    const { size } = this.#store
    if (this.#last?.folder === folder && this.#last.size === size) return this.#last.found
    const found = [...this.#store.interactionsIn(folder)]
    this.#last = { folder, size, found }
    // Later requests must see the disk as it is then. (Not by a timer, since tests may fake them.)
    void Promise.resolve().then(() => {
      this.#last = undefined
    })
    return found
  }
}
