/** A cassette that lies far away: its index is in memory, and each interaction takes its time to come. */

import type { Manifest } from '../../src/cassette/format/manifest.ts'
import type { Interaction } from '../../src/cassette/interaction.ts'
import { interactionPath } from '../../src/cassette/interaction-path.ts'
import type { RequestKey } from '../../src/request/request-key.ts'
import { CassetteStore } from '../../src/store/cassette-store.ts'
import { type InteractionReadResult, PendingRead, type Store } from '../../src/store/store.ts'
import type { ModuleDescription } from '../../src/wiki/modules/module-descriptions.ts'

const absent: InteractionReadResult = { kind: 'absent' }

/** Nothing that is on the disk is asked for after it was made, but what the wiki said of its modules. */
export class SlowStore implements Store {
  readonly dir: string
  /** How often somebody was told to wait. */
  waits = 0
  readonly #index: Map<RequestKey, string>
  readonly #far = new Map<RequestKey, InteractionReadResult>()
  readonly #near = new Map<RequestKey, InteractionReadResult>()
  readonly #modules: CassetteStore
  /** What is drawn to decide how long each takes; the same for each run. */
  #drawn = 1
  manifest: Manifest

  constructor(dir: string) {
    const store = CassetteStore.open(dir)
    this.dir = dir
    this.manifest = store.manifest
    this.#index = new Map(store.paths())
    for (const key of this.#index.keys()) this.#far.set(key, store.get(key))
    this.#modules = store
  }

  get size(): number {
    return this.#index.size
  }

  has(key: RequestKey): boolean {
    return this.#index.has(key)
  }

  paths(): IterableIterator<readonly [RequestKey, string]> {
    return this.#index.entries()
  }

  folders(): readonly string[] {
    return [...new Set([...this.#index.values()].map((file) => file.slice(0, file.indexOf('/'))))]
  }

  countIn(folder: string): number {
    return this.#modules.countIn(folder)
  }

  pathFor({ key, request }: Pick<Interaction, 'key' | 'request'>): string {
    return this.#index.get(key) ?? interactionPath(request, key)
  }

  module(modulePath: string): ModuleDescription | undefined {
    return this.#modules.module(modulePath)
  }

  moduleText(modulePath: string): string | undefined {
    return this.#modules.moduleText(modulePath)
  }

  get(key: RequestKey): InteractionReadResult {
    return this.#index.has(key) ? (this.#take([key])[0] ?? absent) : absent
  }

  getOrDiscover(key: RequestKey): InteractionReadResult {
    return this.get(key)
  }

  readFolder(folder: string): IterableIterator<InteractionReadResult> {
    const keys = [...this.#index].flatMap(([key, file]) => (file.startsWith(`${folder}/`) ? [key] : []))
    return this.#take(keys).values()
  }

  *interactionsIn(folder: string): IterableIterator<Interaction> {
    for (const found of this.readFolder(folder)) if (found.kind === 'found') yield found.interaction
  }

  /** All of them, or none, and then they are sent for. @throws PendingRead */
  #take(keys: readonly RequestKey[]): readonly InteractionReadResult[] {
    const missing = keys.filter((key) => !this.#near.has(key))
    if (missing.length === 0) return keys.map((key) => this.#near.get(key) ?? absent)
    this.waits += 1
    throw new PendingRead(Promise.all(missing.map((key) => this.#send(key))).then(() => undefined))
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
    this.#index.delete(key)
  }

  setManifest(manifest: Manifest): void {
    this.manifest = manifest
  }

  saveManifest(): void {
    this.put()
  }

  putModule(): void {
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
