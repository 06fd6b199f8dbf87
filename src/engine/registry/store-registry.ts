/** The cassettes that one server has open: the one named at the start, and others under the same root by name. */
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { toDay } from '../../cassette/format/manifest.ts'
import type { ApiUrl } from '../../http/api-url.ts'
import { CassetteStore } from '../../store/cassette-store.ts'
import { pathInside } from '../../store/files/paths-inside.ts'
import { requireSameWiki } from '../../store/require-same-wiki.ts'
import type { Store } from '../../store/store.ts'
import { StoreError } from '../../store/store-error.ts'

export interface StoreRegistryOptions {
  /** Folder of the cassette that serves requests which name none. */
  readonly cassette: string
  /** Cassettes in which a request must be spelled as it was recorded: new ones are begun so, others refused. */
  readonly strict?: boolean
  /** Opens what is replayed; a folder on the disk unless given. @throws StoreError */
  readonly open?: (dir: string) => Store
  /** Names where a cassette of this folder is recorded to until what is recorded may stay; there unless given. */
  readonly stage?: (dir: string) => string
  /** Milliseconds that a file must have been left alone to count as unchanged; 2000 unless given. */
  readonly racyWindowMs?: number
  /** The live wiki; undefined in replay. */
  readonly live: { readonly api: ApiUrl } | undefined
  /** The wiki that clients ask for, where one is named although nothing goes out; that of `live` otherwise. */
  readonly api?: ApiUrl | undefined
  /** Lets the cassette named at the start be a recording of that wiki under another address. */
  readonly moved?: boolean | undefined
  /** The present in milliseconds. */
  readonly now: () => number
}

export class StoreRegistry {
  readonly #options: StoreRegistryOptions
  readonly #stores = new Map<string, Store>()
  #hasRefusedWiki = false

  constructor(options: StoreRegistryOptions) {
    this.#options = options
  }

  /** True where another wiki's cassette was named. */
  get hasRefusedWiki(): boolean {
    return this.#hasRefusedWiki
  }

  /** @throws StoreError where the name leads out of the root */
  dirOf(name: string | undefined): string {
    const { cassette } = this.#options
    const whole = path.resolve(cassette)
    // The one named at the start may be a link to anywhere.
    if (name === undefined || name === path.basename(whole)) return cassette
    return pathInside(path.dirname(whole), name)
  }

  /** The cassette of a folder, opened at first use. @throws StoreError */
  get(dir: string): Store {
    const store = this.#stores.get(dir) ?? this.#findAlias(dir) ?? this.#open(dir)
    this.#stores.set(dir, store)
    return store
  }

  /** Forces to the disk what was recorded, while clients are served. @throws what the disk says */
  async checkpoint(): Promise<void> {
    for (const store of this.#stores.values()) await store.checkpointAsync()
  }

  /**
   * One folder is one cassette: the flag's may be named by a path too, or in another case where the file system does
   * not mind. Two at work in it would each drop what only the other was asked for.
   */
  #findAlias(dir: string): Store | undefined {
    const name = caseFoldedName(dir)
    const alike = [...this.#stores.values()].filter((store) => caseFoldedName(store.dir) === name)
    if (alike.length === 0) return undefined
    const realPath = realPathOf(dir)
    return alike.find((store) => realPathOf(store.dir) === realPath)
  }

  /** @throws StoreError */
  #open(dir: string): Store {
    const { live, api, cassette, moved = false } = this.#options
    const mayMove = moved && dir === cassette
    try {
      const store = live === undefined ? this.#openForReplay(dir) : this.#openToRecord(dir, live.api, mayMove)
      if (api !== undefined) requireSameWiki(store, { upstream: api.href, site: undefined }, mayMove)
      this.#mustBeStrict(store, dir)
      return store
    } catch (error) {
      this.#hasRefusedWiki ||= error instanceof StoreError && error.fault === 'other-wiki'
      throw error
    }
  }

  #openForReplay(dir: string): Store {
    const { open, racyWindowMs } = this.#options
    return open?.(dir) ?? CassetteStore.open(dir, { racyWindowMs })
  }

  #openToRecord(dir: string, { href }: ApiUrl, moved: boolean): Store {
    const { now, stage } = this.#options
    return CassetteStore.openOrCreate(dir, href, { day: toDay(now()), stage, moved })
  }

  /** Where strict matching is wanted. @throws StoreError */
  #mustBeStrict(store: Store, dir: string): void {
    const { strict = false, live } = this.#options
    if (!strict || store.manifest.match === 'strict') return
    if (store.size > 0 || live === undefined) throw StoreError.notStrict(dir)
    store.setManifest({ ...store.manifest, match: 'strict' })
  }
}

/** The folder's name as file systems compare it that mind neither case nor how letters are composed. */
const caseFoldedName = (dir: string): string =>
  path.basename(path.resolve(dir)).normalize('NFC').toLowerCase()

function realPathOf(dir: string): string {
  try {
    return realpathSync.native(dir)
  } catch {
    return path.resolve(dir)
  }
}
