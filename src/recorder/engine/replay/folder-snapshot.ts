/** The recordings of one folder, and what is made of them, which is made again when they have changed. */
import type { Interaction } from '../../cassette/interaction.ts'
import { maxReadUnchosen, type NameChoice } from '../../cassette/name-search.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { PendingRead } from '../../store/pending-read.ts'
import type { Store } from '../../store/store.ts'

/** Most recordings of a folder that are searched for an answer that is none of them: all are in memory then, 10 KB each. */
const maxSearched = { folder: 200_000, replica: 10_000 } as const

/** Folders, and parts of them, of which something is kept. */
const maxRemembered = 200

interface Remembered<T> {
  readonly generation: string
  readonly made: T
}

/** The recordings of one folder, read once while one request is answered. */
export class FolderSnapshot {
  readonly #store: Store
  readonly #generation: (part?: string, keys?: readonly RequestKey[]) => string
  /** Which recordings have been chosen by their names. */
  readonly #chosen = new Map<string, Remembered<readonly RequestKey[]>>()
  #last:
    | {
        readonly folder: string
        readonly size: number
        readonly found: readonly Interaction[]
      }
    | undefined

  /** @param generation changes when the recordings of a folder change, or those of some keys */
  constructor(
    store: Store,
    generation: (part?: string, keys?: readonly RequestKey[]) => string = () =>
      `${store.size}`
  ) {
    this.#store = store
    this.#generation = generation
  }

  /** What is made of each folder, or of a chosen part of it, made again when its recordings have changed. */
  memoize<T>(
    make: (found: readonly Interaction[]) => T
  ): (folder: string, choice?: NameChoice) => T {
    const parts = new Map<string, Remembered<T>>()
    return (folder, choice) => {
      const keys = choice && this.#named(folder, choice)
      const part = partOf(folder, choice)
      const generation = this.#generation(part, keys)
      const known = parts.get(part)
      if (known?.generation === generation) return known.made
      const made = make(keys ? this.#read(keys) : this.interactionsIn(folder))
      remember(parts, part, { generation, made })
      return made
    }
  }

  /** True where only recordings are read whose names say that they may be of use. */
  choosesByName(folder: string): boolean {
    return (
      this.#store.size > maxReadUnchosen && this.#store.countIn(folder) > maxReadUnchosen
    )
  }

  /** Why only requests that are recorded themselves are answered from this folder; undefined where others are, too. */
  whyNotSearched(folder: string): string | undefined {
    const max = maxSearched[this.#store.refresh ? 'replica' : 'folder']
    const count = this.#store.size <= max ? 0 : this.#store.countIn(folder)
    if (count <= max) return undefined
    return `${folder} has ${count} recordings, and no more than ${max} are searched for an answer that is none of them`
  }

  /** Those that can be read, sorted by path. @param choice by their names, where they are too many to be read all */
  interactionsIn(folder: string, choice?: NameChoice): readonly Interaction[] {
    const { size } = this.#store
    if (choice && this.choosesByName(folder))
      return this.#read(this.#named(folder, choice))
    if (this.#last?.folder === folder && this.#last.size === size) return this.#last.found
    const found = [...this.#store.interactionsIn(folder)]
    this.#last = { folder, size, found }
    // Later requests must see the disk as it is then. (Not by a timer, since tests may fake them.)
    void Promise.resolve().then(() => {
      this.#last = undefined
    })
    return found
  }

  #read(keys: readonly RequestKey[]) {
    return this.#store.getAll(keys).flatMap(({ interaction }) => interaction ?? [])
  }

  /** @throws PendingRead while names are searched, since other requests get their turn meanwhile */
  #named(folder: string, choice: NameChoice) {
    const known = this.#chosen.get(partOf(folder, choice))
    if (known?.generation === this.#generation()) return known.made
    throw new PendingRead(this.#search(folder, choice))
  }

  async #search(folder: string, choice: NameChoice) {
    const made = await this.#store.named(folder, choice.test)
    remember(this.#chosen, partOf(folder, choice), {
      generation: this.#generation(),
      made
    })
  }
}

const partOf = (folder: string, choice: NameChoice | undefined) =>
  choice ? `${folder}\n${choice.id}` : folder

/** The oldest one is forgotten. */
function remember<T>(all: Map<string, T>, part: string, one: T) {
  all.delete(part)
  if (all.size >= maxRemembered) all.delete(all.keys().next().value ?? '')
  all.set(part, one)
}
