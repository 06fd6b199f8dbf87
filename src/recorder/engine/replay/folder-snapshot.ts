/** The recordings of one folder, and what is made of them, which is made again when they have changed. */
import type { Interaction } from '../../cassette/interaction.ts'
import { maxReadUnchosen, type NameTest } from '../../cassette/name-search.ts'
import type { Store } from '../../store/store.ts'

/** Most recordings of a folder that are searched for an answer that is none of them: all are in memory then, 10 KB each. */
const maxSearched = { folder: 200_000, replica: 10_000 } as const

/** Folders, and parts of them, of which something is kept. */
const maxRemembered = 200

/** The recordings of one folder, read once while one request is answered. */
export class FolderSnapshot {
  readonly #store: Store
  readonly #generation: (folder: string) => string
  #last:
    | { readonly folder: string; readonly size: number; readonly found: readonly Interaction[] }
    | undefined

  /** @param generation changes when a folder's recordings change */
  constructor(store: Store, generation: (folder: string) => string = () => `${store.size}`) {
    this.#store = store
    this.#generation = generation
  }

  /** What is made of each folder, or of a part of it, made again when its recordings have changed. @param make gets the folder, perhaps with more lines */
  memoize<T>(make: (folder: string) => T): (folder: string) => T {
    const folders = new Map<string, { readonly generation: string; readonly made: T }>()
    return (part) => {
      const generation = this.#generation(part.split('\n', 1)[0] ?? '')
      const known = folders.get(part)
      if (known?.generation === generation) return known.made
      const made = make(part)
      if (folders.size >= maxRemembered) folders.delete(folders.keys().next().value ?? '')
      folders.set(part, { generation, made })
      return made
    }
  }

  /** True where only recordings are read whose names say that they may be of use. */
  choosesByName(folder: string): boolean {
    return this.#store.size > maxReadUnchosen && this.#store.countIn(folder) > maxReadUnchosen
  }

  /** Those that can be read and whose names pass a test, sorted by path. */
  interactionsNamed(folder: string, test: NameTest): readonly Interaction[] {
    const keys = this.#store.named(folder, test)
    return this.#store
      .getAll(keys)
      .flatMap((found) => (found.kind === 'found' ? [found.interaction] : []))
  }

  /** Why only requests that are recorded themselves are answered from this folder; undefined where others are, too. */
  whyNotSearched(folder: string): string | undefined {
    const max = maxSearched[this.#store.refresh === undefined ? 'folder' : 'replica']
    const count = this.#store.size <= max ? 0 : this.#store.countIn(folder)
    if (count <= max) return undefined
    return `${folder} has ${count} recordings, and no more than ${max} are searched for an answer that is none of them`
  }

  /** Those that can be read, sorted by path. @param chosen by their names, where they are too many to be read all */
  interactionsIn(folder: string, chosen?: NameTest): readonly Interaction[] {
    const { size } = this.#store
    if (chosen !== undefined && this.choosesByName(folder))
      return this.interactionsNamed(folder, chosen)
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
