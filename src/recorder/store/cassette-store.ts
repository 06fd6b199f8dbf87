/** A cassette on disk, behind the store's port. Opening one reads file names only; recording one interaction costs the same at any size. */
import path from 'node:path'
import {
  type EncodedInteraction,
  encodeInteraction
} from '../cassette/format/encode-interaction.ts'
import { type Manifest, newManifest } from '../cassette/format/manifest.ts'
import {
  encodePageStates,
  type PageStates,
  pagesFile
} from '../cassette/format/pages-file.ts'
import type { Interaction } from '../cassette/interaction.ts'
import { interactionPath } from '../cassette/interaction-path.ts'
import type { RequestKey } from '../request/request-key.ts'
import { CassetteContents } from './contents/cassette-contents.ts'
import {
  descriptionFilesOf,
  parsePageStates,
  textIn
} from './contents/description-files.ts'
import {
  InteractionReader,
  type InteractionReadResult
} from './contents/interaction-reader.ts'
import { ManifestFile } from './contents/manifest-file.ts'
import { type FileSignatures, isUnchanged } from './files/change-detector.ts'
import {
  isFolder,
  isUnusedFolder,
  requireNoCassetteAround,
  requireWritable
} from './files/paths-inside.ts'
import { type MayWrite, Store } from './store.ts'
import { requireSameWiki, StoreError } from './store-error.ts'

export interface CreateCassetteOptions {
  /** Day on which a new cassette begins. */
  readonly day?: string | undefined
  /** Names the folder to record into meanwhile, with a copy of the cassette's files. */
  readonly stage?: ((dir: string) => string) | undefined
  /** Whether the user says that the wiki has moved to this address. */
  readonly moved?: boolean | undefined
  readonly mayRecord?: (isNew: boolean) => boolean
}

export class CassetteStore extends Store<CassetteContents> {
  readonly #reader: InteractionReader

  private constructor(dir: string, contents: CassetteContents) {
    super(dir, contents)
    this.#reader = new InteractionReader(contents.dir, dir)
  }

  /**
   * Opens an existing cassette. @throws StoreError where there is none, or none that this version reads
   * @param filesDir where the files are: a staged copy of the folder while recordings may yet be discarded
   */
  static open(dir: string, filesDir: string = dir): CassetteStore {
    if (!isFolder(dir)) throw new StoreError('missing', dir)
    const contents = CassetteContents.read(filesDir, dir)
    if (!contents) throw new StoreError('no-manifest', dir)
    return new CassetteStore(dir, contents)
  }

  /** Opens a cassette to record into; begins a new one where nothing is there. @throws StoreError also where it is another wiki's */
  static openOrCreate(
    dir: string,
    upstream: string,
    {
      day,
      stage = (same) => same,
      moved = false,
      mayRecord = () => true
    }: CreateCassetteOptions = {}
  ): CassetteStore {
    const isNew = isUnusedFolder(dir)
    if (mayRecord(isNew)) requireWritable(dir)
    if (isNew) {
      requireNoCassetteAround(dir)
      const manifest = new ManifestFile(stage(dir), newManifest(upstream, day))
      return new CassetteStore(dir, new CassetteContents(manifest))
    }
    const store = CassetteStore.open(dir, stage(dir))
    requireSameWiki(store, { upstream, site: undefined }, moved)
    return store
  }

  override generation(part?: string, keys?: readonly RequestKey[]): number {
    return this.contents.generation(part, keys)
  }

  override signaturesOf(key: RequestKey, readAt: number): FileSignatures | undefined {
    const file = this.contents.index.get(key)
    return file === undefined ? undefined : this.#reader.signaturesOf(file, readAt)
  }

  override isUnchanged(signatures: FileSignatures): boolean {
    return isUnchanged(this.contents.dir, signatures)
  }

  /** @param maxBodyBytes limit of bodies in separate files: an interaction of an untrusted cassette may name any file */
  get(key: RequestKey, maxBodyBytes?: number): InteractionReadResult {
    const file = this.contents.index.get(key)
    return file === undefined ? { kind: 'absent' } : this.#reader.read(file, maxBodyBytes)
  }

  getAll(keys: readonly RequestKey[]): readonly InteractionReadResult[] {
    return keys.map((key) => this.get(key))
  }

  getOrDiscover(key: RequestKey, request: Interaction['request']): InteractionReadResult {
    if (!this.has(key)) this.contents.indexIfPresent(key, interactionPath(request, key))
    return this.get(key)
  }

  override *readFolder(folder: string): IterableIterator<InteractionReadResult> {
    for (const [, file] of this.contents.index.entries(folder))
      yield this.#reader.read(file)
  }

  put(interaction: Interaction): void {
    const file = this.pathFor(interaction)
    this.putEncoded(
      interaction.key,
      file,
      encodeInteraction(interaction, path.basename(file, '.json'))
    )
  }

  putEncoded(key: RequestKey, file: string, encoded: EncodedInteraction): undefined {
    this.contents.writeInteraction(file, encoded)
    this.contents.index.add(key, file)
  }

  delete(key: RequestKey): void {
    const file = this.contents.index.get(key)
    if (file !== undefined) this.contents.deleteInteraction(file)
    this.contents.index.delete(key)
  }

  setManifest(manifest: Manifest): void {
    this.contents.manifest.set(manifest)
    if (this.size > 0) this.contents.saveManifest()
  }

  saveManifest(): void {
    this.contents.saveManifest()
  }

  descriptionFiles(): readonly string[] {
    return descriptionFilesOf(this.contents.dir, this.manifest)
  }

  protected putDescription(file: string, text: string): void {
    this.contents.writeFile(file, text)
    this.contents.descriptions.forget()
  }

  /** The states of pages when they were recorded; empty where none were. @throws StoreError where the file cannot be read */
  pageStates(): PageStates {
    return parsePageStates(
      textIn(this.contents.dir, pagesFile),
      path.join(this.dir, pagesFile)
    )
  }

  /** Merges into the recorded states; of one page the newest counts. @throws StoreError */
  putPageStates(states: PageStates, mayWrite: MayWrite = () => true): void {
    const recorded = this.pageStates()
    const text = encodePageStates(new Map([...recorded, ...states]))
    if (states.size === 0 || text === encodePageStates(recorded) || !mayWrite(text))
      return
    this.contents.writeFile(pagesFile, text)
  }

  checkpoint(): void {
    this.contents.checkpoint()
  }

  checkpointAsync(): Promise<void> {
    return this.contents.checkpointAsync()
  }
}
