/**
 * The port through which an engine reads and writes a cassette. The index is in memory from the start; reading an
 * interaction may have to wait (`PendingRead`); what a call has written survives the end of the process
 * (docs/decisions/0107-the-stores-port.md).
 */
import { setImmediate } from 'node:timers/promises'
import type { EncodedInteraction } from '../cassette/format/encode-interaction.ts'
import type { Manifest } from '../cassette/format/manifest.ts'
import type { PageStates } from '../cassette/format/pages-file.ts'
import type { Interaction } from '../cassette/interaction.ts'
import {
  interactionPath,
  moduleDescriptionPath,
  wholeName
} from '../cassette/interaction-path.ts'
import { isWhole, type NameTest } from '../cassette/name-search.ts'
import type { JsonTree } from '../json/json-tree.ts'
import { writePretty } from '../json/write-json.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { ModuleDescription } from '../wiki/modules/module-descriptions.ts'
import { BestNames } from './contents/best-names.ts'
import type { DescriptionFiles } from './contents/description-files.ts'
import { type InteractionIndex, visitInTurns } from './contents/interaction-index.ts'
import type { InteractionReadResult } from './contents/interaction-reader.ts'
import type { FileSignatures } from './files/change-detector.ts'
import { retryWhenLoaded } from './pending-read.ts'

/** Files that are read before other requests get their turn: some two milliseconds. */
const filesPerTurn = 20
/** Whole names that are looked at before. */
const namesPerTurn = 50 * filesPerTurn

/** Gets a text before it is written; false where it must not be. */
export type MayWrite = (text: string) => boolean

/** What a store holds in memory from the start. */
interface StoreContents {
  readonly manifest: { readonly value: Manifest }
  readonly index: InteractionIndex
  readonly descriptions: DescriptionFiles
}

/** A cassette. What is optional below needs no store that nobody else writes to. */
export abstract class Store<Contents extends StoreContents = StoreContents> {
  /** Its folder, as the user named it. */
  readonly dir: string
  protected readonly contents: Contents
  /** Of recordings whose files have a name that is cut off: a key stands for its request. */
  readonly #wholeNames = new Map<RequestKey, Buffer>()

  constructor(dir: string, contents: Contents) {
    this.dir = dir
    this.contents = contents
  }

  // Known from the start, without waiting.

  get manifest(): Manifest {
    return this.contents.manifest.value
  }

  get size(): number {
    return this.contents.index.size
  }

  has(key: RequestKey): boolean {
    return this.contents.index.has(key)
  }

  /** Every key with the path of its file inside the cassette, `/` as separator, in a stable order. */
  paths(): IterableIterator<readonly [RequestKey, string]> {
    return this.contents.index.entries().values()
  }

  /** The folders that hold interactions, sorted: one for each combination of modules. */
  folders(): readonly string[] {
    return this.contents.index.folders()
  }

  countIn(folder: string): number {
    return this.contents.index.countIn(folder)
  }

  /** The recordings of a folder whose whole names pass a test, sorted by path. Other work gets its turn meanwhile. */
  async named(folder: string, test: NameTest): Promise<readonly RequestKey[]> {
    const { index } = this.contents
    const found: number[] = []
    const unsure: number[] = []
    await visitInTurns(index, folder, (names, start, end, place) => {
      if (!isWhole(names, start, end)) unsure.push(place)
      else if (test(names, start, end)) found.push(place)
    })
    for (let at = 0; at < unsure.length; at += filesPerTurn) {
      const places = unsure.slice(at, at + filesPerTurn)
      const keys = places.map((place) => index.keyAt(place))
      const isKnown = keys.every((key) => this.#wholeNames.has(key))
      if (!isKnown || at % namesPerTurn === 0) await setImmediate()
      if (!isKnown) await this.#readWholeNames(keys)
      for (const [nth, key] of keys.entries()) {
        const name = this.#wholeNames.get(key)
        if (name && test(name, 0, name.length)) found.push(places[nth] ?? 0)
      }
    }
    // The names were read again meanwhile.
    if (index !== this.contents.index) return this.named(folder, test)
    const entries = found.map((place) => index.entryAt(place))
    return entries.sort(([, a], [, b]) => (a < b ? -1 : 1)).map(([key]) => key)
  }

  async #readWholeNames(keys: readonly RequestKey[]) {
    const unknown = keys.filter((key) => !this.#wholeNames.has(key))
    for (const { interaction } of await retryWhenLoaded(() => this.getAll(unknown)))
      if (interaction)
        this.#wholeNames.set(interaction.key, Buffer.from(wholeName(interaction.request)))
  }

  /** Those whose names score highest, the highest first, equal ones by name. Other work gets its turn meanwhile. */
  async namedMostLike(
    folder: string,
    score: NameTest<number>,
    count: number
  ): Promise<readonly RequestKey[]> {
    const { index } = this.contents
    const best = new BestNames(count, score)
    await visitInTurns(index, folder, best.visit)
    return best.found.map(({ place }) => index.keyAt(place))
  }

  /** The path of an interaction, recorded or not. */
  pathFor({ key, request }: Pick<Interaction, 'key' | 'request'>): string {
    return this.contents.index.get(key) ?? interactionPath(request, key)
  }

  module(modulePath: string): ModuleDescription | undefined {
    return this.contents.descriptions.module(modulePath)
  }

  /** The same as the wiki's JSON; undefined where it was not recorded. */
  moduleText(modulePath: string): string | undefined {
    return this.contents.descriptions.text(modulePath)
  }

  // Reads: each throws PendingRead while the interaction is being loaded.

  abstract get(key: RequestKey): InteractionReadResult
  /** The same of several, which a remote store loads together. */
  abstract getAll(keys: readonly RequestKey[]): readonly InteractionReadResult[]
  /** Finds also what another process has written since the index was read. */
  abstract getOrDiscover(
    key: RequestKey,
    request: Interaction['request']
  ): InteractionReadResult
  /** The interactions of one folder. */
  abstract readFolder(folder: string): IterableIterator<InteractionReadResult>

  /** The same, without those that cannot be read. */
  *interactionsIn(folder: string): IterableIterator<Interaction> {
    for (const found of this.readFolder(folder))
      if (found.kind === 'found') yield found.interaction
  }

  // Writes: each throws a StoreError where it fails. `checkpoint` makes earlier writes survive a crash of the machine (fsync).

  putModule(
    modulePath: string,
    description: JsonTree,
    mayWrite: MayWrite = () => true
  ): void {
    const text = `${writePretty(description)}\n`
    if (mayWrite(text)) this.putDescription(moduleDescriptionPath(modulePath), text)
  }

  protected abstract putDescription(file: string, text: string): void

  /**
   * @param leased the key whose lease this recording was made under
   * @returns from a remote store: whether it is durable now, and false where somebody else had recorded there meanwhile
   */
  abstract putEncoded(
    key: RequestKey,
    file: string,
    encoded: EncodedInteraction,
    leased?: RequestKey
  ): Promise<boolean> | undefined
  abstract delete(key: RequestKey): void
  abstract setManifest(manifest: Manifest): void
  /** Writes the manifest even where nothing is recorded yet. */
  abstract saveManifest(): void
  /** Merges into the recorded states; of one page the newest counts. */
  abstract putPageStates(states: PageStates, mayWrite?: MayWrite): void
  abstract checkpoint(): void
  /** The same without blocking. @throws Error of the disk; the next checkpoint tries again */
  abstract checkpointAsync(): Promise<void>

  // Changes by others in what was read.

  /**
   * A number that changes with names, manifest or descriptions, which are then read again.
   * @param part a folder whose recordings count as well, or any name for `keys`. @param keys recordings that count as well
   */
  generation?(part?: string, keys?: readonly RequestKey[]): number
  /**
   * Signatures of the files of a recording that was just read; undefined where a later change could go unnoticed.
   * @param readAt before it was read, in milliseconds since 1970
   */
  signaturesOf?(key: RequestKey, readAt: number): FileSignatures | undefined
  /** True where the files still have their signatures. */
  isUnchanged?(signatures: FileSignatures): boolean

  // Of a remote store.

  /** Of what a run has written, forgets what is no longer there. */
  forgetLost?(keys: readonly RequestKey[]): Promise<void>
  /** Of recorders on several machines, one at a time asks the wiki for a key. */
  readonly leases?: Leases
  /** States of the sessions of a replay that several replicas serve. */
  readonly sessions?: SessionStates
  /** Learns what others have changed; undefined where that was done a moment ago. Never rejects. */
  refresh?(): Promise<void> | undefined
  /** Waits for writes, and ends the connection. @throws StoreError */
  close?(): Promise<void>
}

export interface SessionStates {
  /** Undefined where there is none, or none any more. @throws StoreError */
  load(
    id: string
  ): Promise<{ readonly version: number; readonly text: string } | undefined>
  /** @returns false where the stored version is not the one before. @throws StoreError */
  save(id: string, version: number, text: string): Promise<boolean>
}

export interface Leases {
  /**
   * @param isRecorded whether the key is in the cassette, as far as is known
   * @throws PendingRead where somebody else has the lease or has recorded meanwhile: look the request up again
   */
  acquire(key: RequestKey, isRecorded: () => boolean): Promise<void>
  release(key: RequestKey): Promise<void>
}
