/** A cassette on disk behind the store's port. Opening one reads names, not bodies; recording one interaction costs the same at any size. */
import { accessSync, constants, existsSync, readdirSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { bodiesOutsideText, encodeInteraction } from '../cassette/format/encode-interaction.ts'
import { type Manifest, newManifest } from '../cassette/format/manifest.ts'
import { encodePageStates, type PageStates, pagesFile } from '../cassette/format/pages-file.ts'
import type { Interaction } from '../cassette/interaction.ts'
import { interactionPath, moduleDescriptionPath } from '../cassette/interaction-path.ts'
import type { JsonTree } from '../json/json-tree.ts'
import { writePretty } from '../json/write-json.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { ModuleDescription } from '../wiki/modules/module-descriptions.ts'
import { ChangeDetector } from './changes/change-detector.ts'
import { type FileSignatures, isUnchanged, racyWindowMs } from './changes/file-signature.ts'
import { CassetteWriter, type WritableInteraction } from './contents/cassette-writer.ts'
import { DescriptionFiles } from './contents/description-files.ts'
import { InteractionIndex } from './contents/interaction-index.ts'
import { InteractionReader } from './contents/interaction-reader.ts'
import { ManifestFile } from './contents/manifest-file.ts'
import { isInside } from './files/paths-inside.ts'
import { requireSameWiki } from './require-same-wiki.ts'
import type { InteractionReadResult, Store } from './store.ts'
import { StoreError } from './store-error.ts'
import { systemErrorCode } from './system-error-code.ts'

export interface OpenCassetteOptions {
  /** Where the files lie: the folder itself unless given, else a copy of it until what is recorded may stay. */
  readonly filesDir?: string | undefined
  /** Milliseconds that a file must have been left alone to count as unchanged; `racyWindowMs` unless given. */
  readonly racyWindowMs?: number | undefined
}

interface CassetteStoreParts {
  readonly filesDir: string
  readonly manifest: ManifestFile
  readonly index: InteractionIndex
  /** Before any of it was read, in milliseconds since 1970. */
  readonly readAt: number
}

export interface CreateCassetteOptions {
  readonly day?: string | undefined
  readonly stage?: ((dir: string) => string) | undefined
  readonly moved?: boolean | undefined
}

export class CassetteStore implements Store {
  /** Its folder, as it is named. */
  readonly dir: string
  readonly #filesDir: string
  readonly #windowMs: number
  readonly #reader: InteractionReader
  readonly #descriptions: DescriptionFiles
  readonly #changes: ChangeDetector
  readonly #writer: CassetteWriter
  #manifest: ManifestFile
  #index: InteractionIndex
  #readAt: number
  #generation = 0

  private constructor(
    dir: string,
    { filesDir, manifest, index, readAt }: CassetteStoreParts,
    options: OpenCassetteOptions,
  ) {
    this.dir = dir
    this.#filesDir = filesDir
    this.#windowMs = options.racyWindowMs ?? racyWindowMs
    this.#reader = new InteractionReader(filesDir, dir)
    this.#descriptions = new DescriptionFiles(filesDir)
    this.#changes = new ChangeDetector(filesDir, this.#windowMs)
    this.#manifest = manifest
    this.#writer = new CassetteWriter(filesDir, () => this.#manifest)
    this.#index = index
    this.#readAt = readAt
  }

  /** Opens an existing cassette. @throws StoreError where there is none, or none that this version reads */
  static open(dir: string, options: OpenCassetteOptions = {}): CassetteStore {
    const { filesDir = dir } = options
    const readAt = Date.now()
    const stat = statOf(dir)
    if (stat === undefined) throw StoreError.missing(dir)
    if (!stat.isDirectory()) throw StoreError.notAFolder(dir)
    const manifest = ManifestFile.read(filesDir)
    if (manifest === undefined) throw StoreError.noManifest(dir)
    return new CassetteStore(
      dir,
      { filesDir, manifest, index: InteractionIndex.read(filesDir), readAt },
      options,
    )
  }

  /**
   * Opens a cassette to record into, a new one where nothing lies there.
   * @param day on which a new one is begun
   * @param stage names where to record meanwhile, with a copy of what lies in the folder
   * @param moved whether the user says that the wiki now has this address. @throws StoreError also where it is another wiki's
   */
  static openOrCreate(
    dir: string,
    upstream: string,
    { day, stage = (same) => same, moved = false }: CreateCassetteOptions = {},
  ): CassetteStore {
    const stat = statOf(dir)
    if (stat !== undefined && !stat.isDirectory()) throw StoreError.notAFolder(dir)
    requireWritable(dir)
    if (stat !== undefined && !isEmptyFolder(dir)) {
      const store = CassetteStore.open(dir, { filesDir: stage(dir) })
      requireSameWiki(store, { upstream, site: undefined }, moved)
      return store
    }
    const filesDir = stage(dir)
    const manifest = ManifestFile.forNewCassette(filesDir, newManifest(upstream, day))
    return new CassetteStore(
      dir,
      { filesDir, manifest, index: InteractionIndex.empty(), readAt: Date.now() },
      {},
    )
  }

  /** Reads names, manifest and descriptions again where they have changed; a manifest that cannot be read is kept as it was. */
  generation(folder?: string): number {
    if (this.#changes.hasChanged(() => this.#index.allFolders, this.#readAt)) this.#readAgain()
    const files = (): Iterable<string> => this.#index.entries(folder).map(([, file]) => file)
    if (folder !== undefined && this.#changes.hasChangedIn(folder, files)) this.#generation += 1
    return this.#generation
  }

  signaturesOf(key: RequestKey, readAt: number): FileSignatures | undefined {
    const file = this.#index.get(key)
    return file === undefined ? undefined : this.#reader.signaturesOf(file, readAt, this.#windowMs)
  }

  isUnchanged(signatures: FileSignatures): boolean {
    return isUnchanged(this.#filesDir, signatures)
  }

  get manifest(): Manifest {
    return this.#manifest.value
  }

  get size(): number {
    return this.#index.size
  }

  paths(): IterableIterator<readonly [RequestKey, string]> {
    return this.#index.entries().values()
  }

  has(key: RequestKey): boolean {
    return this.#index.has(key)
  }

  folders(): readonly string[] {
    return this.#index.folders()
  }

  pathFor({ key, request }: Pick<Interaction, 'key' | 'request'>): string {
    return this.#index.get(key) ?? interactionPath(request, key)
  }

  /** @param maxBodyBytes of bodies in files of their own: a stranger's interaction may name any file */
  get(key: RequestKey, maxBodyBytes?: number): InteractionReadResult {
    const file = this.#index.get(key)
    return file === undefined ? { kind: 'absent' } : this.#reader.read(file, maxBodyBytes)
  }

  getFresh(key: RequestKey, request: Interaction['request']): InteractionReadResult {
    if (!this.#index.has(key)) {
      const file = interactionPath(request, key)
      if (existsSync(path.join(this.#filesDir, file)) && isInside(this.#filesDir, file))
        this.#index.set(key, file)
    }
    return this.get(key)
  }

  *readFolder(folder: string): IterableIterator<InteractionReadResult> {
    for (const [, file] of this.#index.entries(folder)) yield this.#reader.read(file)
  }

  *interactionsIn(folder: string): IterableIterator<Interaction> {
    for (const found of this.readFolder(folder)) if (found.kind === 'found') yield found.interaction
  }

  put(interaction: Interaction, mayWrite: (content: string | Uint8Array) => boolean = () => true): boolean {
    const file = this.pathFor(interaction)
    const encoded = encodeInteraction(interaction, path.basename(file, '.json'))
    if (![file, encoded.text, ...bodiesOutsideText(interaction.responses)].every(mayWrite)) return false
    this.putEncoded(interaction.key, file, encoded)
    return true
  }

  putEncoded(key: RequestKey, file: string, encoded: WritableInteraction): void {
    this.#writer.writeInteraction(file, encoded)
    this.#index.set(key, file)
  }

  delete(key: RequestKey): void {
    const file = this.#index.get(key)
    if (file === undefined) return
    this.#writer.deleteInteraction(file)
    this.#index.delete(key)
  }

  setManifest(manifest: Manifest): void {
    this.#manifest.set(manifest)
    if (this.size > 0) this.#writer.saveManifest()
  }

  saveManifest(): void {
    this.#writer.saveManifest()
  }

  module(modulePath: string): ModuleDescription | undefined {
    return this.#descriptions.module(modulePath)
  }

  moduleText(modulePath: string): string | undefined {
    return this.#descriptions.text(modulePath)
  }

  putModule(
    modulePath: string,
    description: JsonTree,
    mayWrite: (text: string) => boolean = () => true,
  ): void {
    const text = `${writePretty(description)}\n`
    if (!mayWrite(text)) return
    this.#writer.writeFile(moduleDescriptionPath(modulePath), text)
    this.#descriptions.forget(modulePath)
  }

  /** In which state pages were; empty where nobody asked. @throws StoreError where the file cannot be read */
  pageStates(): PageStates {
    return this.#descriptions.pageStates()
  }

  /** Adds to what is known of pages; of one page the newest counts. @throws StoreError */
  putPageStates(states: PageStates, mayWrite: (text: string) => boolean = () => true): void {
    const recorded = this.pageStates()
    const text = encodePageStates(new Map([...recorded, ...states]))
    if (states.size === 0 || text === encodePageStates(recorded) || !mayWrite(text)) return
    this.#writer.writeFile(pagesFile, text)
  }

  checkpoint(): void {
    this.#writer.checkpoint()
  }

  checkpointAsync(): Promise<void> {
    return this.#writer.checkpointAsync()
  }

  #readAgain(): void {
    this.#readAt = Date.now()
    this.#manifest = readOrElse(undefined, () => ManifestFile.read(this.#filesDir)) ?? this.#manifest
    this.#index = readOrElse(InteractionIndex.empty(), () => InteractionIndex.read(this.#filesDir))
    this.#descriptions.forget()
    this.#changes.reset(this.#index.allFolders, this.#readAt)
    this.#generation += 1
  }
}

/** Not with `throwIfNoEntry: false`: newer versions of Node.js give undefined for a path below a file, too. */
function statOf(dir: string): Stats | undefined {
  try {
    return statSync(dir)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined
    throw StoreError.unreadable(dir, error)
  }
}

/** Looks no further than the nearest folder that is there: nothing is made before something is recorded. */
function requireWritable(dir: string, nearest: string = path.resolve(dir)): void {
  const parent = path.dirname(nearest)
  if (!existsSync(nearest) && parent !== nearest) {
    requireWritable(dir, parent)
    return
  }
  try {
    accessSync(nearest, constants.W_OK)
  } catch (error) {
    throw StoreError.cannotWrite(nearest === path.resolve(dir) ? dir : `${dir} in ${nearest}`, error)
  }
}

/** True where nothing lies but what another process is just writing, and files that begin with a dot. */
const isEmptyFolder = (dir: string): boolean =>
  readdirSync(dir).every((name) => name.startsWith('.') || name.endsWith('.tmp'))

/** What cannot be read is taken for something else. */
function readOrElse<T>(fallback: T, read: () => T): T {
  try {
    return read()
  } catch {
    return fallback
  }
}
