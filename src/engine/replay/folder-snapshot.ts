/** The recordings of one folder, read once for all that look through them while one request is answered. */
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
    // Whoever asks later must see what lies on the disk then. (Not by a timer, which tests may have stopped.)
    void Promise.resolve().then(() => {
      this.#last = undefined
    })
    return found
  }
}
