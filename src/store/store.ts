/**
 * A cassette as an engine works with it, wherever it lies. Opening one gives its index; reading an interaction may take
 * its time; what was written is kept when the call returns (docs/decisions/0107-the-stores-port.md).
 */
import type { EncodedInteraction } from '../cassette/format/encode-interaction.ts'
import type { Manifest } from '../cassette/format/manifest.ts'
import type { PageStates } from '../cassette/format/pages-file.ts'
import type { Interaction } from '../cassette/interaction.ts'
import type { JsonTree } from '../json/json-tree.ts'
import type { JsonFault } from '../json/read-json.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { ModuleDescription } from '../wiki/modules/module-descriptions.ts'
import type { FileSignatures } from './changes/file-signature.ts'

/** What lies under a key: an interaction, nothing, or a file that cannot be read. */
export type InteractionReadResult =
  | { readonly kind: 'found'; readonly interaction: Interaction; readonly path: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'broken'; readonly path: string; readonly fault: JsonFault }

/** What is there, known from the opening on: nobody waits for it. */
export interface StoreIndex {
  /** Its folder, as it is named. */
  readonly dir: string
  readonly manifest: Manifest
  /** How many interactions. */
  readonly size: number
  has(key: RequestKey): boolean
  /** Every key with the path of its file inside the cassette, `/` as separator, in a stable order. */
  paths(): IterableIterator<readonly [RequestKey, string]>
  /** The folders that hold interactions, sorted: one for each combination of modules. */
  folders(): readonly string[]
  /** Where an interaction lies, or is going to. */
  pathFor(of: Pick<Interaction, 'key' | 'request'>): string
  /** What the wiki said of a module. */
  module(modulePath: string): ModuleDescription | undefined
  /** The same as JSON, as the wiki said it; undefined where it was not asked. */
  moduleText(modulePath: string): string | undefined
}

/** @throws NotAtHand from each of these, where the interaction is on its way */
export interface StoreReader {
  get(key: RequestKey): InteractionReadResult
  /** Looks again for what another may have written since this was opened. */
  getFresh(key: RequestKey, request: Interaction['request']): InteractionReadResult
  /** The interactions of one folder. */
  readFolder(folder: string): IterableIterator<InteractionReadResult>
  /** The same, less what cannot be read. */
  interactionsIn(folder: string): IterableIterator<Interaction>
}

/** @throws StoreError where it is not kept; what returns is kept, `checkpoint` forces it to where it outlives the machine's fall */
export interface StoreWriter {
  /** @param mayWrite sees all that would be written; where it says no, nothing is and false is returned */
  put(interaction: Interaction, mayWrite?: (content: string | Uint8Array) => boolean): boolean
  putEncoded(
    key: RequestKey,
    file: string,
    encoded: Pick<EncodedInteraction, 'bodyFiles'> & { readonly text: string | Uint8Array },
  ): void
  delete(key: RequestKey): void
  setManifest(manifest: Manifest): void
  /** Writes the manifest also where nothing is recorded yet. */
  saveManifest(): void
  putModule(modulePath: string, description: JsonTree, mayWrite?: (text: string) => boolean): void
  putPageStates(states: PageStates, mayWrite?: (text: string) => boolean): void
  checkpoint(): void
  /** The same, while others are served. @throws what the disk says; what is not there yet goes with the next checkpoint */
  checkpointAsync(): Promise<void>
}

/** Of a store that others may write to while something is made of it: what tells that it has become wrong. */
export interface ChangeTracking {
  /**
   * Another number when what is there is no longer what it was: names, manifest and descriptions, which are read anew then.
   * @param folder whose recordings are to be the same as well
   */
  generation(folder?: string): number
  /**
   * What marks a recording that was just read; undefined where it could not be told later that it has changed.
   * @param readAt before it was read, in milliseconds since 1970
   */
  signaturesOf(key: RequestKey, readAt: number): FileSignatures | undefined
  /** True where recordings are what they were. */
  isUnchanged(signatures: FileSignatures): boolean
}

/** One that nobody else writes to need not be `Changing`. */
export interface Store extends StoreIndex, StoreReader, StoreWriter, Partial<ChangeTracking> {}

/** An interaction is on its way: who asked for it asks again when it has come. */
export class PendingRead extends Error {
  /** Resolves when it has come, and stays for who asks again; rejects where it cannot be had. */
  readonly loaded: Promise<void>

  constructor(loaded: Promise<void>) {
    super('what was asked of the store is on its way')
    this.loaded = loaded
  }
}

/**
 * Does something for which interactions are read, from the start again whenever one had to be waited for.
 * @param attempt reads all that it needs before it changes anything; `again` is true from its second time on
 */
export async function retryWhenLoaded<T>(attempt: (isRetry: boolean) => T | Promise<T>): Promise<T> {
  for (let isRetry = false; ; isRetry = true) {
    try {
      return await attempt(isRetry)
    } catch (error) {
      if (!(error instanceof PendingRead)) throw error
      await error.loaded
    }
  }
}
