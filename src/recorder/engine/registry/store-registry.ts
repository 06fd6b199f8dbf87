/** The open cassettes of one server: the one named at the start, and others beside it by name. */

import { realpathSync } from 'node:fs'
import path from 'node:path'
import { toDay } from '../../cassette/format/manifest.ts'
import type { ApiUrl } from '../../http/api-url.ts'
import { type Mode, mayRecord } from '../../playback/decide.ts'
import { readProjectSettings } from '../../settings/project-settings.ts'
import { CassetteStore } from '../../store/cassette-store.ts'
import { pathInside } from '../../store/files/paths-inside.ts'
import { isStoreAddress } from '../../store/redis-address.ts'
import type { Store } from '../../store/store.ts'
import { requireSameWiki, StoreError } from '../../store/store-error.ts'
import { readOrElse } from '../../text/error-text.ts'
import { getOrAdd } from '../../text/group-by.ts'

export interface StoreRegistryOptions {
  /** Folder of the cassette that serves requests which name none; undefined where each names its wiki. */
  readonly cassette: string | undefined
  /** Opens only cassettes with strict matching; new ones are created with it. */
  readonly strict?: boolean
  /** Opens a cassette; from the disk unless given. @throws StoreError */
  readonly open?: (dir: string) => Store
  /** The folder to record to first, for a cassette of this folder; the same unless given. */
  readonly stage?: (dir: string) => string
  /** The live wiki; undefined in replay. */
  readonly live: { readonly api: ApiUrl } | undefined
  /** The wiki that a replay must be of; in recording, that of `live`. */
  readonly api?: ApiUrl | undefined
  /** The cassette named at the start may be a recording of the wiki at another address. */
  readonly moved?: boolean | undefined
  /** What the flag or the environment says; requests can only narrow it, unless `allowControl` is true. */
  readonly mode: Mode
  readonly allowControl?: boolean
  readonly now: () => number
}

type WikiOfStore = Pick<StoreRegistryOptions, 'live' | 'api'>

export class StoreRegistry {
  readonly #options: StoreRegistryOptions
  readonly #stores = new Map<string, Store>()
  /** True where another wiki's cassette was named. */
  hasRefusedWiki = false

  constructor(options: StoreRegistryOptions) {
    this.#options = options
  }

  /** @throws StoreError where the name leads out of the root */
  dirOf(name: string | undefined): string {
    const { cassette } = this.#options
    if (cassette === undefined) throw new StoreError('missing', name ?? '')
    if (isStoreAddress(cassette)) {
      if (name === undefined || cassette.endsWith(`#${name}`)) return cassette
      throw new StoreError('only-one', cassette, name)
    }
    const whole = path.resolve(cassette)
    // It may be a link to anywhere.
    if (name === undefined || name === path.basename(whole)) return cassette
    return pathInside(path.dirname(whole), name)
  }

  /** The cassette of a folder, opened at first use. @throws StoreError */
  get(dir: string, wiki: WikiOfStore = this.#options): Store {
    return getOrAdd(
      this.#stores,
      dir,
      () => this.#findAlias(dir) ?? this.#open(dir, wiki)
    )
  }

  /** Forces to the disk what was recorded, while clients are served. @throws what the disk says */
  async checkpoint(): Promise<void> {
    for (const store of this.#stores.values()) await store.checkpointAsync()
  }

  /** Ends the connections of remote stores. @throws StoreError where something could not be written */
  async close(): Promise<void> {
    for (const store of this.#stores.values()) await store.close?.()
  }

  /** One folder is one cassette by whatever path: with two stores, `update` would drop in each what the other was asked for. */
  #findAlias(dir: string) {
    const realPath = realPathOf(dir)
    return [...this.#stores.values()].find((store) => realPathOf(store.dir) === realPath)
  }

  #open(dir: string, { live, api }: WikiOfStore) {
    const { cassette, moved = false, open, now, stage } = this.#options
    const { mode, allowControl = false } = this.#options
    const mayMove = moved && dir === cassette
    const creating = {
      day: toDay(now()),
      stage,
      moved: mayMove,
      mayRecord: (isNew: boolean) => allowControl || mayRecord(mode, isNew)
    }
    try {
      const store =
        open?.(dir) ??
        (live
          ? CassetteStore.openOrCreate(dir, live.api.href, creating)
          : CassetteStore.open(dir))
      if (api) requireSameWiki(store, { upstream: api.href, site: undefined }, mayMove)
      this.#mustBeStrict(store, dir)
      if (live && isBegun(store, mode)) ignoreInKeys(store)
      return store
    } catch (error) {
      this.hasRefusedWiki ||= error instanceof StoreError && error.fault === 'other-wiki'
      throw error
    }
  }

  #mustBeStrict(store: Store, dir: string) {
    const { strict = false, live } = this.#options
    if (!strict || store.manifest.match === 'strict') return
    if (store.size > 0 || !live) throw new StoreError('not-strict', dir)
    store.setManifest({ ...store.manifest, match: 'strict' })
  }
}

/** True where what is recorded from now on needs no key of before. */
const isBegun = ({ size }: Store, mode: Mode) =>
  size === 0 || mode === 'all' || mode === 'update'

/** The cassette keeps what its keys leave out, so that a replay needs no settings. */
function ignoreInKeys(store: Store) {
  const ignore = readProjectSettings(process.cwd())?.ignore
  if (JSON.stringify(ignore) !== JSON.stringify(store.manifest.ignore))
    store.setManifest({ ...store.manifest, ignore })
}

const realPathOf = (dir: string) =>
  readOrElse(path.resolve(dir), () => realpathSync.native(dir))
