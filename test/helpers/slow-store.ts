/** A cassette that lies far away: its index is in memory, and each interaction takes its time to come. */

import type { Manifest } from '../../src/recorder/cassette/format/manifest.ts'
import type { RequestKey } from '../../src/recorder/request/request-key.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import {
  DescriptionFiles,
  textIn
} from '../../src/recorder/store/contents/description-files.ts'
import { InteractionIndex } from '../../src/recorder/store/contents/interaction-index.ts'
import type { InteractionReadResult } from '../../src/recorder/store/contents/interaction-reader.ts'
import { PendingRead } from '../../src/recorder/store/pending-read.ts'
import { Store } from '../../src/recorder/store/store.ts'

const absent: InteractionReadResult = { kind: 'absent' }

interface SlowContents {
  readonly manifest: { value: Manifest }
  readonly index: InteractionIndex
  readonly descriptions: DescriptionFiles
}

/** Nothing that is on the disk is asked for after it was made, but what the wiki said of its modules. */
export class SlowStore extends Store<SlowContents> {
  /** How often somebody was told to wait. */
  waits = 0
  readonly #far = new Map<RequestKey, InteractionReadResult>()
  readonly #near = new Map<RequestKey, InteractionReadResult>()
  /** What is drawn to decide how long each takes; the same for each run. */
  #drawn = 1

  constructor(dir: string) {
    const store = CassetteStore.open(dir)
    super(dir, {
      manifest: { value: store.manifest },
      index: InteractionIndex.read(dir),
      descriptions: new DescriptionFiles(
        (file) => textIn(dir, file),
        (file) => file
      )
    })
    for (const [key] of this.paths()) this.#far.set(key, store.get(key))
  }

  get(key: RequestKey): InteractionReadResult {
    return this.has(key) ? (this.#take([key])[0] ?? absent) : absent
  }

  getAll(keys: readonly RequestKey[]): readonly InteractionReadResult[] {
    return this.#take(keys.filter((key) => this.has(key)))
  }

  getOrDiscover(key: RequestKey): InteractionReadResult {
    return this.get(key)
  }

  readFolder(folder: string): IterableIterator<InteractionReadResult> {
    return this.#take(this.contents.index.entries(folder).map(([key]) => key)).values()
  }

  /** All of them, or none, and then they are sent for. @throws PendingRead */
  #take(keys: readonly RequestKey[]): readonly InteractionReadResult[] {
    const missing = keys.filter((key) => !this.#near.has(key))
    if (missing.length === 0) return keys.map((key) => this.#near.get(key) ?? absent)
    this.waits += 1
    throw new PendingRead(
      Promise.all(missing.map((key) => this.#send(key))).then(() => undefined)
    )
  }

  async #send(key: RequestKey): Promise<void> {
    this.#drawn = (this.#drawn * 48_271) % 2_147_483_647
    await new Promise((resolve) => setTimeout(resolve, this.#drawn % 4))
    this.#near.set(key, this.#far.get(key) ?? absent)
  }

  put(): boolean {
    throw new Error('nothing is recorded here')
  }

  putEncoded(): never {
    throw new Error('nothing is recorded here')
  }

  delete(key: RequestKey): void {
    this.contents.index.delete(key)
  }

  setManifest(manifest: Manifest): void {
    this.contents.manifest.value = manifest
  }

  saveManifest(): void {
    this.put()
  }

  protected putDescription(): void {
    this.put()
  }

  putPageStates(): void {
    this.put()
  }

  checkpoint(): void {
    // Nothing was written.
  }

  checkpointAsync(): Promise<void> {
    return Promise.resolve()
  }
}
